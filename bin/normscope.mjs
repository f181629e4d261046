#!/usr/bin/env node
/** The command `normscope`: hands over to the built command line. */
import { existsSync } from "node:fs";

const built = new URL("../dist/cli.mjs", import.meta.url);

if (existsSync(built)) {
  await import(built.href);
} else {
  process.stderr.write("Normscope is not built yet: run 'npm run build' in its folder first\n");
  process.exitCode = 2;
}

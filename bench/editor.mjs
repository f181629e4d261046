/**
 * Measures how long people wait in the editor: activation, lenses, numbers after a report and after
 * an edit. Medians of five, printed and not asserted.
 *
 *     npm run bench:editor
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

for (const [command, ...args] of [
  [join(root, "test/e2e/setup.sh")],
  [process.execPath, join(root, "scripts/package.mjs")],
]) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
const common = { absWorkingDir: root, bundle: true, platform: "node", target: "node20" };
await build({
  ...common,
  entryPoints: ["bench/editor/suite.ts"],
  outfile: "dist/bench/editor/suite.cjs",
  format: "cjs",
  external: ["vscode"],
});
await build({
  ...common,
  entryPoints: ["bench/editor/main.ts"],
  outfile: "dist/bench/editor/main.mjs",
  format: "esm",
  packages: "external",
});
await import(join(root, "dist/bench/editor/main.mjs"));

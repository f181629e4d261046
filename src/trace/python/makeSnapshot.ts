/** Writes the memory image of a loaded Python into the folder given as the only argument. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { invariant } from "../../errors.ts";
import { readableFolder } from "./folders.ts";
import { makeOutside } from "./outside.ts";
import { makeRealm } from "./realm.ts";

const assets = process.argv[2];
invariant(assets !== undefined, "makeSnapshot needs a folder");
const folders = [readableFolder(join(assets, "site"))];
const inside = makeRealm(assets, makeOutside({ assets, folders, host: [] }));
await inside.load(false);
try {
  writeFileSync(join(assets, "python.snapshot"), inside.makeSnapshot());
} catch (error) {
  // Uncaught, it would print the whole minified realm beside Python's traceback.
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

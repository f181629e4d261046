/** The entry of the tracer's worker: runs the bundle of tracerWorker.ts as it was compiled before. */
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileScript } from "../trace/python/compiled.ts";

const folder = dirname(fileURLToPath(import.meta.url));
const path = join(folder, "tracer.cjs");
const script = compileScript(Module.wrap(readFileSync(path, "utf8")), path);
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(path), module, path, folder);

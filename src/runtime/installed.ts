/** Whether ONNX Runtime is there: a package of Normscope for any system comes without it. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";

/** null: it is there; else what is missing. `from` is a file of this package. */
export function missingRuntime(from = import.meta.url): string | null {
  const system = `${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(from).resolve("onnxruntime-node");
  } catch {
    return `the package onnxruntime-node for ${system} is not there`;
  }
  const folder = join(dirname(entry), "../bin/napi-v6", process.platform, process.arch);
  const isThere = existsSync(join(folder, "onnxruntime_binding.node"));
  return isThere ? null : `onnxruntime-node has no library for ${system}`;
}

/** Constructs models in a loaded Python without memory for their tensors: see python/torch/_count.py. */
import { join, relative } from "node:path";
import { pythonRaised } from "../errors.ts";
import type { PythonInstance } from "./python/boot.ts";
import { fromPythonPath, toPythonPath } from "./python/paths.ts";
import type { Plain } from "./python/plain.ts";

export interface CountedClass {
  /** Path below the root. */
  readonly file: string;
  readonly entry: string;
  /** Constructor arguments as Python literals: one number each. */
  readonly sets: readonly Readonly<Record<string, string>>[];
}

/**
 * Plain data: by class, by set, a number of parameters. Throws what a constructor raised, at the
 * innermost line of the workspace.
 */
export function countModels(
  python: PythonInstance,
  root: string,
  models: readonly CountedClass[],
): Plain {
  python.open({ root, scriptFolder: root });
  const asked = JSON.stringify(models);
  const result = python.call("torch._count", "count", toPythonPath(root), asked);
  if (result.ok) return result.value;
  const at = result.error.frames.findLast((frame) => !frame.library);
  const path = at === undefined ? join(root, models[0]?.file ?? "") : fromPythonPath(at.file);
  throw pythonRaised(result.error, { file: relative(root, path), line: at?.line ?? 1 });
}

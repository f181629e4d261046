/** Reads a file in a loaded Python without running it: see python/torch/_survey.py. */
import { relative } from "node:path";
import { pythonRaised } from "../errors.ts";
import type { PythonInstance, Workspace } from "./python/boot.ts";
import { toPythonPath } from "./python/paths.ts";
import type { Plain } from "./python/plain.ts";

/** Plain data: what `survey` gives. Throws where the file cannot be read as text. */
export function surveyFile(python: PythonInstance, path: string, workspace: Workspace): Plain {
  python.open(workspace);
  const packages = (workspace.packages ?? []).map(toPythonPath);
  const result = python.call("torch._survey", "survey", toPythonPath(path), packages);
  if (result.ok) return result.value;
  throw pythonRaised(result.error, { file: relative(workspace.root, path), line: 1 });
}

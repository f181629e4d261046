/** What a call of Python gave, or its error at the user's line. */
import { relative } from "node:path";
import { pythonRaised } from "../errors.ts";
import type { PythonResult } from "./python/boot.ts";
import type { PythonError } from "./python/failure.ts";
import { fromPythonPath } from "./python/paths.ts";
import type { Script } from "./traceScript.ts";

export function resultOf(result: PythonResult, script: Script) {
  if (result.ok) return result.value;
  throw describe(result.error, script);
}

/** The error at the innermost line of the user's own files. */
export function describe(error: PythonError, script: Script) {
  const { root } = script.workspace;
  const at = error.frames.findLast((frame) => !frame.library);
  if (at === undefined) {
    const isOfFiles = /^(?:weights|data)\//.test(error.code ?? "");
    const start = { file: relative(root, script.path), line: 1 };
    // The host's own errors are no exceptions of the user's Python.
    if (isOfFiles) return pythonRaised({ ...error, type: "" }, null);
    return pythonRaised(error, start);
  }
  const file = fromPythonPath(at.file);
  return pythonRaised(error, {
    file: file.startsWith(root) ? relative(root, file) : file,
    line: at.line,
    ...(at.column === null ? {} : { column: at.column }),
  });
}

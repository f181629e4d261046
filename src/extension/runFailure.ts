/** Why a run failed, as views show it: the error, and where in which file it lies. */
import { join } from "node:path";
import { NormscopeError } from "../errors.ts";
import type { Failure, RunConfiguration } from "../protocol/webview.ts";

export interface RunFailure extends Failure {
  /** What was thrown. */
  readonly error: unknown;
  /** "pre_ln.py:PreLNTransformer". */
  readonly subject: string;
  /** Absolute path of the model file. */
  readonly path: string;
  readonly configuration: RunConfiguration;
  /** Absolute path of the file in which the mistake is. */
  readonly placePath: string | null;
}

/** `root` is the folder that an error names its files in. */
export function describe(error: unknown, root: string): Failure & Pick<RunFailure, "placePath"> {
  if (!(error instanceof NormscopeError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: "internal", message, hint: null, place: null, placePath: null };
  }
  const { code, message, hint, place, pythonType } = error;
  const kind = pythonType === null || message.startsWith(pythonType) ? "" : `${pythonType}: `;
  return {
    code,
    message: kind + message,
    hint,
    place: place === null ? null : { file: place.file, line: place.line },
    placePath: place === null ? null : join(root, place.file),
  };
}

/** An exception that Python code did not catch, as data. */

export interface PythonError {
  /** The class's name, "RuntimeError". */
  readonly type: string;
  readonly message: string;
  /** Section of docs/errors.md where the host raised it, else null. */
  readonly code: string | null;
  readonly hint: string | null;
  /** Outermost call first; a SyntaxError's own position is the last. */
  readonly frames: readonly PythonFrame[];
  /** Python's traceback as text. */
  readonly text: string;
  /** Names the exception object, which Python keeps: see `PythonFailure`. */
  readonly number: number | null;
}

export interface PythonFrame {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** Zero-based, UTF-16 units; null where unknown. */
  readonly column: number | null;
  readonly endColumn: number | null;
  readonly function: string;
  /** In the standard library or in the stand-in for torch: not the user's. */
  readonly library: boolean;
}

/** Thrown by a host function, it raises the same exception object again in Python. */
export class PythonFailure extends Error {
  readonly description: PythonError;

  constructor(description: PythonError) {
    super(`${description.type}: ${description.message}`);
    this.name = "PythonFailure";
    this.description = description;
  }
}

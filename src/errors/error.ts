/** What every error is: a message with a code, a place and a hint. */

export interface Place {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** Zero-based, UTF-16 units. */
  readonly column?: number;
}

export class NormscopeError extends Error {
  /** `stage/what`, the section of docs/errors.md. */
  readonly code: string;
  readonly place: Place | null;
  readonly hint: string | null;
  /** The Python exception type that the same mistake raises in PyTorch. */
  readonly pythonType: PythonErrorType | null;

  constructor(
    code: string,
    message: string,
    options: { place?: Place | null; hint?: string | null; pythonType?: PythonErrorType } = {},
  ) {
    super(message);
    this.name = "NormscopeError";
    this.code = code;
    this.place = options.place ?? null;
    this.hint = options.hint ?? null;
    this.pythonType = options.pythonType ?? null;
  }
}

/** The same error at a place, where it names none itself. */
export function placedAt(error: Error, place: Place | null): Error {
  if (!(error instanceof NormscopeError) || error.place !== null) return error;
  const { code, message, hint, pythonType } = error;
  return new NormscopeError(code, message, { place, hint, ...(pythonType && { pythonType }) });
}

const pythonTypes = [
  "RuntimeError",
  "TypeError",
  "ValueError",
  "IndexError",
  "NotImplementedError",
  "AssertionError",
  "AttributeError",
  "KeyError",
  "MemoryError",
  "OutOfMemoryError",
  "UnsupportedCall",
] as const;
export type PythonErrorType = (typeof pythonTypes)[number];

export const isPythonType = (name: string): name is PythonErrorType =>
  (pythonTypes as readonly string[]).includes(name);

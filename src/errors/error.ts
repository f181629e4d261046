/** What every error is: a message with a code, a place and a hint. */
import type { Printed } from "./printed.ts";

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
  /** What the model's file had printed by then. */
  readonly printed: readonly Printed[];

  constructor(
    code: string,
    message: string,
    options: {
      place?: Place | null;
      hint?: string | null;
      pythonType?: PythonErrorType;
      printed?: readonly Printed[];
    } = {},
  ) {
    super(message);
    this.name = "NormscopeError";
    this.code = code;
    this.place = options.place ?? null;
    this.hint = options.hint ?? null;
    this.pythonType = options.pythonType ?? null;
    this.printed = options.printed ?? [];
  }
}

/** An error that only a run can find: "{}" in its message stands for the number that it is about. */
export interface Refusal {
  readonly pythonType: PythonErrorType;
  readonly message: string;
  /** A condition on numbers failed; the place that was looked up says nothing. */
  readonly isOfNumbers?: true;
}

/** The same error at a place, where it names none itself. */
export function placedAt(error: Error, place: Place | null): Error {
  return error instanceof NormscopeError && error.place === null ? movedTo(error, place) : error;
}

/** The same error at another place. */
export function movedTo(error: NormscopeError, place: Place | null): NormscopeError {
  const { code, message, hint, pythonType, printed, stack } = error;
  const kind = pythonType === null ? {} : { pythonType };
  const moved = new NormscopeError(code, message, { place, hint, printed, ...kind });
  if (stack !== undefined) moved.stack = stack;
  return moved;
}

const pythonTypes = [
  "RuntimeError",
  "TypeError",
  "ValueError",
  "IndexError",
  "NotImplementedError",
  "_LinAlgError",
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

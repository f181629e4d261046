/**
 * What crosses between a user interface and the engine process: requests, their answers, progress
 * and errors. Both ends import this file. A request holds all that it needs; the engine remembers
 * nothing that an answer could depend on.
 */

import { NormscopeError, type Place, type Printed, type PythonErrorType } from "../errors.ts";
import type { Device, Mode } from "./choices.ts";
import type { Detail } from "./report.ts";

export { type Device, devices, type Mode, modes } from "./choices.ts";

/** What to trace, and on which data. */
export interface ModelRequest {
  /** Absolute path of the workspace: the traced code sees no file outside of it. */
  readonly root: string;
  /** Path of the file below `root`, with forward slashes. */
  readonly file: string;
  /** Class to construct; null for a script with `build` and `step`, and for an ONNX file. */
  readonly entry: string | null;
  /** Constructor arguments, each as a Python literal: "24", "True", "'gelu'", "[1, 2]". */
  readonly set: Readonly<Record<string, string>>;
  /** Replace the inferred inputs of the same name. */
  readonly inputs: readonly InputSpec[];
  /** A Python expression that replaces the inferred loss, or null. */
  readonly loss: string | null;
  readonly seed: number;
  /** null: as the script says, else "eval". */
  readonly mode: Mode | null;
  /** Absolute path of a folder with pure-Python packages, or null. */
  readonly packages: string | null;
  /** In place of the weights that the model makes; absent: none. */
  readonly weights?: WeightsRequest | null;
  /** Text of the file in place of what lies on the disk; absent: none. */
  readonly source?: string | null;
  /** In place of made-up tokens; absent: none. */
  readonly tokens?: TokensRequest | null;
  /** A call that is not supported ends the step: everything before it is told, the line is a gap. */
  readonly keepGoing?: boolean;
}

/** A file whose tokens the inputs of a class are taken from. */
export interface TokensRequest {
  /** Absolute path: a text, .bin of uint16, or .npy of integers. */
  readonly file: string;
  /** Absolute path of the tokenizer.json that divides a text; null: its bytes are the tokens. */
  readonly tokenizer: string | null;
}

/** A checkpoint to load, and how its names must agree with the model's. */
export interface WeightsRequest {
  /** Absolute path of a file, or of a folder with one. */
  readonly file: string;
  /** Names that are missing or unexpected are an error. */
  readonly strict: boolean;
  /** Taken off the names in the file; names without it are passed over. */
  readonly prefix: string;
}

/** One made-up input tensor. */
export interface InputSpec {
  readonly name: string;
  /** PyTorch's name without "torch.": "int64". */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Integers are drawn from [0, below); null where the type or the model decides. */
  readonly below: number | null;
}

export interface RunRequest extends ModelRequest {
  readonly device: Device;
  /** It is run even where memory will not suffice. */
  readonly force?: boolean;
  /** Thresholds of findings, by the names of src/findings/limits.ts; absent: the usual ones. */
  readonly limits?: Readonly<Record<string, number>>;
}

/** What is computed of single values on request. */
export interface DetailRequest extends RunRequest {
  /** Position in the `values` of the report that the same request has as a run. */
  readonly index: number;
}

export interface DetailReport {
  /** null where the value has no histogram: complex numbers. */
  readonly activation: Detail | null;
  readonly gradient: Detail | null;
}

export interface ExportRequest extends ModelRequest {
  /** Absolute path of an existing folder; the engine writes nowhere else. */
  readonly directory: string;
  /** File name of the model; external data is put beside it as `NAME.data`. */
  readonly name: string;
  /** auto: external from 2 GB on. */
  readonly storage: "inside" | "external" | "auto";
  /** Free batch and sequence axes, from two traces of different size. */
  readonly dynamic: boolean;
  readonly backward: boolean;
  readonly statistics: boolean;
}

export interface ExportReport {
  /** Names within the requested folder; the model first. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly nodes: number;
  readonly parameters: number;
}

export interface DoctorReport {
  readonly versions: {
    readonly normscope: string;
    readonly node: string;
    readonly onnxruntime: string;
    readonly pyodide: string;
  };
  readonly providers: readonly ProviderState[];
  readonly memory: { readonly totalBytes: number; readonly freeBytes: number };
  readonly processors: number;
  /** NVIDIA's, and the GPUs that it sees; absent or null: none is there. */
  readonly driver?: NvidiaDriver | null;
}

export interface NvidiaDriver {
  readonly version: string | null;
  readonly gpus: readonly {
    readonly name: string;
    readonly totalBytes: number;
    readonly freeBytes: number;
  }[];
}

/** What mends a CUDA provider that is not installed. */
export const installCommand = "normscope doctor --install cuda";

export interface ProviderState {
  readonly name: Device;
  readonly works: boolean;
  /** What is missing, null where nothing is. */
  readonly reason: string | null;
  /** How to get it, null where there is no way on this system. */
  readonly remedy: string | null;
}

export const stages = ["start", "trace", "build", "session", "run", "export"] as const;
export type Stage = (typeof stages)[number];

/** A NormscopeError as data. `code` is "internal" for a bug of ours. */
export interface ErrorData {
  readonly code: string;
  readonly message: string;
  readonly place: Place | null;
  readonly hint: string | null;
  readonly pythonType: PythonErrorType | null;
  readonly printed: readonly Printed[];
  readonly stack: string | null;
}

export function errorData(error: unknown): ErrorData {
  const stack = error instanceof Error ? (error.stack ?? null) : null;
  if (error instanceof NormscopeError) {
    const { code, message, place, hint, pythonType, printed } = error;
    return { code, message, place, hint, pythonType, printed, stack };
  }
  const message = error instanceof Error ? error.message : String(error);
  const unknown = { place: null, hint: null, pythonType: null };
  return { code: "internal", message, ...unknown, printed: [], stack };
}

export function errorFromData(data: ErrorData): NormscopeError {
  const { code, message, place, hint, pythonType, printed, stack } = data;
  const kind = pythonType === null ? {} : { pythonType };
  const error = new NormscopeError(code, message, { place, hint, printed, ...kind });
  if (stack !== null) error.stack = stack;
  return error;
}

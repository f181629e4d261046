/**
 * Every error that a user can meet, one function each. Text: subject, what was needed, what was
 * found; `hint` is what to do next. docs/errors.md has a section for each code.
 */
import { formatBytes } from "./errors/devices.ts";
import { isPythonType, NormscopeError, type Place, type PythonErrorType } from "./errors/error.ts";

export * from "./errors/devices.ts";
export * from "./errors/error.ts";
export type { Printed } from "./errors/printed.ts";

/** PyTorch itself would raise this: `message` is worded for the user's line, kind as PyTorch's. */
export const torchError = (pythonType: PythonErrorType, message: string, hint?: string) =>
  new NormscopeError("trace/python", message, { pythonType, hint: hint ?? null });

export const shapeMismatch = (message: string, hint?: string) =>
  new NormscopeError("trace/shape-mismatch", message, {
    pythonType: "RuntimeError",
    hint: hint ?? null,
  });

/** An operator of ONNX that has no definition in src/ops. */
export const unknownOp = (op: string, nearest: string | null) =>
  new NormscopeError("graph/unknown-op", `No definition of the ONNX operator '${op}'`, {
    hint: nearest === null ? null : `Did you mean '${nearest}'?`,
  });

/** Operators of a file, each with a value that it makes; `known` are all that are defined. */
export const unknownOps = (
  ops: readonly (readonly [op: string, output: string])[],
  known: readonly string[],
) =>
  new NormscopeError(
    "graph/unknown-op",
    `No definition of the ONNX ${ops.length === 1 ? "operator" : "operators"} ${ops
      .map(([op, output]) => `'${op}' (of '${output}')`)
      .join(", ")}`,
    { hint: `docs/ops.md lists the ${known.length} that are` },
  );

/** No gradient rule leads from the loss through this operator. */
export const noGradientRule = (op: string, input: string, place: Place | null) =>
  new NormscopeError(
    "autodiff/no-rule",
    `'${op}' has no gradient with respect to its input '${input}'`,
    {
      place,
    },
  );

export const exportTooLarge = (bytes: number) =>
  new NormscopeError(
    "export/too-large",
    `An ONNX file holds less than 2.1 GB; the weights have ${formatBytes(bytes)}`,
    { hint: "Export the weights as an external file" },
  );

/** Free sizes: `found` says what a line has at the first sizes and at the second. */
export const sizeFixed = (found: string, place: Place | null) =>
  new NormscopeError(
    "export/size-fixed",
    `This line fixes a size: at the two sizes that were tried ${found}`,
    { place, hint: "Compute it in forward from the input's shape, or export with fixed sizes" },
  );

/** Bytes that should be an ONNX file and are not. */
export const notOnnx = (reason: string) =>
  new NormscopeError("decode/not-onnx", `The file is no ONNX model: ${reason}`);

/** A correct ONNX file with something that graphs here cannot hold. */
export const onnxUnsupported = (what: string) =>
  new NormscopeError("decode/unsupported", `The ONNX model cannot be read: ${what}`);

export const onnxSizeUnknown = (value: string, dimension: string) =>
  new NormscopeError(
    "decode/size-unknown",
    `'${value}' has a dimension '${dimension}', which needs a size to run`,
  );

/** A shape that depends on numbers which only a run gives. */
export const notConstant = (op: string, input: string) =>
  new NormscopeError(
    "graph/not-constant",
    `${op} needs a constant '${input}'; got a computed value`,
    {
      hint: "The shapes of a graph must not depend on its numbers",
    },
  );

/** The command line was called in a way that it does not understand. */
export const wrongUsage = (message: string, hint: string | null = null) =>
  new NormscopeError("usage/arguments", message, { hint });

/** New findings, or statistics that left the baseline. */
export const checkFailed = (codes: readonly string[]) =>
  new NormscopeError("check/failed", `The check failed: ${[...new Set(codes)].join(", ")}`, {
    hint: "Accept what is meant with --baseline FILE --update, or silence a code with --ignore",
  });

export const notABaseline = (file: string, found: string) =>
  new NormscopeError("usage/no-baseline", `'${file}' is no baseline: it ${found}`, {
    hint: `Write one with --baseline ${file} --update`,
  });

export const noSuchFile = (file: string) =>
  new NormscopeError("usage/no-file", `There is no file '${file}'`);

/** A file without `build` and `step`, and without a class that could be run. */
export const noEntry = (file: string) =>
  new NormscopeError(
    "usage/no-entry",
    `'${file}' has no nn.Module to run, nor build() and step(model)`,
    { hint: "Name a file that defines a model" },
  );

export const sourceIsDirectory = (file: string, models: readonly string[]) =>
  new NormscopeError("source/directory", `A model file is needed; '${file}' is a directory`, {
    place: { file, line: 1 },
    hint: models.length === 0 ? null : `It contains ${models.join(", ")}`,
  });

export const sourceIsEmpty = (file: string) =>
  new NormscopeError("source/empty", `A model file is needed; '${file}' is empty`, {
    place: { file, line: 1 },
  });

export const sourceIsBinary = (file: string, line: number) =>
  new NormscopeError("source/binary", `Python source is needed; '${file}' is not UTF-8 text`, {
    place: { file, line },
  });

export const notAReport = (file: string, found: string) =>
  new NormscopeError(
    "source/not-a-report",
    `A report of schema 1 is needed; '${file}' is ${found}`,
    {
      hint: "Make one with: normscope run FILE:CLASS --json REPORT.json",
    },
  );

/** Python's own files lie in a few folders of its file system; a workspace would hide them. */
export const workspaceTaken = (root: string) =>
  new NormscopeError("source/workspace-taken", `The folder '${root}' cannot be the workspace`, {
    hint: "Move the file into a folder of its own, or name one with --root",
  });

/** A file named by --json, --html or --output that the system does not let us write. */
export const cannotWrite = (file: string, reason: string) =>
  new NormscopeError("output/cannot-write", `'${file}' could not be written: ${reason}`);

/** A bug of ours, as opposed to a mistake in the model. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`internal: ${message}`);
}

/** The user ended the work: shown as a state, not as a failure. */
export const cancelled = () => new NormscopeError("engine/cancelled", "Cancelled");

export const engineEnded = (how: string, lastWords: string | null) =>
  new NormscopeError("engine/ended", `The engine ended during the run: ${how}`, {
    hint:
      lastWords === null
        ? "The next run starts a new engine"
        : `${lastWords}; the next run starts a new engine`,
  });

export const engineGarbled = (detail: string) =>
  new NormscopeError("engine/garbled", `The engine sent what is no message: ${detail}`, {
    hint: "The next run starts a new engine; if it happens again, rebuild or reinstall Normscope",
  });

export const engineDisposed = () =>
  new NormscopeError("engine/disposed", "The engine was already closed");

export const tookTooLong = (limitSeconds: number) =>
  new NormscopeError("engine/time-limit", `The run took longer than ${limitSeconds} s`, {
    hint: "Make the model smaller, or raise the setting 'normscope.run.timeLimit'",
  });

export const notTrusted = () =>
  new NormscopeError("engine/not-trusted", "A model of an untrusted workspace is not run", {
    hint: "Trust the workspace first",
  });

/** Python code raised, and nothing of it caught: at the innermost line of the user's own files. */
export const pythonRaised = (
  error: {
    readonly type: string;
    readonly message: string;
    readonly code: string | null;
    readonly hint: string | null;
  },
  place: Place | null,
) =>
  new NormscopeError(error.code ?? "trace/python", pythonText(error), {
    place,
    hint: error.hint,
    ...(isPythonType(error.type) ? { pythonType: error.type } : {}),
  });

/** An error with a code of ours says all in its message; others are Python's, with their type. */
const pythonText = ({
  type,
  message,
  code,
}: {
  type: string;
  message: string;
  code: string | null;
}) => (message === "" ? type : code === null ? `${type}: ${message}` : message);

/** PyTorch's names of the classes of tensors that backward can need. */
const classNames: Readonly<Record<string, string>> = {
  ...{ float16: "torch.HalfTensor", bfloat16: "torch.BFloat16Tensor" },
  ...{ float32: "torch.FloatTensor", float64: "torch.DoubleTensor" },
  ...{ complex64: "torch.ComplexFloatTensor", complex128: "torch.ComplexDoubleTensor" },
  ...{ int64: "torch.LongTensor", int32: "torch.IntTensor", bool: "CPUBoolType" },
};

/** A tensor that backward needs as it was has been edited in place: PyTorch's words. */
export const editedAfterSave = (
  tensor: {
    readonly dtype: string;
    readonly shape: readonly number[];
    /** PyTorch's node that made it, where that is known. */
    readonly madeBy?: string | null;
  },
  op: string,
  version: { readonly found: number; readonly expected: number },
  place: Place | null,
) =>
  new NormscopeError(
    "autodiff/edited",
    `RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [${classNames[tensor.dtype] ?? tensor.dtype} [${tensor.shape.join(", ")}]]${tensor.madeBy ? `, which is output 0 of ${tensor.madeBy},` : ""} is at version ${version.found}; expected version ${version.expected} instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).`,
    {
      place,
      pythonType: "RuntimeError",
      hint: `'${op}' saved it for its gradient: clone it before the edit`,
    },
  );

/** What a call saved for its gradient has lost its history since. */
export const detachedAfterSave = (op: string, place: Place | null) =>
  new NormscopeError(
    "autodiff/edited",
    "RuntimeError: Trying to use a saved tensor that has been detached in-place, i.e. with .detach_(). This is not supported, please use out-of-place `.detach()` instead",
    {
      place,
      pythonType: "RuntimeError",
      hint: `'${op}' saved it for its gradient: use detach() rather than detach_()`,
    },
  );

/** A gradient within the step has used up what the calls before it saved. */
export const walkedTwice = (place: Place | null) =>
  new NormscopeError(
    "autodiff/walked-twice",
    "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.",
    {
      place,
      pythonType: "RuntimeError",
      hint: "Pass retain_graph=True (or create_graph=True) to the gradient that the step computes",
    },
  );

/** Free axes need two traces of different size, and a script makes its own inputs. */
export const sizesOfScript = (file: string) =>
  new NormscopeError(
    "export/script-sizes",
    `Free axes need a class, whose inputs are made at two sizes; '${file}' is a script with inputs of its own`,
    { hint: `Name the class: ${file}:Model` },
  );

/** An ONNX file names external data that does not lie beside it. */
export const externalDataOutside = (name: string) =>
  new NormscopeError(
    "decode/external-data",
    `External data must lie in the model's own folder; '${name}' leaves it`,
  );

export const externalDataMissing = (name: string) =>
  new NormscopeError(
    "decode/no-external-data",
    `The model's external data '${name}' is not there, or shorter than the model says`,
  );

/** A file that should hold weights. `reason` is about it: "it is cut short". */
export const checkpointUnreadable = (file: string, reason: string) =>
  new NormscopeError("weights/unreadable", `The weights '${file}' cannot be read: ${reason}`);

/** A pickle may name any function of any module; only those that make tensors are known here. */
export const checkpointRefused = (file: string, global: string) =>
  new NormscopeError(
    "weights/refused-global",
    `The weights '${file}' name '${global}', which makes more than tensors and plain values`,
    { hint: "Save the state_dict alone: torch.save(model.state_dict(), FILE)" },
  );

/** A file that should hold token ids, or a text. */
export const tokensUnreadable = (file: string, reason: string) =>
  new NormscopeError("data/unreadable", `The tokens '${file}' cannot be read: ${reason}`);

/** `below`: rows of the embedding that takes the ids; 0 where it is not known. */
export const tokenOutOfRange = (file: string, id: number, position: number, below: number) =>
  new NormscopeError(
    "data/token-range",
    `The tokens '${file}' have the id ${id} at position ${position}; the model takes ids from 0 to ${below - 1}`,
    { hint: "Give the model the vocabulary of the tokens with --set, or other tokens" },
  );

/** Lines whose norm could not be moved: nothing was edited. */
export const rewriteRefused = (reason: string, place: Place) =>
  new NormscopeError("rewrite/not-understood", `Nothing is edited: ${reason}`, { place });

/** `what`: "the normalizer 'Nmt'". */
export const tokenizerUnsupported = (what: string) =>
  new NormscopeError("data/tokenizer", `The tokenizer cannot be read: it has ${what}`, {
    hint: "Write the ids into a .bin file of uint16, or a .npy file, and give that to --tokens",
  });

export const slurmFailed = (program: string, reason: string) =>
  new NormscopeError("sweep/slurm", `'${program}' failed: ${reason}`, {
    hint: "Is Slurm's client installed here, and its controller reachable?",
  });

export const runsFailed = (failed: number, all: number) =>
  new NormscopeError("sweep/runs-failed", `${failed} of ${all} runs failed`, {
    hint: "The same command runs them again, and no others",
  });

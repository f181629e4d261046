/** What goes wrong with devices: while a graph runs, and before it can. */
import { NormscopeError, type Place, type Refusal } from "./error.ts";

/** What a node was running for, as messages of the runtime name it: "Gather (embedding in 'tok')". */
const runningNode = (op: string | null, source: RunningSource | null): string => {
  const node = op ?? "The graph";
  if (source === null) return node;
  const what = source.direction === "backward" ? `gradient of ${source.op}` : source.op;
  return `${node} (${what}${source.module ? ` in '${source.module}'` : ""})`;
};

/** The torch call whose node failed. */
export interface RunningSource extends Place {
  readonly op: string;
  readonly direction: "forward" | "backward" | "statistic";
  readonly module: string | null;
  readonly refusal?: Refusal;
}

/** An index that the tensor does not have: known only when the numbers are. */
export const indexOutOfRange = (
  op: string | null,
  source: RunningSource | null,
  index: number,
  /** The table's rows are numbered from `least`. */
  { least, below }: { readonly least: number; readonly below: number },
) => {
  const range = index < 0 ? `from ${least} to ${below - 1}` : `below ${below}`;
  const needed = `${runningNode(op, source)} needs indices ${range}; got ${index}`;
  const isForward = source?.direction === "forward";
  const refusal = isForward ? (wordsOf(source.op, index) ?? source.refusal ?? null) : null;
  return new NormscopeError(
    "runtime/index-out-of-range",
    refusal?.message.replace("{}", String(index)) ?? needed,
    {
      place: source,
      pythonType: refusal?.pythonType ?? "IndexError",
      hint: refusal && needed,
    },
  );
};

/** PyTorch's own words for calls that take class numbers, whatever looks them up. */
function wordsOf(op: string, index: number): Refusal | null {
  if (op === "one_hot")
    return {
      pythonType: "RuntimeError",
      message:
        index < 0
          ? "Class values must be non-negative."
          : "Class values must be smaller than num_classes.",
    };
  return classWords[op] ?? null;
}

const classWords: Readonly<Record<string, Refusal>> = {
  embedding: { pythonType: "IndexError", message: "index out of range in self" },
  cross_entropy: { pythonType: "IndexError", message: "Target {} is out of bounds." },
  nll_loss: { pythonType: "IndexError", message: "Target {} is out of bounds." },
  multi_margin_loss: { pythonType: "RuntimeError", message: "target out of range" },
  multilabel_margin_loss: {
    pythonType: "RuntimeError",
    message: "argument #2 'target' is out of range",
  },
};

/** A condition on numbers that the graph itself has looked at. */
export const numbersRefused = ({ message, pythonType }: Refusal, source: RunningSource) =>
  new NormscopeError("runtime/refused-numbers", message, { place: source, pythonType });

/** The runtime does not say which index it was. */
export const indexBeyond = (op: string | null, source: RunningSource | null) =>
  new NormscopeError(
    "runtime/index-out-of-range",
    `${runningNode(op, source)} got an index that is not below the size of the axis`,
    {
      place: source,
      pythonType: "IndexError",
      hint: "Class numbers of a loss, and what gather takes, count from 0",
    },
  );

export const outOfMemory = (
  op: string | null,
  source: RunningSource | null,
  bytes: number | null,
) =>
  new NormscopeError(
    "runtime/out-of-memory",
    `${runningNode(op, source)} ran out of memory${bytes === null ? "" : `: ${formatBytes(bytes)} more were needed`}`,
    {
      place: source,
      pythonType: "OutOfMemoryError",
      hint: "Make the batch, the sequence or the model smaller",
    },
  );

export const formatBytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** The provider cannot compute an operator for these element types. */
export const noKernel = (op: string, source: RunningSource | null, provider: string) =>
  new NormscopeError(
    "runtime/no-kernel",
    `${runningNode(op, source)} has no implementation on the provider '${provider}' for these element types`,
    { place: source, hint: "Run it on another device, or in float32" },
  );

/** Whatever else ONNX Runtime says of a node, or of the model as a whole. */
export const runtimeFailed = (op: string | null, source: RunningSource | null, reason: string) =>
  new NormscopeError(
    "runtime/failed",
    `${runningNode(op, source)} failed in ONNX Runtime: ${reason}`,
    {
      place: source,
    },
  );

/** `fits` is what would run in its place: "a batch of 2 in place of 8". */
export const runDoesNotFit = (
  memory: {
    readonly weightsBytes: number;
    readonly activationsBytes: number;
    readonly neededBytes: number;
    readonly freeBytes: number;
    readonly place: string;
  },
  fits: string,
) => {
  const { weightsBytes, activationsBytes, neededBytes, freeBytes, place } = memory;
  const parts = `weights ${formatBytes(weightsBytes)}, values ${formatBytes(activationsBytes)}`;
  return new NormscopeError(
    "runtime/does-not-fit",
    `The run needs some ${formatBytes(neededBytes)} (${parts}); ${place} has ${formatBytes(freeBytes)} free`,
    { hint: `What would fit: ${fits}. --force runs it all the same` },
  );
};

/** A device that was asked for by name and cannot run. */
export const deviceUnavailable = (provider: string, reason: string, remedy: string | null = null) =>
  new NormscopeError(
    "runtime/device-unavailable",
    `The device '${provider}' cannot run here: ${reason}`,
    {
      hint:
        remedy === null
          ? "Use --device auto, or see normscope doctor"
          : `To mend it: ${remedy}. Or use --device auto`,
    },
  );

/** `lacks` is a clause: "there is no NVIDIA driver". `remedy` is the command that mends it, or null. */
export const cudaSetupLacks = (lacks: string, remedy: string | null) =>
  new NormscopeError("setup/missing", `CUDA cannot be set up yet: ${lacks}`, {
    hint: remedy === null ? "Models run on the CPU meanwhile" : `To mend it: ${remedy}`,
  });

/** Nothing of the attempt is left. */
export const cudaSetupFailed = (reason: string, hint: string | null) =>
  new NormscopeError("setup/failed", `CUDA was not set up: ${reason}`, { hint });

/** `what`: "the package onnxruntime-node for linux-x64 is not there". */
export const noRuntime = (what: string) =>
  new NormscopeError("engine/no-runtime", `ONNX Runtime is missing: ${what}`, {
    hint: "Install the package of Normscope that is made for this system",
  });

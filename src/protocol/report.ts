/** What a run tells: schema 1. Non-finite numbers are the strings "NaN", "Infinity" and "-Infinity" in JSON. */
import type { Printed } from "../errors.ts";

export interface RunReport {
  readonly schema: 1;
  /** Version of Normscope. */
  readonly normscope: string;
  readonly source: SourceInfo;
  /** The tensors that the model was called with, in order. */
  readonly inputs: readonly InputInfo[];
  /** How the loss was made: "forward's own", "next-token cross-entropy", "mean of squares", "step". */
  readonly lossRule: string;
  /** The script that was run, when it was made from a class and not written by the user. */
  readonly plan: string | null;
  readonly device: DeviceInfo;
  readonly graph: { readonly nodes: number; readonly parameters: number; readonly flops: number };
  readonly memory?: MemoryReport | null;
  /** Milliseconds of each stage. */
  readonly timing: Timing;
  readonly loss: Num;
  readonly modules: readonly ModuleReport[];
  readonly values: readonly ValueReport[];
  readonly parameters: readonly ParameterReport[];
  readonly blocks: readonly BlockReport[];
  readonly norms: readonly NormReport[];
  readonly attention: readonly AttentionReport[];
  /** Python decisions that rested on a computed number. */
  readonly branches: readonly BranchReport[];
  /** Lines that could not be followed, each with its code. */
  readonly gaps: readonly Gap[];
  /** Choices that nobody made and the run rests on; absent: of an older run. */
  readonly assumptions?: readonly Assumption[];
  /** In the order of the run; absent: of an older run. */
  readonly printed?: readonly Printed[];
  readonly findings: readonly Finding[];
}

/** A number as JSON can hold it. */
export type Num = number | "NaN" | "Infinity" | "-Infinity";

export interface SourceInfo {
  /** Path as the user gave it, relative to the workspace. */
  readonly file: string;
  /** Class, or null for a script. */
  readonly entry: string | null;
  readonly args: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly mode: "eval" | "train";
  /** The checkpoint that was loaded; absent or null: the weights are those that the seed makes. */
  readonly weights?: WeightsInfo | null;
}

export interface WeightsInfo {
  /** Path as the user gave it. */
  readonly file: string;
  /** "safetensors", "PyTorch", "NumPy". */
  readonly format: string;
  /** SHA-256 of the file; of several, of their hashes joined by newlines, in order. */
  readonly sha256: string;
  /** Where in the file's value the tensors were: "['model']", "". */
  readonly key: string;
  readonly tensors: number;
  /** Names of the model that the file does not have, and the other way round. */
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

export interface InputInfo {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** How the numbers were made. */
  readonly rule: string;
}

export interface DeviceInfo {
  readonly requested: string;
  readonly provider: string;
  readonly passedOver: readonly {
    readonly provider: string;
    readonly reason: string;
    /** The one command that mends it; absent or null: there is none. */
    readonly remedy?: string | null;
  }[];
  /** What the provider could not run; absent or empty: it ran all. */
  readonly elsewhere?: readonly ElsewhereReport[];
}

/** Nodes of one call of a torch function that the chosen provider left to another. */
export interface ElsewhereReport {
  readonly provider: string;
  readonly file: string;
  readonly line: number;
  readonly op: string;
  readonly module: string | null;
  readonly direction: "forward" | "backward" | "statistic";
  readonly nodes: number;
}

/** What a run was expected to hold at once, in bytes. */
export interface MemoryReport {
  readonly weightsBytes: number;
  readonly activationsBytes: number;
  readonly workspaceBytes: number;
  /** The sum of these. */
  readonly neededBytes: number;
  /** What there was: of `place`, before the run. */
  readonly freeBytes: number;
  /** "this machine", or the name of a GPU. */
  readonly place: string;
  /** By how much the process grew; null on a GPU, and where an earlier run had grown it more. */
  readonly measuredBytes: number | null;
}

/** What a run would need and find, known before it. */
export interface MemoryEstimate extends MemoryReport {
  /** What would run in its place: "a batch of 2 in place of 8"; null where it fits. */
  readonly wouldFit: string | null;
}

export interface Timing {
  readonly traceMs: number;
  readonly buildMs: number;
  readonly sessionMs: number;
  readonly runMs: number;
  readonly totalMs: number;
}

/** Over all elements; `mean` … `l2` over the finite ones; `std` is the population's. */
export interface Stats {
  readonly count: number;
  readonly mean: Num;
  readonly std: Num;
  readonly rms: Num;
  readonly min: Num;
  readonly max: Num;
  readonly absMax: Num;
  readonly l2: Num;
  readonly zeroFraction: number;
  readonly nan: number;
  readonly posInf: number;
  readonly negInf: number;
}

/** What is computed of single values on request. */
export interface Detail {
  readonly histogram: Histogram;
  /** Linear between neighbours, over the finite elements. */
  readonly percentiles: { readonly p1: Num; readonly p50: Num; readonly p99: Num };
  /** Shares of all elements that a format would lose. */
  readonly losses: Readonly<Record<NarrowFormat, FormatLoss>>;
  /** One for each axis that is longer than 1. */
  readonly axes: readonly AxisBreakdown[];
}

export type AxisName = (typeof axisNames)[number];
export const axisNames = [
  "position",
  "feature",
  "head",
  "query",
  "key",
  "channel",
  "height",
  "width",
  "batch",
] as const;

/** Statistics of the slices across one axis, each over all other axes and its finite elements. */
export interface AxisBreakdown {
  /** Counted from the front. */
  readonly axis: number;
  /** What the axis is, where the model tells. */
  readonly name: AxisName | null;
  readonly size: number;
  /** How many neighbours make up one slice: more than 1 for axes of thousands; the last can be less. */
  readonly step: number;
  readonly rms: readonly Num[];
  readonly mean: readonly Num[];
  /** Of the population. */
  readonly std: readonly Num[];
  readonly absMax: readonly Num[];
}

/** Elements by sign and binary exponent: bin k counts 2^(least + k) ≤ |x| < 2^(least + k + 1). */
export interface Histogram {
  readonly least: number;
  readonly negative: readonly number[];
  readonly positive: readonly number[];
  readonly zeros: number;
}

export type NarrowFormat = "float16" | "bfloat16" | "float8_e4m3fn" | "float8_e5m2";

export interface FormatLoss {
  /** Not 0, but 0 in the format. */
  readonly flushed: number;
  /** Finite, but not in the format. */
  readonly overflowed: number;
}

export interface ModuleReport {
  readonly path: string;
  readonly class: string;
  readonly file: string | null;
  readonly line: number | null;
  /** One per call; within it one entry per tensor output, in order. */
  readonly calls: readonly ModuleCall[];
}

export interface ModuleCall {
  readonly activation: readonly Stats[];
  readonly gradient: readonly (Stats | null)[];
  /** Key path of each output in what forward returned ("", ".0", ".logits"), its type beside it. */
  readonly outputs: readonly {
    readonly key: string;
    readonly dtype: string;
    readonly shape: readonly number[];
  }[];
}

export interface ValueReport {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** Zero-based, UTF-16 units. */
  readonly column: number;
  /** Where the expression ends: `x + a` and `x + a + b` begin at one place. */
  readonly endLine: number;
  readonly endColumn: number;
  /** Last part of PyTorch's name. */
  readonly op: string;
  readonly module: string | null;
  /** How often this line and op came before in this step. */
  readonly call: number;
  /** Which output of the call. */
  readonly output: number;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly activation: Stats;
  readonly gradient: Stats | null;
}

export interface ParameterReport {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly value: Stats;
  readonly gradient: Stats | null;
}

export interface BlockReport {
  readonly path: string;
  readonly placement: string;
  /** Root mean square of the residual stream that leaves the block. */
  readonly streamRms: Num;
  readonly branches: readonly {
    readonly path: string;
    readonly ratio: Num;
    readonly cosine: Num;
  }[];
  /** ‖dL/dx_in‖ / ‖dL/dx_out‖. */
  readonly backwardGain: Num | null;
  /** Root mean square of dL/dx_out; absent: of an older run, or there is none. */
  readonly outputGradient?: Num;
  /** Kinds of norm within the block, each once: "LayerNorm", "RMSNorm". */
  readonly norms?: readonly string[];
  /** Whether branches read the same stream side by side (GPT-J, PaLM). */
  readonly parallel?: boolean;
  /** The lines that prove the placement: where the block adds to the stream, and its norms. */
  readonly lines?: readonly BlockLine[];
  /** Of the last block of a stack: how the stream goes on to what reads it. */
  readonly end?: StreamEnd;
}

export interface BlockLine {
  readonly file: string;
  readonly line: number;
  readonly what: "add" | "norm";
}

export interface StreamEnd {
  /** Whether what the next matrix product reads is normalised, within the block or behind it. */
  readonly normed: boolean;
  /** Of the norm, or of the product that reads the stream as it is. */
  readonly file: string;
  readonly line: number;
  /** Module of that product or norm. */
  readonly path: string | null;
}

export interface NormReport {
  readonly path: string;
  readonly call: number;
  /** Mean over rows of the variance (LayerNorm) or mean square (RMSNorm) of the input. */
  readonly variance: Num;
  readonly eps: number;
  /** eps / (variance + eps); outside of the root eps / (√variance + eps). */
  readonly epsShare: Num;
  /** Share of the input's mean square that removing the mean takes away; null for RMSNorm. */
  readonly meanShare: Num | null;
  /** L2Norm divides by the root of the sum of squares. */
  readonly kind?: "LayerNorm" | "RMSNorm" | "L2Norm";
  /** Where eps is added; `clamp`: the root is not let below it. */
  readonly epsPlace?: "inside" | "outside" | "clamp" | "none";
  readonly file?: string;
  readonly line?: number;
  /** The least root of any row, before eps is added outside of it. */
  readonly minRoot?: Num;
}

export interface AttentionReport {
  readonly path: string | null;
  readonly file: string;
  readonly line: number;
  readonly call: number;
  /** One entry per head: mean entropy of the rows in nats, the largest logit, row sums' range. */
  readonly heads: readonly {
    readonly entropy: Num;
    readonly maxLogit: Num | null;
    readonly minRowSum: Num;
    readonly maxRowSum: Num;
    /** Rows of which a mask of -inf leaves no key. */
    readonly maskedRows?: number;
  }[];
  /** The axis that softmax runs over: that of the keys, which is summed with the values, or not. */
  readonly softmaxOver?: "keys" | "queries" | "both" | "other";
  /** What q · k is multiplied by; null: something that is learned. */
  readonly scale?: number | null;
  readonly headWidth?: number;
  /** Which keys any query gives weight to; absent where queries and keys differ in number. */
  readonly sees?: Sight;
}

/** Over all samples and heads, by the distance of key and query. */
export interface Sight {
  readonly past: boolean;
  readonly self: boolean;
  readonly future: boolean;
  /** The largest key − query that has weight; 0 or less: causal. */
  readonly farthest: number;
  /** Whether it sees more than twice as many pairs in the past as in the future. */
  readonly hidesFuture: boolean;
  /** Queries that a mask of large finite numbers leaves no key in some sample; their weights are even. */
  readonly hiddenRows: number;
}

export interface BranchReport {
  readonly file: string;
  readonly line: number;
  /** What Python looked at, as text: "True", "3". */
  readonly value: string;
  readonly taken: string;
}

export interface Assumption {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface Gap {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface Finding {
  /** A section of docs/findings.md. */
  readonly code: string;
  /** Whether it follows from this run's numbers, or from the model's arithmetic whatever the numbers. */
  readonly kind?: "measured" | "structural";
  readonly severity: "error" | "warning" | "information";
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly module: string | null;
  readonly evidence: Readonly<Record<string, Num | string>>;
}

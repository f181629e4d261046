/** A run of training: what is asked for, what is told while it goes on, and what it leaves. */
import type { RunRequest } from "./engine.ts";
import type { DeviceInfo, Finding, Num, RunReport, SourceInfo } from "./report.ts";

export interface TrainRequest extends RunRequest {
  readonly training: TrainSettings;
}

export interface TrainSettings {
  readonly steps: number;
  readonly batch: number;
  readonly seq: number;
  /** null: the batch that the script itself makes, at every step. */
  readonly task: TaskSpec | null;
  readonly optimizer: OptimizerSettings;
  readonly schedule: ScheduleSettings;
  /** Largest norm of all gradients together (clip_grad_norm_), or null. */
  readonly clip: number | null;
  /** Batches whose gradients are averaged before an update. */
  readonly accumulate: number;
  /** Absolute path of a folder for the state and the history, or null: nothing is kept. */
  readonly directory: string | null;
  /** Steps between two saved states. */
  readonly saveEvery: number;
  /** Whether to go on from the state in `directory`. */
  readonly resume: boolean;
  /** Python runs again for every step; without it only where it is known to be needed. */
  readonly retrace?: boolean;
  /** Steps that one run of a graph takes, as an ONNX Loop; null or absent: as the device likes it. */
  readonly stepsPerCall?: number | null;
  /** Threads that share the work of one node; null: as the runtime chooses. */
  readonly threads: number | null;
}

export const optimizerNames = ["sgd", "adam", "adamw", "adafactor", "lion", "muon"] as const;
export type OptimizerName = (typeof optimizerNames)[number];

/** PyTorch's names; what is left out has PyTorch's default. */
export interface OptimizerSettings {
  readonly name: OptimizerName;
  readonly momentum?: number;
  readonly nesterov?: boolean;
  readonly betas?: readonly [number, number];
  readonly eps?: number;
  readonly weightDecay?: number;
  /** matrices: none on norms, biases and embeddings. */
  readonly decay?: "matrices" | "all";
}

export const scheduleNames = [
  "constant",
  "linear",
  "cosine",
  "inverse-sqrt",
  "wsd",
  "step",
] as const;
export type ScheduleName = (typeof scheduleNames)[number];

export interface ScheduleSettings {
  readonly name: ScheduleName;
  /** The largest learning rate. */
  readonly lr: number;
  /** Steps of linear warm-up. */
  readonly warmup: number;
  /** Share of `lr` that linear, cosine and wsd end at. */
  readonly end?: number;
  /** wsd: share of the steps that decay at the end. */
  readonly decayShare?: number;
  /** step: factor, and steps between two uses of it. */
  readonly gamma?: number;
  readonly every?: number;
}

export const taskNames = [
  "copy",
  "reverse",
  "induction",
  "modular-addition",
  "markov",
  "text",
] as const;
export type TaskName = (typeof taskNames)[number];

/** `file`: a text file, read by bytes, or a token file (`.bin`, uint16 little-endian). */
export interface TaskSpec {
  readonly name: TaskName | "file";
  readonly file: string | null;
  /** sequential: one window after another, from the start; random: drawn. */
  readonly order: "random" | "sequential";
  readonly seed: number;
}

/** What one step measured. */
export interface TrainStep {
  /** One-based. */
  readonly step: number;
  readonly loss: Num;
  readonly lr: number;
  /** Norm of all gradients together, before clipping. */
  readonly gradient: Num;
  /** Per layer of `TrainReport.layers`: norm of its parameters' gradients. */
  readonly layerGradients: readonly Num[];
  /** Per layer: norm of the update / norm of the weights before it. */
  readonly updateRatios: readonly Num[];
  /** Per block of `TrainReport.blocks`: root mean square of the stream that leaves it. */
  readonly streamRms: readonly Num[];
}

export type TrainEvent =
  | {
      readonly kind: "begin";
      readonly layers: readonly string[];
      readonly blocks: readonly string[];
      readonly firstStep: number;
      readonly reference: TrainReport["reference"];
    }
  | { readonly kind: "steps"; readonly steps: readonly TrainStep[] }
  | { readonly kind: "saved"; readonly step: number };

export interface TrainReport {
  readonly schema: 1;
  readonly normscope: string;
  readonly source: SourceInfo;
  readonly settings: TrainSettings;
  readonly plan: string | null;
  readonly lossRule: string;
  /** Python files that were imported: paths below the root, with slashes. */
  readonly files: readonly string[];
  readonly layers: readonly string[];
  readonly blocks: readonly string[];
  readonly steps: readonly TrainStep[];
  readonly parameters: readonly { readonly name: string; readonly shape: readonly number[] }[];
  /** Gradient norm of every parameter, at some of the steps. */
  readonly parameterGradients: readonly { readonly step: number; readonly norms: readonly Num[] }[];
  readonly end: TrainEnd;
  /** Losses of a model that knows only how often symbols occur, and of one that knows the source. */
  readonly reference: { readonly unigram: number | null; readonly floor: number | null };
  /** What the steps showed that is likely to be a mistake, the gravest first. */
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  readonly device: DeviceInfo;
  readonly graph: {
    readonly nodes: number;
    readonly parameters: number;
    /** SHA-256 of the ONNX bytes of the step. */
    readonly sha256: string;
  };
  readonly timing: {
    readonly traceMs: number;
    readonly buildMs: number;
    readonly sessionMs: number;
    readonly trainMs: number;
    /** Steps that this took: fewer than `TrainReport.steps` where a run went on. */
    readonly trained: number;
  };
}

export interface TrainEnd {
  readonly reason: "done" | "stopped" | "not-finite";
  readonly step: number;
  /** Where the first number that is not finite was made, for "not-finite". */
  readonly origin: NotFinite | null;
}

export interface NotFinite {
  readonly file: string | null;
  readonly line: number | null;
  readonly op: string;
  readonly module: string | null;
  readonly pass: "forward" | "backward" | "update";
  /** The instrumented run of that batch; null where nothing in it was non-finite. */
  readonly report: RunReport | null;
}

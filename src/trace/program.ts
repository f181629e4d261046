/** What tracing a script gives: the forward graph, and which of its values mean what. */

import type { Graph, TorchCall, Value } from "../graph/graph.ts";

export interface TracedProgram {
  /** The forward pass. Its only output is the loss. */
  readonly graph: Graph;
  readonly loss: Value;
  readonly mode: "eval" | "train";
  /** False where the script says BACKWARD = False or the loss requires no gradient. */
  readonly backward: boolean;
  /** Results of torch calls, in the order of the calls, as they were at the time of the call. */
  readonly values: readonly TracedValue[];
  /** One per module path, in the order of first completion. */
  readonly modules: readonly TracedModule[];
  /** Every parameter of the model, used or not, in `named_parameters` order. */
  readonly parameters: readonly TracedParameter[];
  /** Arguments of the model's first call. */
  readonly inputs: readonly TracedInput[];
  readonly norms: readonly TracedNorm[];
  readonly attention: readonly TracedAttention[];
  /** Every dropout of the step, active or not. */
  readonly dropouts: readonly TracedDropout[];
  readonly branches: readonly TracedBranch[];
  readonly gaps: readonly TracedGap[];
  /** Initialisations that missed what they were meant for, while the model was made. */
  readonly missed: readonly TracedMiss[];
  /** Mistakes of training loops in the user's files, whether they ran or not. */
  readonly loops: readonly TracedLoop[];
  /** What the run took for granted. */
  readonly assumptions: readonly TracedAssumption[];
}

/** A mistake of a training loop, at the line that it stands on. */
export interface TracedLoop {
  readonly file: string;
  readonly line: number;
  readonly kind: LoopFault;
  /** What the mistake is about: a call, a name, a number, as it is written. */
  readonly detail: string;
}

export type LoopFault =
  | "kept"
  | "kept-round"
  | "zeroed"
  | "stepped-first"
  | "not-called"
  | "clip-after"
  | "clip-before"
  | "clip-scaled"
  | "added"
  | "eval"
  | "scheduler-first"
  | "scheduler-often"
  | "scheduler-rare"
  | "scheduler-never"
  | "scaler-passed"
  | "scaler-kept"
  | "made-each-time"
  | "spent"
  | "half-eps"
  | "no-warm-up"
  | "graph-kept"
  | "loss-anew"
  | "softened"
  | "log-twice"
  | "replaced";

/** A choice that nobody made, at the line that it concerns. */
export interface TracedAssumption {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** An initialisation that did not reach what it was meant for. */
export type TracedMiss =
  | MissedName
  | MissedFlag
  | LateModules
  | UndoneTie
  | PlainTensor
  | PaddingRow
  | StrayFlag;

interface MissPlace {
  readonly file: string;
  readonly line: number;
  /** What stands on the line. */
  readonly condition: string;
}

/** `if` in a loop over named parameters or modules, whose body never ran. */
export interface MissedName extends MissPlace {
  readonly kind: "name";
  /** The texts that names were compared with. */
  readonly texts: readonly string[];
  /** One of them, or what differs from one by a letter or two. */
  readonly text: string;
  /** Those that have it in their names. */
  readonly parameters: readonly string[];
  /** The standard deviation that the body would have drawn with; null: not known. */
  readonly std: number | null;
}

/** `if hasattr(module, flag)` whose body never ran, though modules have such an attribute. */
export interface MissedFlag extends MissPlace {
  readonly kind: "flag";
  readonly flag: string;
  /** That flag, or one that differs by a letter or two. */
  readonly attribute: string;
  readonly modules: readonly string[];
}

/** `self.apply(…)` of a constructor that made more modules of the kinds it initialises afterwards. */
export interface LateModules extends MissPlace {
  readonly kind: "late";
  /** Their weights, and the standard deviation that PyTorch draws them with. */
  readonly weights: readonly { readonly name: string; readonly std: number }[];
}

/** An assignment that put something else in the place of a parameter that was tied. */
export interface UndoneTie extends MissPlace {
  readonly kind: "tie";
  /** The line that tied both. */
  readonly tiedOn: number | null;
  /** The parameter that is left of the tie, and the one that stands in the place of the other. */
  readonly kept: string;
  readonly other: string;
}

/** An attribute that holds a tensor which is no parameter and no buffer, read outside of its constructor. */
export interface PlainTensor extends MissPlace {
  readonly kind: "plain";
  readonly name: string;
  /** Whether it asks for a gradient, or was drawn at random. */
  readonly holds: "gradient" | "drawn";
}

/** The row of a table of nn.Embedding that belongs to padding. */
export interface PaddingRow {
  readonly kind: "padding";
  /** The table's name among the parameters. */
  readonly name: string;
  readonly row: number;
}

/** `encoder.requires_grad = False` of a module, which has no such flag, or a flag whose name is misspelled. */
export interface StrayFlag extends MissPlace {
  readonly kind: "stray";
  /** The attribute that was set. */
  readonly flag: string;
}

/** A tensor as PyTorch's user sees it; `value` may be of role constant (known on the host). */
export interface TracedTensor {
  readonly value: Value;
  /** PyTorch's name without "torch.": "float32", "complex64". */
  readonly dtype: string;
  /** PyTorch's shape: a complex value has one axis of size 2 more. */
  readonly shape: readonly number[];
  /** A −inf that the script put there on purpose (masked_fill, triu of −inf) may be in it. */
  readonly masked: boolean;
  /** Hooks that its gradient has gone through before it is the one of this tensor; none if absent. */
  readonly hooks?: number;
  /** It is computed once more for the backward pass: this one has no gradient. */
  readonly isUnseen?: true;
}

/** What a hook of the tensor receives. */
export const gradientOfTensor = (
  { value, hooks, isUnseen }: Pick<TracedTensor, "value" | "hooks" | "isUnseen">,
  gradientOf: (value: Value, hooks?: number) => Value | null,
): Value | null => (isUnseen ? null : gradientOf(value, hooks));

export interface TracedValue extends TracedTensor {
  readonly call: TorchCall;
  /** Which output of the call, in order. */
  readonly output: number;
  /** Made by the script that drives the model, not by the model's files. */
  readonly fromScript: boolean;
}

export interface TracedModule {
  /** `named_modules` path; "?Class" for a module that is not registered in the model. */
  readonly path: string;
  readonly class: string;
  /** Where the class is defined, null for torch's own. */
  readonly file: string | null;
  readonly line: number | null;
  readonly calls: readonly TracedModuleCall[];
}

export interface TracedModuleCall {
  /** Position in the order of completion of all module calls. */
  readonly order: number;
  readonly inputs: readonly TracedTensor[];
  /** Tensors in lists, dicts and objects among its arguments, and those given by name: caches, masks. */
  readonly held: readonly TracedTensor[];
  readonly outputs: readonly (TracedTensor & { readonly key: string })[];
  /** Torch calls with id in [firstCall, endCall) ran within it. */
  readonly firstCall: number;
  readonly endCall: number;
}

export interface TracedParameter {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly requiresGrad: boolean;
  /** torch.empty made it, and nothing was written to it before the step. */
  readonly isUnwritten?: boolean;
  /** The graph's input; null where the step did not use it. */
  readonly value: Value | null;
  /** Its numbers at the start of the step. Complete once `whenFilled` of the random jobs resolves. */
  readonly data: Value["data"];
}

export interface TracedInput {
  readonly name: string;
  readonly value: Value;
  readonly dtype: string;
  readonly shape: readonly number[];
}

export interface TracedNorm {
  readonly call: TorchCall;
  readonly kind: "layer_norm" | "rms_norm";
  readonly input: Value;
  /** How many trailing axes are normalised over. */
  readonly axes: number;
  readonly eps: number;
}

export interface TracedAttention {
  readonly call: TorchCall;
  /** [..., heads, queries, keys], rows sum to one unless a row is fully masked. */
  readonly weights: Value;
  /** What softmax was applied to. */
  readonly logits: Value;
  /** The finite numbers that the logits are where no mask hides them; null: not known. */
  readonly scores: Value | null;
}

export interface TracedDropout {
  readonly call: TorchCall;
  readonly input: Value;
  /** The share that is dropped in training. */
  readonly p: number;
}

export interface TracedBranch {
  readonly file: string;
  readonly line: number;
  readonly value: string;
  readonly taken: string;
}

export interface TracedGap {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

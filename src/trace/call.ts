/** The form in which a torch call is declared, and what its `build` works with. */
import type { Value } from "../graph/graph.ts";
import type { DType, Numbers, TensorType } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import type { FillEdit, Generator, GeneratorState } from "../random/generator.ts";
import type { Bound, Params, Scalar } from "./arguments.ts";
import type { TorchType } from "./promotion.ts";
import type { StepDraw } from "./session.ts";
import type { Store } from "./store.ts";
import type { Tensor } from "./tensor.ts";

/** Where Python finds the call. "Tensor" makes it a method too. */
export type Namespace =
  | "torch"
  | "Tensor"
  | "torch.nn.functional"
  | "torch.special"
  | "torch.linalg"
  | "torch.fft"
  | "torch._C";

/** The result, or one of several. */
export type SavedResult = "result" | "result0" | "result1";

export interface CallSpec<P extends Params = Params> {
  /** Last part of PyTorch's name. */
  readonly name: string;
  /** Where another call has the same name: a method whose arguments stand in another order. */
  readonly key?: string;
  readonly in: readonly Namespace[];
  /** In the order of PyTorch's signature. */
  readonly params: P;
  /** `name_` exists too: the result overwrites the first tensor. */
  readonly inPlace?: boolean;
  /**
   * In place, the other tensors are read while the first is written: none of it may be theirs. This
   * is looked at after the other arguments, or at once.
   */
  readonly reads?: boolean | "at once";
  /** In place, what one element becomes is the same wherever it is shown. */
  readonly fills?: boolean | ((args: Bound<P>) => boolean);
  /** In place, autograd follows a result of any type ("all"), or none. */
  readonly follows?: "all" | "nothing";
  /** Edits its first tensor itself. */
  readonly edits?: boolean;
  /** And looks at its other arguments before it refuses to. */
  readonly refusesLate?: boolean;
  /** Names of the results, where PyTorch gives a named tuple. */
  readonly returns?: readonly string[];
  /** Arguments (or results) that PyTorch's backward needs unedited. */
  readonly saves?:
    | readonly (Extract<keyof P, string> | SavedResult)[]
    | ((
        args: Bound<P>,
        requiresGrad: (tensor: Tensor) => boolean,
      ) => readonly (Extract<keyof P, string> | SavedResult)[]);
  /** In place it is the result that PyTorch's backward needs, instead of `saves`. */
  readonly savesResultInPlace?: boolean;
  /** Each saved argument is needed only where another argument requires a gradient: products. */
  readonly savesForOthers?: boolean;
  /**
   * Which arguments (or "result") the gradient of each argument needs, where that is not the same;
   * of those, the ones in `saves` where that is said too.
   */
  readonly savesFor?: {
    readonly [K in Extract<keyof P, string>]?: readonly (Extract<keyof P, string> | SavedResult)[];
  };
  /** Tensors that PyTorch's backward needs unedited, where that hangs on which of them require a gradient. */
  savesOf?(args: Bound<P>, requiresGrad: (tensor: Tensor) => boolean): readonly Tensor[];
  /** −inf in an argument stays −inf in the result. */
  readonly keepsMask?: boolean;
  /** What `name_` does to each number where no other tensor takes part; null: one does. */
  fillEdit?(args: Bound<P>): FillEdit | null;
  /** Moves elements only: half precision needs no wider arithmetic. */
  readonly moves?: boolean;
  build(ctx: CallContext, args: Bound<P>): Result;
}

/**
 * What a call gives: a value (of half type where the arguments are half), a value with its torch
 * type said, a tensor that exists (a view, an edited argument), or several.
 */
export type Result = Value | Tensor | Typed | readonly Result[];

export interface Typed {
  readonly typed: Value;
  readonly as: TorchType;
  readonly masked?: boolean;
  /** Where the call says itself how its result lies in memory; else layout/rules.ts does. */
  readonly strides?: readonly number[] | null;
  /** PyTorch gives a view of a tensor that nobody holds. */
  readonly hasHiddenBase?: boolean;
  /** PyTorch leaves the conjugate to be computed later. */
  readonly conjugated?: boolean;
}

/** Tensors that a call gave, in order; `named` where PyTorch gives a named tuple. */
export type Given = Tensor | null | readonly Given[];

export interface CallContext {
  readonly emit: Emitter;
  readonly store: Store;
  readonly generator: Generator;
  /** Within a module's forward: what is drawn outside of all modules is the script's batch. */
  readonly inModule: boolean;
  /** Numbers that were drawn: an input that every step of training draws anew, else a constant. */
  drawn(type: TensorType, data: Numbers, draw: StepDraw["draw"]): Value;
  /** The script's own batch: where the step is taken once more, what the first one drew. */
  batch(type: TensorType, data: Numbers, before: GeneratorState): Value;
  readonly defaultFloat: DType;
  /** The type that torch.autocast computes in; null: it is off. */
  readonly autocast: DType | null;
  /** Constant arguments are numbers now: construction, or a constant subexpression. */
  readonly inStep: boolean;
  /** Whether an axis of this size is to stay free. */
  isFree(size: number): boolean;
  /** Only shapes are asked for: nothing is drawn, and nothing needs memory. */
  readonly countsOnly: boolean;
  /** The result overwrites the first tensor: `name_` is running. */
  readonly inPlace: boolean;
  /** The tensor's value, half precision as float32. */
  read(tensor: Tensor): Value;
  /** The operand in the type that `type` computes in; complex as pairs. */
  as(operand: Tensor | Scalar, type: TorchType): Value;
  /** torch.result_type of the operands. */
  promote(...operands: readonly (Tensor | Scalar | null)[]): TorchType;
  /** `promote`, integers becoming the default float type. */
  promoteToFloat(...operands: readonly (Tensor | Scalar | null)[]): TorchType;
  /** Facts about the call for the report. */
  noteNorm(note: {
    kind: "layer_norm" | "rms_norm";
    input: Value;
    axes: number;
    eps: number;
  }): void;
  noteAttention(note: { weights: Value; logits: Value; scores: Value | null }): void;
  noteDropout(input: Tensor, p: number): void;
}

export function torchCall<const P extends Params>(spec: CallSpec<P>): CallSpec<P> {
  return spec;
}

/** A call whose parameter types are no longer known. */
export type AnyCall = Omit<
  CallSpec,
  "build" | "fills" | "saves" | "savesFor" | "savesOf" | "fillEdit"
> & {
  readonly fills?: boolean | ((args: never) => boolean);
  readonly saves?:
    | readonly string[]
    | ((args: never, requiresGrad: (tensor: Tensor) => boolean) => readonly string[]);
  readonly savesFor?: Readonly<Record<string, readonly string[]>>;
  savesOf?(args: never, requiresGrad: (tensor: Tensor) => boolean): readonly Tensor[];
  fillEdit?(args: never): FillEdit | null;
  build(ctx: CallContext, args: never): Result;
};

export const isTyped = (result: Result): result is Typed =>
  typeof result === "object" && "typed" in result;
export const isValue = (result: Result): result is Value =>
  typeof result === "object" && "role" in result;

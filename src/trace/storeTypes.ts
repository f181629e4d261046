/** What the store offers: see store.ts. */
import type { Origin, Value } from "../graph/graph.ts";
import type { Numbers, TensorType } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import type { FillEdit } from "../random/generator.ts";
import type { NumbersJob } from "../weights/jobs.ts";
import type { DTypeArg } from "./arguments.ts";
import type { HeldTensors } from "./heldTensors.ts";
import type { Negated, Storage, Tensor, VersionCounter, ViewStep } from "./tensor.ts";

export interface Store extends HeldTensors {
  /** The graph that values are read into. */
  emit: Emitter;
  /** Parameters enter the graph as inputs only here; in construction they are numbers. */
  inStep: boolean;
  /** What is made is an inference tensor (torch.inference_mode). */
  inference: boolean;
  /** `numbers` in the order of memory, which `strides` give: row by row where there are none. */
  fromNumbers(
    type: DTypeArg,
    shape: readonly number[],
    numbers: Numbers | null,
    strides?: readonly number[] | null,
  ): Tensor;
  /** A tensor with `value`, whose own elements lie row by row whatever the strides. */
  fromValue(value: Value, isComplex: boolean, strides?: readonly number[] | null): Tensor;
  /** A view of `parent`; `value` where its value has been made already (one part of a Split). */
  view(parent: Tensor, window: Window, step: ViewStep, value?: Value): Tensor;
  /** The tensor's value now: a constant, an input, or what nodes made. */
  read(tensor: Tensor): Value;
  /** Whether a complex tensor was read as this value: its last axis has the parts. */
  isComplexValue(value: Value): boolean;
  /** Whether reading it would be refused: its base was edited since it was taken. */
  isStale(tensor: Tensor): boolean;
  /** Replaces all elements. `value` has the tensor's element type and shape. */
  write(tensor: Tensor, value: Value): void;
  /** A view that was edited itself may be read on: only edits by others count against it. */
  noteOwnEdit(tensor: Tensor): void;
  /** Numbers of the whole tensor, drawn or read when somebody needs them. */
  fill(tensor: Tensor, job: NumbersJob): void;
  /** Edits all of the tensor's numbers, where they are still to be drawn; false: they are not. */
  editFill(tensor: Tensor, edit: FillEdit): boolean;
  /** Row-major numbers; computed by the runtime where only the graph knows them. */
  numbers(tensor: Tensor): Numbers;
  /** Other numbers in place of those that nothing has read yet; row by row. */
  setNumbers(tensor: Tensor, numbers: Numbers): void;
  /** A step begins: the numbers of a buffer are kept, whatever the step makes of it. */
  hold(storage: Storage): void;
  /** A step is over: a buffer holds the numbers that it made of it, or those before it. */
  settle(storage: Storage, keeps: boolean): void;
  /** The same for what is a parameter as well: it holds what the step made of it. */
  settleEdited(storage: Storage): void;
  /** Whether `numbers` costs nothing. */
  isKnown(tensor: Tensor): boolean;
  /** Row-major numbers of what is known, and of a view of that; null of what nodes compute. */
  shown(tensor: Tensor): Numbers | null;
  requiresGrad(tensor: Tensor): boolean;
  /** Whether nothing made it that autograd follows; so are views that are taken under no_grad. */
  isLeaf(tensor: Tensor): boolean;
  /** Cuts the history of what is no view: its views require a gradient as before. */
  detachInPlace(tensor: Tensor): void;
  /** Makes `tensor` stand for its storage, what stood for it becoming a detached view of it. */
  makeRoot(tensor: Tensor): void;
  /** Makes `tensor` a leaf that requires a gradient; its history ends here. */
  makeLeaf(tensor: Tensor): void;
  /** Views of a tensor that becomes another one are views of what it was. */
  keepViews(tensor: Tensor): void;
  /** Gives `tensor` the value of `source` and keeps its history: assignment to .data in the step. */
  replace(tensor: Tensor, source: Tensor): void;
  /** By the id of their value, leaves that were turned in place though a graph rests on them. */
  readonly turnedLeaves: Map<number, Tensor>;
  readonly pendingFills: Map<Storage, NumbersJob>;
}

export interface Window {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  readonly isComplex?: boolean;
  readonly dtype?: Tensor["dtype"];
  readonly conjugated?: boolean;
  readonly negated?: Negated;
  /** `.data` has a version counter of its own. */
  readonly version?: VersionCounter;
}

/** Where and how a view was taken: it is taken again in the same way. */
export interface Creation {
  readonly origin: Origin;
  readonly gradMode: boolean;
  readonly epoch: number;
  /** The version counter, which edits of .data do not count. */
  readonly version: number;
}

export interface StoreHooks {
  /** Numbers of a value that only the runtime can compute. */
  evaluate(value: Value): Numbers;
  /** Whether a value of this type has an axis whose size is to stay free. */
  isFree(type: TensorType): boolean;
  /** A parameter or an argument of the model became an input of the graph. */
  entered(tensor: Tensor, value: Value): void;
}

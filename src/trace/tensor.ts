/**
 * What a torch.Tensor is here: a strided window on a storage. In construction a storage holds numbers
 * and views really alias them; once the step has touched it, a storage holds a value of the graph and
 * a view is one step from its parent tensor, taken again after an edit.
 */
import { invariant } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { type DType, type Numbers, numel, sameShape } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import type { NumbersJob } from "../weights/jobs.ts";

export interface Storage {
  readonly dtype: DType;
  /** Elements of `dtype`; a complex element is two. */
  readonly length: number;
  /** In the order of the root's memory, allocated at the first need; null once `value` is what counts. */
  numbers: Numbers | null;
  /** Numbers of the whole storage, drawn or read, that nobody has needed yet. */
  pending: NumbersJob | null;
  /** `numbers` belong to a constant of the graph: the next edit copies them. */
  captured: boolean;
  /** What the numbers were when the step began, of a buffer of a model that is trained. */
  held: Pick<Storage, "numbers" | "pending"> | null;
  /** The root's value in the graph: its elements row by row, whatever its strides. */
  value: Value | null;
  /** Counts edits, whoever made them. */
  epoch: number;
  /** The tensor that covers the storage. */
  root: Tensor;
  /** Made by torch.empty: PyTorch leaves what the memory held until the first edit. */
  isEmpty: boolean;
  /** No floats, and yet autograd follows them: what was compared in place with what requires a gradient, or filled by it. */
  isFollowed: boolean;
  /** How the step computes what construction computed of parameters; null: it is numbers alone. */
  remake: Remake | null;
}

export interface Remake {
  readonly run: () => Value;
  /** The graph that has it already. */
  within: Emitter | null;
}

/** A storage of numbers that no graph has seen. */
export const unread = {
  pending: null,
  captured: false,
  held: null,
  value: null,
  epoch: 0,
  isEmpty: false,
  isFollowed: false,
  remake: null,
} as const;

/** Whether nothing was ever written to what torch.empty made. */
export const isUnwritten = ({ storage }: Tensor): boolean => storage.isEmpty && storage.epoch === 0;

/** A shape, and how far apart in memory its neighbours lie. */
export interface Laid {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** PyTorch's version counter: shared by views and `detach`, not by `.data`. */
export interface VersionCounter {
  count: number;
  /** Of what inference_mode has made, which autograd keeps out. */
  readonly isInference?: true;
}

export interface Tensor {
  readonly id: number;
  dtype: DType;
  /** Pairs on a last axis that `shape` and `strides` leave out; strides count complex elements. */
  isComplex: boolean;
  shape: readonly number[];
  strides: readonly number[];
  offset: number;
  storage: Storage;
  version: VersionCounter;
  /** The tensor that this is a view of, and how; null for a root. */
  parent: Tensor | null;
  step: ViewStep | null;
  /** The last value that was read, the storage's epoch then, and the graph. */
  cached: { readonly value: Value; readonly epoch: number; readonly emit: Emitter } | null;
  /** requires_grad of a leaf, as the user set it. */
  leafRequiresGrad: boolean;
  /** Enters the graph as an input of its own rather than as a constant. */
  entersAs: "parameter" | "input" | null;
  name: string | null;
  /** Holds −inf that the script put there on purpose. */
  masked: boolean;
  /** PyTorch keeps this conjugate to be computed later. */
  conjugated: boolean;
  /** What it shows with another sign than its memory has it: a conjugate is a view. */
  negated: Negated;
  /** In PyTorch it is a view of a tensor that nobody holds. */
  hasHiddenBase: boolean;
  /** The version in which it was taken as a view, or turned in place. */
  takenAt: number;
  /** A view that was used since its base requires a gradient. */
  inGraph: boolean;
  /** Its base was detached in place: it still requires a gradient, and one that arrives goes nowhere. */
  isCutOff: boolean;
  takenAs: TakenAs;
}

/**
 * What PyTorch remembers of how a view was taken, or one that it is a view of: of the last two kinds
 * autograd follows no edit. A detached tensor is no view to it.
 */
export type TakenAs = "view" | "one of many" | "under no_grad" | "of a function";

export type Negated = "nothing" | "imaginary parts" | "all";

/** What PyTorch has left to be computed later. */
export function lazySign({ conjugated, negated }: Tensor): "conj" | "neg" | null {
  if (conjugated) return "conj";
  return negated === "all" ? "neg" : null;
}

/** What is true of a tensor that nothing was done with yet. */
export const untouched = {
  cached: null,
  leafRequiresGrad: false,
  entersAs: null,
  name: null,
  masked: false,
  conjugated: false,
  negated: "nothing",
  hasHiddenBase: false,
  takenAt: 0,
  inGraph: false,
  isCutOff: false,
  takenAs: "view",
} as const;

/** How a view is taken from its parent's value, and an edit of it put back. */
export interface Movement {
  apply(emit: Emitter, parent: Value): Value;
  /** The parent's value with the view's part replaced. */
  write(emit: Emitter, parent: Value, part: Value): Value;
}

export interface ViewStep extends Movement {
  /** PyTorch's name of the call. */
  readonly name: string;
  /** The same after an edit that is counted, where PyTorch then takes the view of the whole base. */
  applyAnew?(emit: Emitter, parent: Value): Value;
  /** Identity whose gradient is cut: detach, .data. */
  readonly detaches?: boolean;
  /** The tensor itself, turned in place: its parent is what it was before. */
  readonly turns?: boolean;
  /** Of turns that the gradient does not see: all of them. */
  readonly unseen?: Movement;
  /** How the parent was turned since, where the gradient saw nothing. */
  readonly parentTurn?: Movement;
  /** One of several views that one call gave: PyTorch refuses edits of it, and of its base. */
  readonly oneOfMany?: { readonly call: string; readonly output: number };
}

export function takenAs(parent: Tensor, step: ViewStep, gradMode: boolean): TakenAs {
  if (step.detaches) return "view";
  if (!gradMode) return "under no_grad";
  return step.oneOfMany ? "one of many" : parent.takenAs;
}

/** PyTorch looks up where a view comes from when it is used, not when its base is edited. */
export function noteInGraph(tensor: Tensor): void {
  if (tensor.parent !== null && tensor.takenAs === "view")
    tensor.inGraph ||= tensor.storage.value?.requiresGrad === true;
}

/** The view of its parent's value. */
export function taken(view: Tensor, emit: Emitter, parent: Value): Value {
  const { step } = view;
  invariant(step, "a view has a step");
  const isAnew = view.takenAt < view.version.count;
  return isAnew && step.applyAnew ? step.applyAnew(emit, parent) : step.apply(emit, parent);
}

/** From an edit on, a view and those that it is one of are looked up in their base. */
export function takeAnew(view: Tensor): void {
  for (const at of chainOf(view))
    if (at.step?.applyAnew && !at.step.detaches && !at.step.unseen)
      Object.assign(at, { cached: null, takenAt: -1 });
}

/** An edit that autograd sees of what was turned where it saw nothing: it knows the new shape. */
export function noteTurns(edited: Tensor): void {
  for (const at of chainOf(edited)) {
    const { step } = at;
    if (step?.unseen && !step.applyAnew) at.step = { name: step.name, turns: true, ...step.unseen };
  }
}

/** A view, what it is one of, and so on, without the root. */
export function chainOf(view: Tensor): Tensor[] {
  const chain: Tensor[] = [];
  for (let at = view; at.parent !== null; at = at.parent) chain.push(at);
  return chain;
}

/** Views of `tensor` among those that are held, or that one of these is a view of. */
export function viewsOf(held: Iterable<Tensor>, tensor: Tensor): Tensor[] {
  const views = new Set<Tensor>();
  for (const one of held)
    for (let at: Tensor | null = one; at !== null; at = at.parent)
      if (at.parent === tensor) views.add(at);
  return [...views];
}

/** What `tensor` was before it was turned in place, these steps among its parents. */
export function beforeTurns(tensor: Tensor): Tensor {
  let at = tensor;
  while (at.parent !== null && at.step?.turns) at = at.parent;
  return at;
}

/** Axes along which one element of memory is shown several times. */
export const repeatedAxes = ({ shape, strides }: Tensor): number[] =>
  shape.flatMap((size, axis) => (size > 1 && strides[axis] === 0 ? [axis] : []));

/** The shape of the value that holds the tensor in the graph. */
export const valueShape = (tensor: { isComplex: boolean; shape: readonly number[] }) =>
  tensor.isComplex ? [...tensor.shape, 2] : tensor.shape;

/** Whether its history is cut somewhere between it and its root. */
export function isDetached(tensor: Tensor): boolean {
  for (let at: Tensor | null = tensor; at !== null; at = at.parent)
    if (at.step?.detaches) return true;
  return false;
}

/** Whether elements lie in row-major order without gaps. */
export function isContiguous(shape: readonly number[], strides: readonly number[]): boolean {
  if (shape.includes(0)) return true;
  let expected = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] as number;
    if (size !== 1 && strides[axis] !== expected) return false;
    expected *= size;
  }
  return true;
}

/** Whether the elements fill a stretch of memory, each at a place of its own. */
export function isDense({ shape, strides }: Laid): boolean {
  if (shape.includes(0)) return true;
  const axes = shape
    .map((size, axis) => ({ size, stride: strides[axis] as number }))
    .filter(({ size }) => size !== 1)
    .sort((a, b) => a.stride - b.stride);
  let next = 1;
  for (const { size, stride } of axes) {
    if (stride !== next) return false;
    next *= size;
  }
  return true;
}

/** Whether both have the same axes in the same order of memory. */
export const isLaidAs = (a: Laid, b: Laid): boolean =>
  sameShape(a.shape, b.shape) && sameShape(a.strides, b.strides);

/** Whether an element of the one is an element of the other. */
export const isOfSameElements = (a: Tensor, b: Tensor): boolean =>
  a.isComplex === b.isComplex &&
  a.dtype === b.dtype &&
  a.conjugated === b.conjugated &&
  a.negated === b.negated;

/** Whether both show the same elements at the same places. */
export const isSameWindow = (a: Tensor, b: Tensor): boolean =>
  a.storage === b.storage && a.offset === b.offset && isLaidAs(a, b) && isOfSameElements(a, b);

/** Its elements are those of its storage, all of them. */
export const fillsStorage = (tensor: Tensor): boolean =>
  tensor.offset === 0 &&
  tensor.dtype === tensor.storage.dtype &&
  tensor.negated === "nothing" &&
  numel(valueShape(tensor)) === tensor.storage.length &&
  isDense(tensor);

/** And in order. */
export const coversStorage = (tensor: Tensor): boolean =>
  isContiguous(tensor.shape, tensor.strides) && fillsStorage(tensor);

/** What a step has made of a storage says nothing any more: its numbers count. */
export function forget(storage: Storage): void {
  storage.value = null;
  storage.captured = false;
  storage.epoch++;
  storage.root.cached = null;
}

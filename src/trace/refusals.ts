/** Edits and reads that PyTorch refuses, in its words. */
import { torchError } from "../errors.ts";
import { isFloat, numel, sameShape } from "../graph/tensor.ts";
import { offsets, showsTwice, writingOrder } from "./elements.ts";
import { editUnderLeaf, refuseEditOfLeafWindow } from "./leafWindows.ts";
import { isFormerRoot } from "./passThrough.ts";
import type { Store } from "./store.ts";
import {
  isDense,
  isDetached,
  isSameWindow,
  repeatedAxes,
  type TakenAs,
  type Tensor,
} from "./tensor.ts";
import { broadcastsTo, expandedStrides } from "./views.ts";

const oneOrTheOther =
  "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).";
const noEditOfMany =
  "This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.";
const noEditOfFunction =
  "This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function.";
const editOfLeafView =
  "a view of a leaf Variable that requires grad is being used in an in-place operation.";

const editOfLeaf = "a leaf Variable that requires grad is being used in an in-place operation.";

const editOfInference =
  "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.";

const refused = (text: string) => torchError("RuntimeError", text);

/**
 * Throws where `target` may not be edited now by what `sources` give. `ofPart`: what is edited is a
 * view of `target`; `followsAll`: autograd follows the edit also of what is no float.
 */
export function refuseEdit(
  store: Store,
  target: Tensor,
  sources: readonly Tensor[],
  { ofPart = false, followsAll = false } = {},
): void {
  if (target.version.isInference && !store.inference) throw refused(editOfInference);
  refuseEditOfLeafWindow(target);
  if (!store.emit.gradMode) return;
  const isFollowed =
    (followsAll || isFloat(target.dtype)) && [target, ...sources].some(store.requiresGrad);
  if (target.takenAs !== "view" && isFollowed) throw editOfView(target, "is being");
  if (target.leafRequiresGrad) throw refused(ofPart ? editOfLeafView : editOfLeaf);
  let base = target;
  for (; base.parent !== null && !base.step?.detaches; base = base.parent)
    if (base.parent.leafRequiresGrad) throw refused(editOfLeafView);
  // PyTorch computes the leaf from the edited memory then: it is none any more.
  if (isFollowed && base.parent?.leafRequiresGrad && isFormerRoot(base)) throw editUnderLeaf();
  // A base that was detached in place is a leaf; views that were taken before are none.
  if (base !== target && store.requiresGrad(target) && !store.requiresGrad(base))
    throw refused(editOfLeafView);
  if (!ofPart) refuseUnseen(store, target);
}

/** A view that nobody has used since its base began to require a gradient counts as a leaf. */
export function refuseUnseen(store: Store, target: Tensor): void {
  if (target.parent === null || target.inGraph || !store.emit.gradMode) return;
  if (!isDetached(target) && store.requiresGrad(target)) throw refused(editOfLeaf);
}

export const detachOfView = () =>
  refused(
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.",
  );

const staleReads = new WeakSet<Error>();

/** Why `view` may not be read any more, its base having been edited since it was taken. */
export function staleRead(view: Tensor): Error | null {
  if (view.takenAs === "view") return null;
  const refusal = editOfView(view, "its base or another view of its base has been");
  staleReads.add(refusal);
  return refusal;
}

/** What passed a module's backward hooks may not be edited from then on, not under no_grad either. */
export const isEditedUnseen = ({ takenAs, takenAt, version, parent, storage }: Tensor): boolean =>
  takenAs === "of a function" &&
  parent === null &&
  takenAt < version.count &&
  storage.value?.requiresGrad === true;

export const isStaleRead = (error: unknown): boolean =>
  error instanceof Error && staleReads.has(error);

const advice: Readonly<Record<TakenAs, string>> = {
  view: oneOrTheOther,
  "one of many": noEditOfMany,
  "under no_grad": oneOrTheOther,
  "of a function": noEditOfFunction,
};

/** What PyTorch says of an edit of `view`, or of its base, that autograd cannot follow. */
function editOfView(view: Tensor, edited: string): Error {
  const unseen =
    view.takenAs === "under no_grad" || (!view.inGraph && view.takenAs !== "of a function");
  const output = `Output ${view.step?.oneOfMany?.output ?? 0} of ${functionOf(view)} is a view`;
  const without = `${view.inGraph ? `${output} of a view which was` : "A view was"} created in no_grad mode and`;
  return refused(
    [
      unseen ? without : `${output} and`,
      `${edited} modified inplace${unseen ? " with grad mode enabled" : ""}.`,
      advice[view.takenAs],
    ].join(" "),
  );
}

/** PyTorch's name of the call that gave a view. */
function functionOf({ step, shape, parent, takenAs }: Tensor): string {
  if (step === null && takenAs === "of a function") return "BackwardHookFunction";
  if (step?.oneOfMany) return step.oneOfMany.call;
  if (step?.name === "slice" && shape.length < (parent?.shape.length ?? 0)) return "Select";
  return pascalCase(step?.name ?? "view");
}

const pascalCase = (name: string): string =>
  name
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/**
 * How a call reads what it does not edit: place by place as it writes, to compute of it or to copy it,
 * or in an order of its own.
 */
export type Reading = "computes" | "copies" | "apart";

/**
 * Throws where elements of `source` lie in the memory that is written. The very same elements under
 * the very same strides may, unless they are read apart. PyTorch does not look into windows with gaps.
 */
export function refuseOverlap(target: Tensor, source: Tensor, reading: Reading = "computes"): void {
  if (source === target) {
    if (reading === "apart") throw overlap();
    return;
  }
  if (!sharesMemory(source, target)) return;
  if (!isDense(source) || !isDense(target)) {
    if (readsWhatItWrote(target, source, reading)) throw readWhileWritten();
    return;
  }
  const [a, b] = [extent(source), extent(target)];
  const isSame =
    a.first === b.first && a.last === b.last && sameShape(source.strides, target.strides);
  if (isSame && reading !== "apart") return;
  throw overlap();
}

/** Whether the stretches of memory that both reach over meet. */
export function sharesMemory(one: Tensor, other: Tensor): boolean {
  if (one.storage !== other.storage || numel(one.shape) === 0 || numel(other.shape) === 0)
    return false;
  const [a, b] = [extent(one), extent(other)];
  return b.first <= a.last && a.first <= b.last;
}

/** Whether an element of `source` is read after it has become another one of `target`'s. */
function readsWhatItWrote(target: Tensor, source: Tensor, reading: Reading): boolean {
  if (source.dtype !== target.dtype || source.isComplex !== target.isComplex) return false;
  const { offset, shape } = source;
  if (reading === "apart") {
    const written = new Set(offsets(target));
    return offsets(source).some((element) => written.has(element));
  }
  if (!broadcastsTo(shape, target.shape)) return false;
  const [to, from] = [
    offsets(target),
    offsets({ offset, shape: target.shape, strides: expandedStrides(source, target.shape) }),
  ];
  const written = new Set<number>();
  return writingOrder(target).some((place) => {
    const [element, read] = [to[place] as number, from[place] as number];
    const isWritten = written.has(read);
    if (reading !== "copies" || element !== read) written.add(element);
    return isWritten;
  });
}

const readWhileWritten = () =>
  torchError(
    "UnsupportedCall",
    "reading elements of memory that the same call writes is not supported: what PyTorch gives hangs on how many numbers the processor takes at once",
    "Give the call a clone() of what it reads",
  );

const overlap = () =>
  refused(
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.",
  );

/**
 * Throws where one element of memory is several of the target's. Filling it is no matter.
 * `computing`: the call computes new numbers from those that are there, which PyTorch does as often
 * as an element is shown.
 */
export function refuseInnerOverlap(tensor: Tensor, computing: string | false = false): void {
  if (numel(tensor.shape) === 0) return;
  if (repeatedAxes(tensor).length > 0) throw shownTwice();
  if (computing && showsTwice(tensor))
    throw torchError(
      "UnsupportedCall",
      `${computing} of a window that shows an element twice is not supported`,
    );
}

/** Both for a copy of `value`, which is broadcast; onto the very same elements it is none. */
export function refuseCopy(target: Tensor, value: Tensor): void {
  const spread = spreadOver(target, value);
  if (isSameWindow(target, spread)) return;
  refuseInnerOverlap(target);
  refuseOverlap(target, spread, "copies");
}

/** `value` as it is broadcast to be copied into an index of another shape. */
function spreadOver({ shape }: Tensor, value: Tensor): Tensor {
  if (sameShape(shape, value.shape)) return value;
  const ones = value.shape.findIndex((size) => size !== 1);
  const own = value.shape.slice(ones < 0 ? value.shape.length : ones);
  if (own.length > shape.length) return value;
  const strides = value.strides.slice(value.strides.length - own.length);
  return { ...value, shape, strides: expandedStrides({ shape: own, strides }, shape) };
}

export const shownTwice = () =>
  refused(
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.",
  );

function extent({ shape, strides, offset }: Tensor): { first: number; last: number } {
  const length = shape.reduce((n, size, axis) => n + (size - 1) * (strides[axis] as number), 0);
  return { first: offset, last: offset + length };
}

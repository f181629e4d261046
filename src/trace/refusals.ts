/** Edits and reads that PyTorch refuses, in its words. */
import { torchError } from "../errors.ts";
import { isFloat, numel } from "../graph/tensor.ts";
import { showsTwice } from "./elements.ts";
import type { Store } from "./store.ts";
import { isDense, isDetached, isSameWindow, repeatedAxes, type Tensor } from "./tensor.ts";

const oneOrTheOther =
  "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).";
const noEditOfMany =
  "This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.";
const editOfLeafView =
  "a view of a leaf Variable that requires grad is being used in an in-place operation.";

const editOfLeaf = "a leaf Variable that requires grad is being used in an in-place operation.";

const refused = (text: string) => torchError("RuntimeError", text);

/**
 * Throws where `target` may not be edited now by what `sources` give. `ofPart`: what is edited is a
 * view of `target`.
 */
export function refuseEdit(
  store: Store,
  target: Tensor,
  sources: readonly Tensor[],
  ofPart = false,
): void {
  if (!store.emit.gradMode) return;
  const isFollowed = isFloat(target.dtype) && [target, ...sources].some(store.requiresGrad);
  if (target.takenAs !== "view" && isFollowed) throw editOfView(target, "is being");
  if (target.leafRequiresGrad) throw refused(ofPart ? editOfLeafView : editOfLeaf);
  let base = target;
  for (; base.parent !== null && !base.step?.detaches; base = base.parent)
    if (base.parent.leafRequiresGrad) throw refused(editOfLeafView);
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

/** Why `view` may not be read any more, its base having been edited since it was taken. */
export const staleRead = (view: Tensor): Error | null =>
  view.takenAs === "view"
    ? null
    : editOfView(view, "its base or another view of its base has been");

/** What PyTorch says of an edit of `view`, or of its base, that autograd cannot follow. */
function editOfView(view: Tensor, edited: string): Error {
  const unseen = view.takenAs === "under no_grad" || !view.inGraph;
  const output = `Output ${view.step?.oneOfMany?.output ?? 0} of ${functionOf(view)} is a view`;
  const without = `${view.inGraph ? `${output} of a view which was` : "A view was"} created in no_grad mode and`;
  return refused(
    [
      unseen ? without : `${output} and`,
      `${edited} modified inplace${unseen ? " with grad mode enabled" : ""}.`,
      view.takenAs === "one of many" ? noEditOfMany : oneOrTheOther,
    ].join(" "),
  );
}

/** PyTorch's name of the call that gave a view. */
function functionOf({ step, shape, parent }: Tensor): string {
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
 * Throws where elements of `source` lie in the memory that is written. The very same elements are
 * allowed unless `wholly`. Windows with gaps are not looked into, as PyTorch does not.
 */
export function refuseOverlap(target: Tensor, source: Tensor, wholly = false): void {
  if (source === target) {
    if (wholly) throw overlap();
    return;
  }
  if (source.storage !== target.storage || numel(source.shape) === 0 || numel(target.shape) === 0)
    return;
  if (!isDense(source) || !isDense(target)) return;
  const [a, b] = [extent(source), extent(target)];
  if (a.last < b.first || b.last < a.first) return;
  const isSame = a.first === b.first && a.last === b.last && order(source) === order(target);
  if (isSame && !wholly) return;
  throw overlap();
}

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

/** The same for a copy of `value`, which is broadcast; onto the very same elements it is none. */
export function refuseCopy(target: Tensor, value: Tensor): void {
  if (!isSameWindow(target, spreadAs(target, value))) refuseInnerOverlap(target);
}

/** `value` as it is broadcast to be copied into `view`. */
const spreadAs = ({ shape }: Tensor, value: Tensor): Tensor => {
  const extra = shape.length - value.shape.length;
  const strides = shape.map((size, axis) =>
    size === value.shape[axis - extra] ? (value.strides[axis - extra] as number) : 0,
  );
  return { ...value, shape, strides };
};

export const shownTwice = () =>
  refused(
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.",
  );

/** The strides of the axes that have more than one place. */
const order = ({ shape, strides }: Tensor): string =>
  strides.filter((_, axis) => shape[axis] !== 1).join();

function extent({ shape, strides, offset }: Tensor): { first: number; last: number } {
  const length = shape.reduce((n, size, axis) => n + (size - 1) * (strides[axis] as number), 0);
  return { first: offset, last: offset + length };
}

/** Windows of memory that became leaves, which have a copy of it here: the rest may not be edited under them. */
import { torchError } from "../errors.ts";
import { offsets, type Stretch } from "./elements.ts";
import { isFormerRoot } from "./passThrough.ts";
import type { Store } from "./storeTypes.ts";
import { fillsStorage, type Storage, type Tensor } from "./tensor.ts";

const taken = new WeakMap<Storage, Stretch[]>();

/** `tensor` is about to have a storage of its own in place of this window. */
export function noteLeafWindow({ storage, shape, strides, offset }: Tensor): void {
  const windows = taken.get(storage) ?? [];
  taken.set(storage, [...windows, { shape, strides, offset }]);
}

/** Throws where an edit of `target` would be an edit of such a leaf as well. */
export function refuseEditOfLeafWindow(target: Tensor): void {
  const windows = taken.get(target.storage);
  if (!windows) return;
  const places = new Set(offsets(target));
  if (!windows.some((window) => offsets(window).some((place) => places.has(place)))) return;
  throw editUnderLeaf();
}

export const editUnderLeaf = (): Error =>
  torchError(
    "UnsupportedCall",
    "editing memory of which a leaf shows a part (requires_grad_(), nn.Parameter) is not supported",
    "Edit it before, or give the leaf a clone() of its part",
  );

/** Whether a new leaf takes its memory over: it shows all of it, and no leaf that the step reads has it. */
export const takesMemory = (tensor: Tensor, inStep: boolean): boolean =>
  fillsStorage(tensor) && !(inStep && isFormerRoot(tensor));

/**
 * Of parameters that share their memory (`head.weight.data = table.weight.data`) each is a leaf of its own in
 * the step, as in PyTorch. Edits of the memory then are refused, and so is `trained`: one would have to follow
 * the other.
 */
export function separateLeaves(
  store: Store,
  parameters: readonly { readonly tensor: Tensor; readonly name: string }[],
  trained: boolean,
): void {
  for (const { tensor, name } of parameters) {
    if (tensor.entersAs === null || !isFormerRoot(tensor)) continue;
    if (trained) throw trainingOfShared(name);
    store.keepViews(tensor);
    store.makeRoot(tensor);
    noteLeafWindow(tensor);
  }
}

const trainingOfShared = (name: string) =>
  torchError(
    "UnsupportedCall",
    `training of ${name}, which shares its memory with another parameter (.data, nn.Parameter), is not supported`,
    "Assign the parameter itself where one stands for both: head.weight = table.weight",
  );

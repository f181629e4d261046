/** Windows of memory that became leaves, which have a copy of it here: the rest may not be edited under them. */
import { torchError } from "../errors.ts";
import { offsets, type Stretch } from "./elements.ts";
import type { Storage, Tensor } from "./tensor.ts";

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

/** Leaves that require no gradient for a while, and then do again. */
import type { Value } from "../graph/graph.ts";
import { detachStep } from "./passThrough.ts";
import type { Store } from "./storeTypes.ts";
import type { Storage, Tensor } from "./tensor.ts";

export function frozenLeaves(store: Store) {
  /** What a storage held, and what stands for it while it is frozen. */
  const frozen = new WeakMap<Storage, { readonly leaf: Value; readonly value: Value }>();
  return {
    /** A leaf requires no gradient from here on: what was computed of it keeps its history. */
    freeze({ parent, storage }: Tensor): void {
      const leaf = storage.value;
      if (parent !== null || !leaf?.requiresGrad) return;
      storage.value = detachStep.apply(store.emit, leaf);
      frozen.set(storage, { leaf, value: storage.value });
    },
    /** Makes a frozen tensor, unless it was edited, the leaf that it was; false: it was none. */
    thaw({ storage }: Tensor): boolean {
      const found = frozen.get(storage);
      if (!found || found.value !== storage.value) return false;
      storage.value = found.leaf;
      return true;
    },
  };
}

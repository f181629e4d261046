/** Where tensors come from as autograd sees it: leaves, and histories that are cut in place. */
import { preservedStrides } from "./layout/strides.ts";
import { detachStep, passThrough } from "./passThrough.ts";
import type { Creation, Store } from "./storeTypes.ts";
import { beforeTurns, isDetached, type Tensor } from "./tensor.ts";

export function histories(
  creation: WeakMap<Tensor, Creation>,
  storeOf: () => Store,
): Pick<Store, "isLeaf" | "detachInPlace" | "replace"> {
  return {
    isLeaf(tensor) {
      if (tensor.leafRequiresGrad || !storeOf().requiresGrad(tensor)) return true;
      const taken = beforeTurns(tensor);
      const isFollowed = creation.get(taken)?.gradMode !== false || taken.step?.detaches;
      return taken.parent !== null && !isFollowed;
    },

    detachInPlace(tensor) {
      const store = storeOf();
      const { storage } = tensor;
      const root = beforeTurns(tensor);
      storage.isFollowed = false;
      const value = store.read(root);
      if (!value.requiresGrad) return;
      // Views that were taken before keep the history that they were read with, up to the next edit.
      for (const view of store.all()) {
        if (view.storage !== storage || beforeTurns(view) === root || isDetached(view)) continue;
        view.isCutOff = store.requiresGrad(view);
        if ((creation.get(view)?.version ?? 0) < view.version.count) view.cached = null;
      }
      storage.value = detachStep.apply(store.emit, value);
      for (let now: Tensor | null = tensor; now !== null; now = now.parent)
        Object.assign(now, { leafRequiresGrad: false, cached: null });
    },

    replace(tensor, source) {
      const store = storeOf();
      const value = passThrough(store.emit, store.read(tensor), store.read(source));
      const storage = {
        ...tensor.storage,
        dtype: source.dtype,
        value,
        numbers: null,
        root: tensor,
      };
      Object.assign(tensor, {
        dtype: source.dtype,
        storage,
        strides: preservedStrides(source),
        offset: 0,
        parent: null,
        step: null,
        cached: null,
      });
    },
  };
}

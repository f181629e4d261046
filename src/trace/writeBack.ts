/** How an edit of a view becomes one of its storage's value. */
import { invariant } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { showsTwice } from "./elements.ts";
import { putElements } from "./overlaps.ts";
import { detachStep, inGradMode, overwritten, passThrough } from "./passThrough.ts";
import type { Store } from "./storeTypes.ts";
import { isOfSameElements, type Tensor, type ViewStep } from "./tensor.ts";

/** What may not be differentiated any more may be detached. */
export const readParent = (store: Store, parent: Tensor, step: ViewStep | null): Value =>
  inGradMode(store.emit, store.emit.gradMode && !step?.detaches, () => store.read(parent));

/** Puts an edit of a view back through its parents, one step at a time, up to the root. */
export function writeBack(store: Store, tensor: Tensor, value: Value): void {
  const { storage, parent, step } = tensor;
  const { emit } = store;
  if (parent === null || step === null) {
    storage.value = overwritten(emit, storage.value, value);
    storage.epoch++;
    return;
  }
  const base = belowOverlap(tensor);
  if (base !== null) {
    const before = readParent(store, base, null);
    writeBack(store, base, putElements(emit, before, value, tensor, base));
    return;
  }
  const before = readParent(store, parent, step);
  if (step.detaches !== true) {
    writeBack(store, parent, step.write(emit, before, value));
    return;
  }
  // Both show the new numbers; only the detached tensor has the history of the edit.
  const shown = tensor.cached?.epoch === storage.epoch ? tensor.cached.value : null;
  const own = emit.gradMode || shown === null ? value : passThrough(emit, shown, value);
  writeBack(store, parent, step.write(emit, before, detachStep.apply(emit, value)));
  tensor.cached = { value: own, epoch: storage.epoch, emit };
}

/**
 * Where `tensor` is a window of a view that shows elements at several places: what that is a view
 * of, in which the window's own elements are edited. Null: it is none.
 */
function belowOverlap(tensor: Tensor): Tensor | null {
  let base: Tensor | null = null;
  for (let at = tensor; at.parent !== null; at = at.parent) {
    const { parent, step } = at;
    invariant(step, "a view has a step");
    if (step.detaches || !isOfSameElements(at, parent)) break;
    if (at !== tensor && showsTwice(at)) base = parent;
  }
  return base;
}

/** How an edit in place reads its target. */
import type { Value } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import { showsTwice } from "./elements.ts";
import { beforeEdit } from "./overlaps.ts";
import type { Session } from "./session.ts";
import type { Store } from "./storeTypes.ts";
import { chainOf, type Tensor, takeAnew } from "./tensor.ts";

/**
 * PyTorch edits a view through its base: what was read as the view before has no part in it. What a
 * detached tensor holds is its own history.
 */
export function forgetReads(target: Tensor): void {
  for (const at of chainOf(target)) {
    if (at.step?.detaches) break;
    at.cached = null;
  }
  takeAnew(target);
}

/** `edit` reads its target under the gradient that PyTorch's edit of a view has. */
export function readToEdit<T>(
  { store, emit }: Pick<Session, "store" | "emit">,
  target: Tensor,
  edit: () => T,
): T {
  const held: Tensor[] = [];
  const holdAs = (view: Tensor, value: Value) => {
    held.push(view);
    view.cached = { value, epoch: view.storage.epoch, emit };
  };
  for (const view of chainOf(target).toReversed())
    if (view.step?.unseen && view.step.applyAnew && view.parent)
      holdAs(view, view.step.unseen.apply(emit, store.read(view.parent)));
  if (target.parent !== null && showsTwice(target))
    holdAs(target, beforeEdit(emit, store.read(target), target));
  try {
    return edit();
  } catch (error) {
    for (const view of held) view.cached = null;
    throw error;
  }
}

/**
 * Where a window that shows elements twice is edited by itself, another tensor stands for it beside the
 * first argument: the gradient of the edit is that of the last places, that of what is read is whole.
 */
export function standIn(
  { store }: Pick<Session, "store">,
  target: Tensor,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const [first, ...others] = Object.keys(args);
  const read = others.filter((name) => args[name] === target);
  if (first === undefined || read.length === 0 || !showsTwice(target)) return args;
  const other = store.fromValue(store.read(target), target.isComplex, target.strides);
  return { ...args, ...Object.fromEntries(read.map((name) => [name, other])) };
}

/** `target` was compared in place with what may require a gradient, or filled by it: then it requires one, whatever its type. */
export function noteFollowed(store: Store, target: Tensor, sources: readonly Tensor[]): void {
  if (!store.emit.gradMode || isFloat(target.dtype)) return;
  if (sources.some(store.requiresGrad)) target.storage.isFollowed = true;
}

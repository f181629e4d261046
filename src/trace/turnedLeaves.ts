/**
 * Leaves that were turned in place under no_grad while a graph rests on them: their gradient has the
 * shape that they had, and lands in what they are now.
 */
import { reachedFrom, restingOn } from "../autodiff/addGradients.ts";
import { torchError } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { contiguousStrides } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import type { Store } from "./store.ts";
import { isDetached, type Tensor } from "./tensor.ts";
import { broadcastsTo } from "./views.ts";

/** `leaf`, and before it those that it was before edits that autograd does not see. */
export function originsOf({ nodes }: Emitter, leaf: Value): Value[] {
  const reached = reachedFrom(nodes, [leaf]);
  const passed = nodes.flatMap(({ inputs, origin }) => origin.group?.inputs ?? inputs);
  return [...new Set([...passed, leaf])].filter(
    (value): value is Value => value !== null && reached.has(value.id),
  );
}

/** Whether somebody holds a tensor whose gradient goes to `leaf`, which is the value of `tensor`. */
export function isUsed(store: Store, emit: Emitter, tensor: Tensor, leaf: Value): boolean {
  const resting = restingOn(emit.nodes, originsOf(emit, leaf));
  for (const held of store.all()) {
    if (held === tensor) continue;
    const value = held.parent === null ? held.storage.value : held.cached?.value;
    if (value?.requiresGrad && value !== leaf && resting.has(value.id)) return true;
  }
  return false;
}

/** Whether somebody holds a view of `tensor` that autograd knows, or a tensor whose gradient goes to it. */
export function isRestedOn(store: Store, tensor: Tensor): boolean {
  const { storage } = tensor;
  if (storage.value === null) return false;
  const isShared = [...store.all()].some(
    (held) => held !== tensor && held.storage === storage && !isDetached(held),
  );
  return isShared || isUsed(store, store.emit, tensor, storage.value);
}

/**
 * The shape of `.grad` where a gradient whose value has the shape `arriving` comes at a leaf that has another by now.
 * PyTorch keeps one that lies in memory as the leaf does, and copies any other into the leaf's shape.
 */
export function landedShape(arriving: readonly number[], leaf: Tensor): readonly number[] {
  const former = leaf.isComplex ? arriving.slice(0, -1) : arriving;
  const strides = contiguousStrides(former);
  if (former.every((size, axis) => size === 1 || strides[axis] === leaf.strides[axis]))
    return former;
  if (broadcastsTo(former, leaf.shape)) return leaf.shape;
  throw torchError(
    "RuntimeError",
    `The gradient of shape [${former.join(", ")}] must match the leaf of shape [${leaf.shape.join(", ")}], which was turned in place`,
  );
}

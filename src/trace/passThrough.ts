/** Values whose history is cut, or is another's: detach, and edits that autograd does not see. */
import type { Origin, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { reshapeTo, transpose } from "../ops/write.ts";
import { memoryOrder } from "../random/generator.ts";
import { type Tensor, type ViewStep, valueShape } from "./tensor.ts";

/**
 * `value` under a gradient that passes to `old` as identity: what PyTorch does with an overwrite
 * that autograd does not see (under no_grad, through detach or .data).
 */
export function passThrough(emit: Emitter, old: Value, value: Value): Value {
  if (!old.requiresGrad) return value;
  const make = () => [emit.op("Identity", [value])];
  // What the call keeps for its own gradient is no concern of this one.
  const { dispatch: _, ...origin } = emit.origin;
  const [made] = writtenAs(emit, origin, true, () =>
    emit.grouped([old], make, (_emit, [d]) => [d ?? null]),
  );
  return made as Value;
}

/** What `make` writes is of that origin and in that mode; undefined: of the origin that is. */
export function writtenAs<T>(
  emit: Emitter,
  origin: Origin | undefined,
  gradMode: boolean,
  make: () => T,
): T {
  const outer = { origin: emit.origin, gradMode: emit.gradMode };
  Object.assign(emit, { origin: origin ?? emit.origin, gradMode });
  try {
    return make();
  } finally {
    Object.assign(emit, outer);
  }
}

export const inGradMode = <T>(emit: Emitter, gradMode: boolean, make: () => T): T =>
  writtenAs(emit, undefined, gradMode, make);

/**
 * What stands in place of `old`. Under no_grad the gradient passes to what was there; else what is
 * overwritten by numbers that require no gradient still has one, and what was there has zeros.
 */
export function overwritten(emit: Emitter, old: Value | null, value: Value): Value {
  if (old === null) return value;
  if (!emit.gradMode) return passThrough(emit, old, value);
  if (!old.requiresGrad || value.requiresGrad) return value;
  const make = () => [emit.op("Identity", [value])];
  const [made] = emit.grouped([old], make, (backward) => [backward.scalar(0, old.dtype)]);
  return made ?? value;
}

/** The same elements without their history. */
export const detachStep: ViewStep = {
  name: "detach",
  detaches: true,
  apply: (emit, parent) => {
    if (!parent.requiresGrad) return parent;
    return inGradMode(emit, false, () => emit.op("Identity", [parent]));
  },
  write: passThrough,
};

/**
 * What covered a storage before `leaf` took its place: the leaf's elements under the old strides,
 * detached.
 */
export function formerRootStep(former: Tensor, leaf: Tensor): ViewStep {
  const [ours, theirs] = [placesOf(former), placesOf(leaf)];
  const step: ViewStep = {
    name: "detach",
    detaches: true,
    apply: (emit, parent) =>
      fromMemory(emit, toMemory(emit, detachStep.apply(emit, parent), theirs), ours),
    write: (emit, parent, part) =>
      detachStep.write(emit, parent, fromMemory(emit, toMemory(emit, part, ours), theirs)),
  };
  ofFormerRoots.add(step);
  return step;
}

const ofFormerRoots = new WeakSet<ViewStep>();

/** Whether the tensor had its memory before a leaf that shows all of it was made. */
export const isFormerRoot = ({ step }: Tensor): boolean => step !== null && ofFormerRoots.has(step);

/** The shape of a dense tensor's value, and its axes from the outermost in memory to the innermost. */
function placesOf(tensor: Tensor): { shape: readonly number[]; order: readonly number[] } {
  const shape = valueShape(tensor);
  const axes = memoryOrder(tensor.shape, tensor.strides) ?? tensor.shape.map((_, axis) => axis);
  return { shape, order: tensor.isComplex ? [...axes, axes.length] : axes };
}

type Places = ReturnType<typeof placesOf>;

const toMemory = (emit: Emitter, value: Value, { order, shape }: Places): Value =>
  reshapeTo(emit, transpose(emit, value, order), [numel(shape)]);

function fromMemory(emit: Emitter, flat: Value, { order, shape }: Places): Value {
  const inOrder = order.map((axis) => shape[axis] as number);
  const back = order.map((_, axis) => order.indexOf(axis));
  return transpose(emit, reshapeTo(emit, flat, inOrder), back);
}

/** Values whose history is cut, or is another's: detach, and edits that autograd does not see. */
import type { Origin, Value } from "../graph/graph.ts";
import type { Emitter } from "../ops/emitter.ts";
import { reshapeTo } from "../ops/write.ts";
import type { ViewStep } from "./tensor.ts";

/**
 * `value` under a gradient that passes to `old` as identity: what PyTorch does with an overwrite
 * that autograd does not see (under no_grad, through detach or .data).
 */
export function passThrough(emit: Emitter, old: Value, value: Value): Value {
  if (!old.requiresGrad) return value;
  const { gradMode } = emit;
  emit.gradMode = true;
  const [made] = emit.grouped(
    [old],
    () => [emit.op("Identity", [value])],
    (_emit, [d]) => [d ?? null],
  );
  emit.gradMode = gradMode;
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
    const { gradMode } = emit;
    emit.gradMode = false;
    const value = emit.op("Identity", [parent]);
    emit.gradMode = gradMode;
    return value;
  },
  write: passThrough,
};

/** What covered a storage before a leaf took its place: the leaf's elements in the old shape, detached. */
export const formerRootStep = (shape: readonly number[]): ViewStep => ({
  name: "detach",
  detaches: true,
  apply: (emit, parent) => reshapeTo(emit, detachStep.apply(emit, parent), shape),
  write: (emit, parent, part) =>
    detachStep.write(emit, parent, reshapeTo(emit, part, parent.shape)),
});

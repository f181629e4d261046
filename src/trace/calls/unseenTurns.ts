/**
 * Turns in place that PyTorch's graph does not see, or forgets: those under no_grad, and those of
 * views that it takes by a function and not by their strides (conjugates, parts).
 */
import { sumTo } from "../../autodiff/addGradients.ts";
import { placedAt, torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { isOfSameElements, type Movement, type Tensor, type ViewStep } from "../tensor.ts";
import { broadcastsTo } from "../views.ts";
import { underivable } from "./derivatives.ts";

/**
 * Views that PyTorch takes by a function (conjugates, parts) are taken by it again after an edit,
 * whatever turned them since.
 */
export function isTakenByFunction(tensor: Tensor): boolean {
  if (tensor.hasHiddenBase && tensor.conjugated) return true;
  if (tensor.parent === null || tensor.step?.detaches) return false;
  return !isOfSameElements(tensor, tensor.parent) || isTakenByFunction(tensor.parent);
}

/**
 * A turn that PyTorch's graph does not know, or forgets with the next edit: the gradient, in the new
 * shape, goes to the old one unturned, summed where it was broadcast, and is refused where it does
 * not fit. `atOnce`: it is not known from the start; `isView`: after each edit it is not.
 */
export function turnedUnseen(
  former: Tensor,
  taken: ViewStep,
  { atOnce, isView }: { readonly atOnce: boolean; readonly isView: boolean },
): Pick<Tensor, "parent" | "step"> {
  const earlier = former.step?.unseen ?? null;
  const unseen = earlier ? inSequence(earlier, taken) : taken;
  const applyAnew: ViewStep["apply"] = (emit, parent) =>
    unseen.apply(emit, unturned(emit, parent, unseen));
  const seen = earlier && former.step ? inSequence(former.step, taken) : taken;
  const apply = atOnce ? applyAnew : seen.apply;
  const { name } = taken;
  const step = { name, apply, write: unseen.write, turns: true, unseen };
  return {
    parent: earlier ? former.parent : former,
    step: isView ? { ...step, applyAnew } : step,
  };
}

const inSequence = (first: Movement, second: Movement): Movement => ({
  apply: (emit, parent) => second.apply(emit, first.apply(emit, parent)),
  write: (emit, parent, part) =>
    first.write(emit, parent, second.write(emit, first.apply(emit, parent), part)),
});

/** `parent` under the gradient of what `taken` made of it, which comes unturned. */
function unturned(emit: Emitter, parent: Value, taken: Movement): Value {
  if (!parent.requiresGrad) return parent;
  const place = emit.origin.call?.site ?? null;
  const [made] = emit.grouped(
    [parent],
    () => [emit.op("Identity", [parent])],
    (backward, [d]) => {
      if (!d) return [null];
      // The backward pass is written by the emitter that wrote the step.
      const given = taken.apply(backward as Emitter, d);
      if (!broadcastsTo(parent.shape, given.shape))
        throw placedAt(misfit(given.shape, parent.shape), place);
      return [sumTo(backward, given, parent.shape)];
    },
  );
  return made as Value;
}

/** The step of a view whose parent `taken` has turned where the gradient saw nothing. */
export function withUnturned(step: ViewStep, taken: Movement): ViewStep {
  const { apply, applyAnew } = step;
  const under =
    (take: ViewStep["apply"]): ViewStep["apply"] =>
    (emit, parent) =>
      take(emit, unturned(emit, parent, taken));
  const anew = applyAnew ? { applyAnew: under(applyAnew) } : {};
  return { ...step, apply: under(apply), ...anew, parentTurn: taken };
}

/** Views that PyTorch takes of their base by its function again once the base was turned. */
export const viewFunctions = new Set(["view_as_complex", "view_as_real", "conj"]);

/**
 * `view` of a tensor that was turned in place: its gradient, in its own shape, is taken for one in
 * that of the turned base, and refused where it does not fit. `isSeen`: the turn is undone then.
 */
export function takeOfTurned(
  view: Tensor,
  former: Tensor,
  turn: Movement,
  base: readonly number[],
  isSeen: boolean,
): void {
  const { step, shape } = view;
  if (step === null) return;
  const retaken = retakenShape(view, former, base);
  const refusal = !broadcastsTo(retaken, shape)
    ? misfit(shape, retaken)
    : !isSeen && !broadcastsTo(former.shape, base)
      ? misfit(base, former.shape)
      : null;
  view.cached = null;
  view.step = {
    ...step,
    apply(emit, parent) {
      if (step.name === "view_as_complex" && base.at(-1) !== 2) throw noPairs();
      const taken = step.apply(emit, isSeen ? turnedBack(emit, parent, turn) : parent);
      return refusal ? underivable(emit, taken, [parent], refusal) : taken;
    },
  };
}

const noPairs = () => torchError("RuntimeError", "Tensor must have a last dimension of size 2");

/** The shape of a view by a function once its base has another. */
function retakenShape(view: Tensor, former: Tensor, base: readonly number[]): readonly number[] {
  if (view.isComplex && !former.isComplex) return base.slice(0, -1);
  return view.shape.length > former.shape.length ? [...base, 2] : base;
}

/** `parent` under a gradient that is one of what `taken` makes of it, although it has the shape of `parent`. */
function turnedBack(emit: Emitter, parent: Value, taken: Movement): Value {
  if (!parent.requiresGrad) return parent;
  const [made] = emit.grouped(
    [parent],
    () => [emit.op("Identity", [parent])],
    (backward, [d]) => [d ? taken.write(backward as Emitter, parent, d) : null],
  );
  return made as Value;
}

const misfit = (shape: readonly number[], old: readonly number[]) =>
  torchError(
    "RuntimeError",
    `Function returned an invalid gradient at index 0 - got [${shape.join(", ")}] but expected shape compatible with [${old.join(", ")}]`,
  );

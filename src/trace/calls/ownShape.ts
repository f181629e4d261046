/** Views that take their tensor's own place: t_, transpose_, squeeze_, unsqueeze_. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { int, ints, optional, tensor } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { inGradMode } from "../passThrough.ts";
import { refuseUnseen } from "../refusals.ts";
import type { Tensor, ViewStep } from "../tensor.ts";
import { reshaped } from "../views.ts";
import { underivable } from "./derivatives.ts";
import { squeeze, t, transpose, unsqueeze } from "./shape.ts";

/** The handle shows the view from now on; what it showed before becomes the view's parent. */
function shown(
  ctx: CallContext,
  name: string,
  input: Tensor,
  make: (former: Tensor) => unknown,
): Tensor {
  if (input.leafRequiresGrad || input.entersAs === "parameter")
    throw torchError("UnsupportedCall", `${name} of a parameter is not supported`);
  const { store } = ctx;
  refuseUnseen(store, input);
  const { emit } = ctx;
  // It stays the tensor that it was, whether or not this is seen by autograd.
  const seen = <T>(make: () => T): T => inGradMode(emit, true, make);
  const former = seen(() => reshaped(store, input, input.shape, input.strides));
  Object.assign(former, { parent: input.parent, step: input.step, cached: input.cached });
  if (input.storage.root === input) input.storage.root = former;
  // What the model was given stays its input, in the shape that it had.
  Object.assign(former, { entersAs: input.entersAs, name: input.name });
  Object.assign(input, { entersAs: null, name: null });
  const view = seen(() => make(former)) as Tensor;
  const { shape, strides, offset } = view;
  const own = () => reshaped(store, former, shape, strides).step;
  const taken = view === former ? seen(own) : view.step;
  const step = taken && hidden(ctx, former, shape) ? withoutBackward(taken, former, shape) : taken;
  Object.assign(input, { shape, strides, offset, parent: former, step, cached: null });
  input.version.count++;
  // Views that were taken before are looked at anew, as after an edit that autograd does not see.
  if (!emit.gradMode) input.storage.epoch++;
  if (former.parent === null) input.inGraph = true;
  return input;
}

/** Under no_grad PyTorch's graph keeps the old shape, and refuses a gradient that does not fit it. */
function hidden(ctx: CallContext, former: Tensor, shape: readonly number[]): boolean {
  // Where a view comes from is looked up anew.
  if (former.parent !== null) return false;
  if (ctx.emit.gradMode || !ctx.store.requiresGrad(former)) return false;
  const lead = shape.length - former.shape.length;
  const fits = (size: number, axis: number) => size === 1 || size === shape[axis + lead];
  return lead < 0 || !former.shape.every(fits);
}

const withoutBackward = (step: ViewStep, { shape: old }: Tensor, shape: readonly number[]) => ({
  ...step,
  apply: (emit: Emitter, parent: Value) =>
    underivable(
      emit,
      step.apply(emit, parent),
      [parent],
      torchError(
        "RuntimeError",
        `Function returned an invalid gradient at index 0 - got [${shape.join(", ")}] but expected shape compatible with [${old.join(", ")}]`,
      ),
    ),
});

const place = { in: ["Tensor"], edits: true, moves: true } as const;

export const tInPlace = torchCall({
  ...place,
  name: "t_",
  params: { input: tensor },
  build: (ctx, { input }) => shown(ctx, "t_", input, (former) => t.build(ctx, { input: former })),
});

function swapsAxes(name: string) {
  return torchCall({
    ...place,
    name,
    params: { input: tensor, dim0: int, dim1: int },
    build: (ctx, { input, dim0, dim1 }) =>
      shown(ctx, name, input, (former) => transpose.build(ctx, { input: former, dim0, dim1 })),
  });
}
export const transposeInPlace = swapsAxes("transpose_");
export const swapaxesInPlace = swapsAxes("swapaxes_");
export const swapdimsInPlace = swapsAxes("swapdims_");

export const unsqueezeInPlace = torchCall({
  ...place,
  name: "unsqueeze_",
  params: { input: tensor, dim: int },
  build: (ctx, { input, dim }) =>
    shown(ctx, "unsqueeze_", input, (former) => unsqueeze.build(ctx, { input: former, dim })),
});

export const squeezeInPlace = torchCall({
  ...place,
  name: "squeeze_",
  params: { input: tensor, dim: optional(ints) },
  build: (ctx, { input, dim }) =>
    shown(ctx, "squeeze_", input, (former) => squeeze.build(ctx, { input: former, dim })),
});

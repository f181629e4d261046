/** Views that take their tensor's own place: t_, transpose_, squeeze_, unsqueeze_. */
import { torchError } from "../../errors.ts";
import { int, ints, optional, tensor } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { inGradMode } from "../passThrough.ts";
import { refuseUnseen } from "../refusals.ts";
import { beforeTurns, type Tensor, type ViewStep, viewsOf } from "../tensor.ts";
import { isUsed, originsOf } from "../turnedLeaves.ts";
import { reshaped } from "../views.ts";
import { squeeze, t, transpose, unsqueeze } from "./shape.ts";
import {
  isTakenByFunction,
  takeOfTurned,
  turnedUnseen,
  viewFunctions,
  withUnturned,
} from "./unseenTurns.ts";
import { asStrided } from "./windows.ts";

/** The handle shows the view from now on; what it showed before becomes the view's parent. */
function shown(
  ctx: CallContext,
  name: string,
  input: Tensor,
  make: (former: Tensor) => unknown,
): Tensor {
  const { emit, store } = ctx;
  const isLeaf = input.leafRequiresGrad || input.entersAs === "parameter";
  if (isLeaf && (emit.gradMode || !ctx.inStep))
    throw torchError("UnsupportedCall", `${name} of a parameter is not supported`);
  // A leaf's value is what its gradient is known by.
  const leaf = isLeaf ? store.read(input) : null;
  const isUsedLeaf =
    leaf?.requiresGrad === true &&
    (input.step?.unseen !== undefined || isUsed(store, emit, input, leaf));
  refuseUnseen(store, input);
  // It stays the tensor that it was, whether or not this is seen by autograd.
  const seen = <T>(make: () => T): T => inGradMode(emit, true, make);
  const before = viewsOf(store.all(), input);
  // Under no_grad nobody asks where a view comes from.
  const now = emit.gradMode || !store.isStale(input) ? undefined : store.read(input);
  const former = seen(() => reshaped(store, input, input.shape, input.strides, now));
  const { leafRequiresGrad, cached } = input;
  Object.assign(former, { parent: input.parent, step: input.step, cached, leafRequiresGrad });
  if (input.storage.root === input) input.storage.root = former;
  // What the model was given stays its input, in the shape that it had.
  Object.assign(former, { entersAs: input.entersAs, name: input.name });
  Object.assign(input, { entersAs: null, name: null });
  const view = seen(() => make(former)) as Tensor;
  const { shape, strides, offset } = view;
  const own = () => reshaped(store, former, shape, strides).step;
  const taken = view === former ? seen(own) : view.step;
  // Where a view comes from is looked up anew.
  const isView = beforeTurns(former).parent !== null || input.hasHiddenBase;
  const isHidden = !emit.gradMode && !isView && store.requiresGrad(former);
  const isUnseen = isTakenByFunction(input) || (isHidden && (!isLeaf || isUsedLeaf));
  const place =
    taken && isUnseen && (view === former || view.parent === former)
      ? turnedUnseen(former, taken, { atOnce: !emit.gradMode, isView })
      : placeOf(former, view, taken);
  Object.assign(input, { shape, strides, offset, ...place, cached: null });
  if (isUsedLeaf && leaf && !former.step?.unseen)
    for (const { id } of originsOf(emit, leaf)) store.turnedLeaves.set(id, input);
  input.takenAt = ++input.version.count;
  for (const view of before) {
    view.parent = former;
    if (view.step === null || taken === null) continue;
    if (!isView && viewFunctions.has(view.step.name))
      takeOfTurned(view, former, taken, shape, emit.gradMode);
    else if (isHidden) view.step = withUnturned(view.step, taken);
  }
  // Views that were taken before are looked at anew, as after an edit that autograd does not see;
  // of those that one call gave, PyTorch looks at none any more.
  if (!emit.gradMode || before.some(({ step }) => step?.oneOfMany)) input.storage.epoch++;
  if (former.parent === null) input.inGraph = true;
  return input;
}

/**
 * What a tensor turned in place is from now on: a view of what it was. A view that is taken of the base
 * it has already stays one.
 */
function placeOf(
  former: Tensor,
  view: Tensor,
  taken: ViewStep | null,
): Pick<Tensor, "parent" | "step"> {
  if (view === former) return { parent: former, step: taken && { ...taken, turns: true } };
  const isOfItsBase = view.parent !== former && beforeTurns(former).parent !== null;
  return { parent: view.parent, step: taken && { ...taken, turns: !isOfItsBase } };
}

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

export const asStridedInPlace = torchCall({
  ...place,
  name: "as_strided_",
  params: { input: tensor, size: ints, stride: ints, storage_offset: optional(int) },
  build: (ctx, { input, ...window }) => {
    if (!ctx.emit.gradMode && ctx.store.requiresGrad(input))
      throw torchError(
        "UnsupportedCall",
        "as_strided_ under no_grad of what requires a gradient is not supported",
      );
    return shown(ctx, "as_strided_", input, (former) =>
      asStrided.build(ctx, { input: former, ...window }),
    );
  },
});

/** Views of a part of the elements, aliases, copies. */
import { torchError } from "../../errors.ts";
import { bytesOf, numel } from "../../graph/tensor.ts";
import { int, ints, memoryFormat, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { liesIn } from "../layout/strides.ts";
import { detachStep } from "../passThrough.ts";
import type { Window } from "../store.ts";
import {
  chainOf,
  coversStorage,
  isDetached,
  type Tensor,
  type ViewStep,
  valueShape,
} from "../tensor.ts";
import { aliased, lengthOf, reshaped, sliced, strided, wrapDim } from "../views.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { listed } from "./places.ts";
import { copyOf } from "./shape.ts";
import { withUnturned } from "./unseenTurns.ts";

const both = ["torch", "Tensor"] as const;

export const narrow = torchCall({
  name: "narrow",
  in: both,
  params: { input: tensor, dim: int, start: int, length: int },
  moves: true,
  build: (ctx, { input, dim, start, length }) => {
    if (input.shape.length === 0)
      throw torchError("RuntimeError", "narrow() cannot be applied to a 0-dim tensor.");
    const axis = wrapDim(dim, input.shape.length);
    const from = start < 0 ? start + (input.shape[axis] as number) : start;
    return sliceAxis(ctx, input, axis, from, from + length);
  },
});

export const select = torchCall({
  name: "select",
  in: both,
  params: { input: tensor, dim: int, index: int },
  moves: true,
  build: (ctx, { input, dim, index }) => selectAt(ctx, input, dim, index),
});

/** `select`, with PyTorch's refusals of `dim`. */
export function selectAt(ctx: CallContext, input: Tensor, dim: number, index: number): Tensor {
  if (input.shape.length === 0)
    throw torchError("IndexError", "select() cannot be applied to a 0-dim tensor.");
  const axis = wrapDim(dim, input.shape.length);
  const size = input.shape[axis] as number;
  if (index < -size || index >= size)
    throw torchError(
      "IndexError",
      `select(): index ${index} out of range for tensor of size [${input.shape.join(", ")}] at dimension ${axis}`,
    );
  return selectAxis(ctx, input, axis, index);
}

/** x[…, start:stop:step, …] along one axis. */
export function sliceAxis(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  start: number,
  stop: number,
  step = 1,
): Tensor {
  const size = input.shape[axis] as number;
  if (start < 0 || stop > size || stop < start)
    throw torchError(
      "RuntimeError",
      `start (${start}) + length (${stop - start}) exceeds dimension size (${size}).`,
    );
  const range = { axis, start, stop, step };
  return sliced(ctx.store, input, [range], {
    shape: input.shape.map((s, a) => (a === axis ? lengthOf(range) : s)),
    strides: input.strides.map((stride, a) => (a === axis ? stride * step : stride)),
    offset: input.offset + start * (input.strides[axis] as number),
  });
}

export function selectAxis(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  index: number,
  oneOfMany?: ViewStep["oneOfMany"],
): Tensor {
  const size = input.shape[axis] as number;
  const at = index < 0 ? index + size : index;
  if (at < 0 || at >= size)
    throw torchError(
      "IndexError",
      `index ${index} is out of bounds for dimension ${axis} with size ${size}`,
    );
  const window = {
    shape: input.shape.filter((_, a) => a !== axis),
    strides: input.strides.filter((_, a) => a !== axis),
    offset: input.offset + at * (input.strides[axis] as number),
  };
  const range = { axis, start: at, stop: at + 1, step: 1 };
  return sliced(ctx.store, input, [range], window, oneOfMany ? { oneOfMany } : {});
}

export const diagonal = torchCall({
  name: "diagonal",
  in: both,
  params: {
    input: tensor,
    offset: withDefault(int, 0),
    dim1: withDefault(int, 0),
    dim2: withDefault(int, 1),
  },
  moves: true,
  build: (ctx, { input, offset, dim1, dim2 }) => {
    const rank = input.shape.length;
    const [a, b] = [wrapDim(dim1, rank), wrapDim(dim2, rank)];
    if (a === b)
      throw torchError("RuntimeError", `diagonal dimensions cannot be identical ${dim1}, ${dim2}`);
    const rows = (input.shape[a] as number) + Math.min(offset, 0);
    const columns = (input.shape[b] as number) - Math.max(offset, 0);
    const rest = input.shape.map((_, axis) => axis).filter((axis) => axis !== a && axis !== b);
    const [strideA, strideB] = [input.strides[a] as number, input.strides[b] as number];
    const isEmpty = Math.min(rows, columns) <= 0;
    const skip = isEmpty ? 0 : offset >= 0 ? offset * strideB : -offset * strideA;
    return strided(
      ctx.store,
      input,
      {
        shape: [
          ...rest.map((axis) => input.shape[axis] as number),
          Math.max(0, Math.min(rows, columns)),
        ],
        strides: [...rest.map((axis) => input.strides[axis] as number), strideA + strideB],
        offset: input.offset + skip,
      },
      "diagonal",
    );
  },
});

export const unfold = torchCall({
  name: "unfold",
  in: ["Tensor"],
  params: { input: tensor, dimension: int, size: int, step: int },
  moves: true,
  build: (ctx, { input, dimension, size, step }) => {
    const axis = wrapDim(dimension, input.shape.length);
    const length = input.shape[axis] ?? 1;
    if (size > length)
      throw torchError(
        "RuntimeError",
        `maximum size for tensor at dimension ${axis} is ${length} but size is ${size}`,
      );
    if (step <= 0) throw torchError("RuntimeError", `step is ${step} but must be > 0`);
    const count = Math.floor((length - size) / step) + 1;
    const stride = input.strides[axis] ?? 1;
    return strided(
      ctx.store,
      input,
      {
        shape: [...input.shape.map((s, a) => (a === axis ? count : s)), size],
        strides: [...input.strides.map((s, a) => (a === axis ? s * step : s)), stride],
        offset: input.offset,
      },
      "unfold",
    );
  },
});

export const asStrided = torchCall({
  name: "as_strided",
  in: both,
  params: { input: tensor, size: ints, stride: ints, storage_offset: optional(int) },
  moves: true,
  build: (ctx, { input, size, stride, storage_offset }) => {
    const window = { shape: size, strides: stride, offset: storage_offset ?? input.offset };
    refuseWindow(window, input);
    if (input.negated !== "nothing") leaveToPython();
    const { root } = input.storage;
    if (input.isComplex && !root.isComplex) return stridedPairs(ctx, input, window);
    // Parts of complex numbers lie beside each other.
    const isPart = root.isComplex && !input.isComplex;
    const whole = isPart ? (viewAsReal.build(ctx, { input: root }) as Tensor) : root;
    const top = topOf(input);
    const isCut = isDetached(input) && ctx.store.requiresGrad(root);
    const base =
      !isPart && coversStorage(top) ? top : isCut ? aliased(ctx.store, whole, detachStep) : whole;
    const made = strided(ctx.store, base, window, "as_strided", input);
    const turn = chainOf(input).find(({ parent }) => parent === base)?.step?.parentTurn;
    const step = turn && made.step ? withUnturned(made.step, turn) : null;
    return step ? Object.assign(made, { step, cached: null }) : made;
  },
});

/** A window of complex numbers on memory of real ones, where each is two that lie beside each other. */
function stridedPairs(ctx: CallContext, input: Tensor, window: Window): Tensor {
  const pairs = asStrided.build(ctx, {
    input: viewAsReal.build(ctx, { input }) as Tensor,
    size: [...window.shape, 2],
    stride: [...window.strides.map((stride) => stride * 2), 1],
    storage_offset: window.offset * 2,
  });
  return viewAsComplex.build(ctx, { input: pairs as Tensor }) as Tensor;
}

/** What it is a view of, as far as its history goes. */
function topOf(tensor: Tensor): Tensor {
  let at = tensor;
  while (at.parent !== null && at.step?.detaches !== true) at = at.parent;
  return at;
}

const itemSize = (tensor: Tensor): number => bytesOf[tensor.dtype] * (tensor.isComplex ? 2 : 1);

function refuseWindow(window: Window, input: Tensor): void {
  const { shape, strides, offset } = window;
  if (shape.length !== strides.length)
    throw torchError("RuntimeError", "mismatch in length of strides and shape");
  if (strides.some((stride) => stride < 0))
    throw torchError(
      "RuntimeError",
      `as_strided: Negative strides are not supported at the moment, got strides: ${listed(strides)}`,
    );
  if (numel(shape) === 0) return;
  const last = shape.reduce(
    (at, size, axis) => at + (size - 1) * (strides[axis] as number),
    offset,
  );
  const { storage } = input;
  const held = storage.length * bytesOf[storage.dtype];
  const needed = (last + 1) * itemSize(input);
  if (needed > held)
    throw torchError(
      "RuntimeError",
      `setStorage: sizes ${listed(shape)}, strides ${listed(strides)}, storage offset ${offset}, and itemsize ${itemSize(input)} requiring a storage size of ${needed} are out of bounds for storage of size ${held}`,
    );
}

export const detach = torchCall({
  name: "detach",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => aliased(ctx.store, input, detachStep),
});

/** The same elements, edits of which autograd does not see and does not count. */
export const dataOf = torchCall({
  name: "data",
  in: ["torch._C"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => aliased(ctx.store, input, detachStep, { version: { count: 0 } }),
});

export const alias = torchCall({
  name: "alias",
  in: ["torch._C"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => reshaped(ctx.store, input, input.shape, input.strides),
});

export const contiguous = torchCall({
  name: "contiguous",
  in: ["Tensor"],
  params: { input: tensor, memory_format: memoryFormat },
  moves: true,
  build: (ctx, { input, memory_format }) => {
    const format = memory_format ?? "contiguous_format";
    if (format === "preserve_format" && !liesIn("contiguous_format", input))
      throw torchError(
        "RuntimeError",
        "preserve memory format is unsupported by the contiguous operator",
      );
    return format === "preserve_format" || liesIn(format, input)
      ? input
      : copyOf(ctx, input, format);
  },
});

export const clone = torchCall({
  name: "clone",
  in: both,
  params: { input: tensor, memory_format: memoryFormat },
  moves: true,
  build: (ctx, { input, memory_format }) => copyOf(ctx, input, memory_format ?? "preserve_format"),
});

export const viewAsReal = torchCall({
  name: "view_as_real",
  in: ["torch"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => {
    if (!input.isComplex)
      throw torchError("TypeError", "view_as_real is only supported for complex tensors");
    if (input.conjugated)
      throw torchError(
        "RuntimeError",
        "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original.",
      );
    if (input.negated !== "nothing") leaveToPython();
    return ctx.store.view(
      input,
      {
        shape: valueShape(input),
        strides: [...input.strides.map((stride) => stride * 2), 1],
        offset: input.offset * 2,
        isComplex: false,
      },
      {
        name: "view_as_real",
        apply: (_emit, parent) => parent,
        write: (_emit, _parent, part) => part,
      },
    );
  },
});

export const viewAsComplex = torchCall({
  name: "view_as_complex",
  in: ["torch"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => {
    if (input.shape.at(-1) !== 2)
      throw torchError("RuntimeError", "Tensor must have a last dimension of size 2");
    if (input.strides.at(-1) !== 1)
      throw torchError("RuntimeError", "Tensor must have a last dimension with stride 1");
    if (input.strides.slice(0, -1).some((stride) => stride % 2 !== 0))
      throw torchError(
        "RuntimeError",
        "Tensor must have a stride divisible by 2 for all but last dimension",
      );
    if (input.offset % 2 !== 0)
      throw torchError("RuntimeError", "Tensor must have a storage_offset divisible by 2");
    return ctx.store.view(
      input,
      {
        shape: input.shape.slice(0, -1),
        strides: input.strides.slice(0, -1).map((stride) => stride / 2),
        offset: input.offset / 2,
        isComplex: true,
      },
      {
        name: "view_as_complex",
        apply: (_emit, parent) => parent,
        write: (_emit, _parent, part) => part,
      },
    );
  },
});

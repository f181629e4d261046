/** New tensors: from Python's numbers, filled, ranges, triangles; copies and casts. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { allocate, type DType, isFloat, isInteger, numel, toInteger } from "../../graph/tensor.ts";
import { roundTo } from "../../ops/kernels/round.ts";
import {
  type DTypeArg,
  dtype,
  int,
  intTuple,
  isTensor,
  keyword,
  memoryFormat,
  operand,
  optional,
  type Scalar,
  scalar,
  sizes,
  tensor,
  withDefault,
} from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { refuseFill } from "../kernels.ts";
import { preservedStrides, rowByRow, stridesOf } from "../layout/strides.ts";
import { heldAs, type TorchType, typeOf, typeOfScalar } from "../promotion.ts";
import { refuseInnerOverlap } from "../refusals.ts";
import { isContiguous, type Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { parts } from "./complexNumbers.ts";

const both = ["torch", "Tensor"] as const;
export const anyDtype = keyword(optional(dtype));

export function filled(
  ctx: CallContext,
  shape: readonly number[],
  type: DTypeArg,
  value: Scalar,
  strides: readonly number[] | null = null,
): Tensor {
  if (shape.some((size) => size < 0))
    throw torchError(
      "RuntimeError",
      `Trying to create tensor with negative dimension ${shape.find((size) => size < 0)}: [${shape.join(", ")}]`,
    );
  const isZero = value.value === 0 && !value.imaginary && !Object.is(value.value, -0);
  refuseFill(value, typeOf(type), numel(shape));
  // Zeros have memory only once somebody reads them.
  if (!ctx.countsOnly || !isZero) refuseSize(shape, type.dtype);
  const made = ctx.store.fromNumbers(type, shape, null, strides);
  if (isZero) return made;
  const numbers = allocate(type.dtype, made.storage.length);
  if (type.isComplex)
    for (let i = 0; i < numbers.length; i += 2) {
      numbers[i] = value.value;
      numbers[i + 1] = value.imaginary ?? 0;
    }
  else numbers.fill(numberAs(type.dtype, value.value));
  roundTo(type.dtype, numbers);
  made.storage.numbers = numbers;
  made.masked = isFloat(type.dtype) && value.value === Number.NEGATIVE_INFINITY;
  return made;
}

/** A number as an element that is not 0. */
function numberAs(type: DType, value: number): number {
  if (type === "bool") return 1;
  return isFloat(type) ? value : toInteger(value);
}

const limitBytes = 16 * 2 ** 30;

/** More than a machine of this kind holds: refused before it is tried. */
function refuseSize(shape: readonly number[], type: DType): void {
  const bytes = numel(shape) * (type === "float64" || type === "int64" ? 8 : 4);
  if (bytes <= limitBytes) return;
  throw torchError(
    "OutOfMemoryError",
    `a tensor of shape [${shape.join(", ")}] needs ${(bytes / 2 ** 30).toFixed(1)} GiB; at most ${limitBytes / 2 ** 30} GiB can be allocated at once`,
  );
}

export const floatType = (ctx: CallContext, given: DTypeArg | null): DTypeArg =>
  given ?? { dtype: ctx.defaultFloat, isComplex: false };

/** What `empty` makes has zeros here, and in PyTorch what the memory held. */
function marked(name: string, made: Tensor): Tensor {
  made.storage.isEmpty = name.includes("empty");
  return made;
}

function constant(name: string, value: number) {
  return torchCall({
    name,
    in: ["torch"],
    params: { size: sizes, dtype: anyDtype, memory_format: memoryFormat },
    build: (ctx, { size, dtype, memory_format }) =>
      marked(
        name,
        filled(
          ctx,
          size,
          floatType(ctx, dtype),
          { kind: "int", value },
          memory_format === null ? null : stridesOf(memory_format, rowByRow(size)),
        ),
      ),
  });
}

export const zeros = constant("zeros", 0);
export const ones = constant("ones", 1);
export const empty = constant("empty", 0);

export const full = torchCall({
  name: "full",
  in: ["torch"],
  params: { size: intTuple, fill_value: operand, dtype: anyDtype },
  build: (ctx, { size, fill_value, dtype }) => {
    const value = isTensor(fill_value) ? numberOf(ctx, fill_value) : fill_value;
    return filled(ctx, size, dtype ?? heldAs(typeOfScalar(value, ctx.defaultFloat)), value);
  },
});

export function numberOf(ctx: CallContext, from: Tensor): Scalar {
  const value = ctx.store.numbers(from)[0] ?? 0;
  const kind = from.dtype === "bool" ? "bool" : isFloat(from.dtype) ? "float" : "int";
  return { kind, value };
}

function like(name: string, value: number) {
  return torchCall({
    name,
    in: ["torch"],
    params: { input: tensor, dtype: anyDtype, memory_format: memoryFormat },
    build: (ctx, { input, dtype, memory_format }) => {
      const strides = stridesOf(memory_format ?? "preserve_format", input);
      const type = dtype ?? heldAs(typeOf(input));
      return marked(name, filled(ctx, input.shape, type, { kind: "int", value }, strides));
    },
  });
}

export const zerosLike = like("zeros_like", 0);
export const onesLike = like("ones_like", 1);
export const emptyLike = like("empty_like", 0);
export const fullLike = torchCall({
  name: "full_like",
  in: ["torch"],
  params: { input: tensor, fill_value: operand, dtype: anyDtype, memory_format: memoryFormat },
  build: (ctx, { input, fill_value, dtype, memory_format }) =>
    filled(
      ctx,
      input.shape,
      dtype ?? heldAs(typeOf(input)),
      isTensor(fill_value) ? numberOf(ctx, fill_value) : fill_value,
      stridesOf(memory_format ?? "preserve_format", input),
    ),
});

function newFilled(name: string, value: number) {
  return torchCall({
    name,
    in: ["Tensor"],
    params: { input: tensor, size: sizes, dtype: anyDtype },
    build: (ctx, { input, size, dtype }) =>
      marked(name, filled(ctx, size, dtype ?? heldAs(typeOf(input)), { kind: "int", value })),
  });
}

export const newZeros = newFilled("new_zeros", 0);
export const newOnes = newFilled("new_ones", 1);
export const newEmpty = newFilled("new_empty", 0);
export const newFull = torchCall({
  name: "new_full",
  in: ["Tensor"],
  params: { input: tensor, size: intTuple, fill_value: scalar, dtype: anyDtype },
  build: (ctx, { input, size, fill_value, dtype }) =>
    filled(ctx, size, dtype ?? heldAs(typeOf(input)), fill_value),
});

/** Numbers k ↦ f(k) in a new one-dimensional tensor. */
export function generated(
  ctx: CallContext,
  type: DTypeArg,
  length: number,
  f: (k: number) => number,
): Tensor {
  refuseSize([length], type.dtype);
  const numbers = allocate(type.dtype, length);
  const held = (x: number) => (type.dtype === "bool" ? Number(x !== 0) : toInteger(x));
  const whole = isFloat(type.dtype) ? f : (k: number) => held(f(k));
  for (let k = 0; k < length; k++) numbers[k] = whole(k);
  roundTo(type.dtype, numbers);
  return ctx.store.fromNumbers(type, [length], numbers);
}

export const eye = torchCall({
  name: "eye",
  in: ["torch"],
  params: { n: int, m: optional(int), dtype: anyDtype },
  build: (ctx, { n, m, dtype }) => {
    const columns = m ?? n;
    const made = filled(ctx, [n, columns], floatType(ctx, dtype), { kind: "int", value: 0 });
    const width = made.isComplex ? 2 : 1;
    const numbers = allocate(made.dtype, n * columns * width);
    for (let i = 0; i < Math.min(n, columns); i++) numbers[(i * columns + i) * width] = 1;
    made.storage.numbers = numbers;
    return made;
  },
});

/** Integers for which runtimes have no kernel. */
const isNarrow = (dtype: DType): boolean => dtype !== "int64" && isInteger(dtype);

/** Whether PyTorch edits the matrices where they lie; else it edits a copy and puts that back. */
function hasMatricesInOrder({ shape, strides }: Tensor): boolean {
  const batch = shape.length - 2;
  if (batch <= 1 || isContiguous(shape, strides)) return true;
  return shape.slice(0, batch).every((size, axis) => {
    const isTrivial = axis === 0 && (size === 1 || strides[axis] === 0);
    return isTrivial || strides[axis] === numel(shape.slice(axis + 1));
  });
}

function triangle(name: string, upper: 0 | 1) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, diagonal: withDefault(int, 0) },
    inPlace: true,
    fills: true,
    keepsMask: true,
    moves: true,
    build: (ctx, { input, diagonal }) => {
      if (input.shape.length < 2)
        throw torchError("RuntimeError", `${name}: input tensor must have at least 2 dimensions`);
      if (ctx.inPlace && !hasMatricesInOrder(input)) refuseInnerOverlap(input);
      const k = ctx.emit.scalar(diagonal, "int64");
      const x = ctx.store.read(input);
      if (isNarrow(x.dtype)) {
        const wide = ctx.emit.op("Cast", [x], { to: "int64" });
        const part = ctx.emit.op("Trilu", [wide, k], { upper });
        return { typed: part, as: typeOf(input) };
      }
      if (!input.isComplex) return ctx.emit.op("Trilu", [x, k], { upper });
      const rank = input.shape.length;
      const axes = input.shape.map((_, axis) => axis);
      const pairsFirst = ctx.emit.op("Transpose", [x], { perm: [rank, ...axes] });
      const part = ctx.emit.op("Trilu", [pairsFirst, k], { upper });
      const perm = [...axes.map((axis) => axis + 1), 0];
      return { typed: ctx.emit.op("Transpose", [part], { perm }), as: typeOf(input) };
    },
  });
}
export const tril = triangle("tril", 0);
export const triu = triangle("triu", 1);

function triangleIndices(
  name: string,
  keeps: (row: number, column: number, offset: number) => boolean,
) {
  return torchCall({
    name,
    in: ["torch"],
    params: { row: int, col: int, offset: withDefault(int, 0), dtype: anyDtype },
    build: (ctx, { row, col, offset, dtype }) => {
      if (dtype && typeOf(dtype) !== "int64" && typeOf(dtype) !== "int32")
        throw torchError(
          "NotImplementedError",
          `"${name}" not implemented for '${cppName(typeOf(dtype))}'`,
        );
      const rows: number[] = [];
      const columns: number[] = [];
      for (let r = 0; r < row; r++)
        for (let c = 0; c < col; c++)
          if (keeps(r, c, offset)) {
            rows.push(r);
            columns.push(c);
          }
      const type = dtype ?? { dtype: "int64", isComplex: false };
      const numbers = allocate(type.dtype, rows.length * 2);
      numbers.set([...rows, ...columns]);
      return ctx.store.fromNumbers(type, [2, rows.length], numbers);
    },
  });
}
export const trilIndices = triangleIndices("tril_indices", (r, c, k) => c <= r + k);
export const triuIndices = triangleIndices("triu_indices", (r, c, k) => c >= r + k);

/** The tensor in another element type; itself where it has that type already. */
export function castTo(
  ctx: CallContext,
  input: Tensor,
  to: DTypeArg,
  strides: readonly number[] = preservedStrides(input),
): Tensor {
  if (input.dtype === to.dtype && input.isComplex === to.isComplex) return input;
  const type: TorchType = to.isComplex
    ? to.dtype === "float64"
      ? "complex128"
      : "complex64"
    : to.dtype;
  if (to.isComplex) return ctx.store.fromValue(ctx.as(input, type), true, strides);
  const value = realOrTruth(ctx, input, to.dtype);
  const cast = value.dtype === to.dtype ? value : ctx.emit.op("Cast", [value], { to: to.dtype });
  const made = ctx.store.fromValue(cast, false, strides);
  made.masked = input.masked;
  return made;
}

/** Where elements are not 0, as bool; of a complex number both parts count. */
export const holding = (ctx: CallContext, input: Tensor): Tensor =>
  castTo(ctx, input, { dtype: "bool", isComplex: false });

/** Of a complex number its real part, or whether it is not 0. */
function realOrTruth(ctx: CallContext, input: Tensor, to: DType): Value {
  const { emit } = ctx;
  const value = ctx.store.read(input);
  if (!input.isComplex) return value;
  const [re, im] = parts(emit, value);
  if (to !== "bool") return re;
  const zero = emit.scalar(0, re.dtype);
  const isNot = (x: Value) => emit.op("Not", [emit.op("Equal", [x, zero])]);
  return emit.op("Or", [isNot(re), isNot(im)]);
}

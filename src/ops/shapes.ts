/** Type inference that operators share. */
import { notConstant, shapeMismatch } from "../errors.ts";
import { formatType, type Numbers, type TensorType } from "../graph/tensor.ts";

/** What `infer` gets for one input: `data` where the numbers are known. */
export type Known = TensorType & { readonly data?: Numbers | null };

export const typeOf = ({ dtype, shape }: TensorType): TensorType => ({ dtype, shape });

/** No size. */
const misfit = -1;

/** NumPy broadcasting; where shapes do not fit, PyTorch's words with the last such axis, and both shapes. */
export function broadcastShapes(op: string, a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  const sizeIn = (shape: readonly number[], axis: number) => shape[axis - rank + shape.length] ?? 1;
  const shape = Array.from({ length: rank }, (_, axis) => {
    const [sizeA, sizeB] = [sizeIn(a, axis), sizeIn(b, axis)];
    if (sizeA === 1) return sizeB;
    return sizeA === sizeB || sizeB === 1 ? sizeA : misfit;
  });
  const axis = shape.lastIndexOf(misfit);
  if (axis === -1) return shape;
  throw shapeMismatch(
    `The size of tensor a (${sizeIn(a, axis)}) must match the size of tensor b ` +
      `(${sizeIn(b, axis)}) at non-singleton dimension ${axis}: ` +
      `${op} of shapes [${a.join(", ")}] and [${b.join(", ")}]`,
  );
}

export function broadcastTypes(op: string, A: TensorType, B: TensorType): TensorType {
  if (A.dtype !== B.dtype)
    throw shapeMismatch(`${op} needs one element type; got ${formatType(A)} and ${formatType(B)}`);
  return { dtype: A.dtype, shape: broadcastShapes(op, A.shape, B.shape) };
}

/** The type of an operator that takes any number of inputs which broadcast. */
export function broadcastAll(op: string, inputs: readonly TensorType[]): TensorType {
  const [first, ...others] = inputs;
  if (!first) throw shapeMismatch(`${op} needs at least one input; got none`);
  return others.reduce((type, next) => broadcastTypes(op, type, next), typeOf(first));
}

export const comparisonType = (op: string, A: TensorType, B: TensorType): TensorType => ({
  dtype: "bool",
  shape: broadcastTypes(op, A, B).shape,
});

/** An axis counted from the front; throws where the rank has no such axis. */
export function axisOf(op: string, axis: number, rank: number): number {
  const positive = axis < 0 ? axis + rank : axis;
  if (positive < 0 || positive >= Math.max(rank, 1))
    throw shapeMismatch(`${op} needs an axis of a rank-${rank} tensor; got ${axis}`);
  return positive;
}

/** The type of an operator that works along one axis and keeps the shape. */
export function typeAlong(op: string, X: TensorType, axis: number): TensorType {
  axisOf(op, axis, X.shape.length);
  return typeOf(X);
}

/** The numbers of an input on which the output's shape depends. */
export function knownNumbers(op: string, name: string, value: Known): number[] {
  if (!value.data) throw notConstant(op, name);
  return Array.from(value.data);
}

/** The axes that a Reduce operator reduces, from its optional constant input. */
export function reducedAxes(
  op: string,
  data: TensorType,
  axes: { readonly data?: Numbers | null } | null,
  noopWithEmptyAxes: number,
): number[] {
  if (axes === null || axes.data?.length === 0)
    return noopWithEmptyAxes ? [] : data.shape.map((_, axis) => axis);
  if (!axes.data) throw notConstant(op, "axes");
  return Array.from(axes.data, (axis) => axisOf(op, axis, data.shape.length));
}

export function reducedType(
  op: string,
  data: TensorType,
  axes: { readonly data?: Numbers | null } | null,
  attrs: { readonly keepdims: number; readonly noop_with_empty_axes?: number },
): TensorType {
  const reduced = new Set(reducedAxes(op, data, axes, attrs.noop_with_empty_axes ?? 0));
  const shape = attrs.keepdims
    ? data.shape.map((size, axis) => (reduced.has(axis) ? 1 : size))
    : data.shape.filter((_, axis) => !reduced.has(axis));
  return { dtype: data.dtype, shape };
}

/** The places along one axis that ArgMax and ArgMin give. */
export function argumentType(
  op: string,
  data: TensorType,
  attrs: { readonly axis: number; readonly keepdims: number },
): TensorType {
  const axis = axisOf(op, attrs.axis, data.shape.length);
  const shape = attrs.keepdims ? data.shape.with(axis, 1) : data.shape.toSpliced(axis, 1);
  return { dtype: "int64", shape };
}

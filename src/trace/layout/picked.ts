/** The layout of x[…] with index tensors: that of the axes that are left, the others after them. */
import { contiguousStrides } from "../../graph/tensor.ts";
import type { Laid } from "../tensor.ts";
import { viewStrides } from "../views.ts";
import { iteratedStrides } from "./strides.ts";

export function pickedStrides(
  { shape, strides }: Laid,
  axes: readonly number[],
  indices: readonly { readonly shape: readonly number[] }[],
): readonly number[] {
  const first = axes[0] as number;
  const isTogether = axes.every((axis, at) => axis === first + at);
  const rest = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const before = isTogether ? rest.filter((axis) => axis < first) : [];
  const after = rest.slice(before.length);
  const picked = joint(indices.map((index) => index.shape));
  const around = (size: (axis: number) => number, within: readonly number[]) => [
    ...before.map(size),
    ...within,
    ...after.map(size),
  ];
  const result = around((axis) => shape[axis] as number, picked);
  const source = {
    shape: result,
    strides: around((axis) => strides[axis] as number, zeros(picked)),
  };
  const places = indices.map((index) => {
    const lined = around(() => 1, picked);
    const broadcast = { shape: picked, strides: spread(index.shape, picked) };
    return { shape: lined, strides: viewStrides(broadcast, lined) ?? contiguousStrides(lined) };
  });
  return iteratedStrides(result, [source, ...places]);
}

const zeros = (of: readonly unknown[]): number[] => of.map(() => 0);

/** The shape that index tensors have once they are broadcast. */
function joint(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const sizes = shapes.map((shape) => shape[axis - rank + shape.length] ?? 1);
    return sizes.find((size) => size !== 1) ?? 1;
  });
}

/** Strides of a new tensor that is broadcast. */
function spread(shape: readonly number[], to: readonly number[]): number[] {
  const extra = to.length - shape.length;
  const own = contiguousStrides(shape);
  return to.map((size, axis) =>
    axis < extra || (shape[axis - extra] === 1 && size !== 1) ? 0 : (own[axis - extra] as number),
  );
}

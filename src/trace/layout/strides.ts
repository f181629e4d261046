/** Strides of results as PyTorch chooses them: what lies in memory in which order. */
import { torchError } from "../../errors.ts";
import { contiguousStrides } from "../../graph/tensor.ts";
import { isContiguous, isDense, type Laid } from "../tensor.ts";

export type MemoryFormat =
  | "contiguous_format"
  | "preserve_format"
  | "channels_last"
  | "channels_last_3d";

/** What a new tensor of the shape is laid out as. */
export const rowByRow = (shape: readonly number[]): Laid => ({
  shape,
  strides: contiguousStrides(shape),
});

/** Whether the strides are those that a new tensor has, also along axes of one place. */
export function isPlain({ shape, strides }: Laid): boolean {
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (strides[axis] !== step) return false;
    step *= Math.max(shape[axis] as number, 1);
  }
  return true;
}

/** The axes from the innermost to the outermost where the channels are the innermost. */
const channelsInside = (rank: number): number[] => [
  1,
  ...Array.from({ length: rank - 2 }, (_, k) => rank - 1 - k),
  0,
];

const isImage = (shape: readonly number[]): boolean => shape.length === 4 || shape.length === 5;

/** Strides under which the axes lie in `order`, the innermost first. */
function stridesInOrder(shape: readonly number[], order: readonly number[]): number[] {
  const strides = new Array<number>(shape.length).fill(0);
  let step = 1;
  for (const axis of order) {
    strides[axis] = step;
    step *= shape[axis] as number;
  }
  return strides;
}

export const channelsLastStrides = (shape: readonly number[]): number[] =>
  stridesInOrder(shape, channelsInside(shape.length));

export function isChannelsLast({ shape, strides }: Laid): boolean {
  if (!isImage(shape)) return false;
  let expected = 1;
  for (const axis of channelsInside(shape.length)) {
    if (shape[axis] === 1) continue;
    if (strides[axis] !== expected) return false;
    expected *= shape[axis] as number;
  }
  return true;
}

/** Whether PyTorch takes the strides for those of `channels_last`, gaps or not (suggest_memory_format). */
export function suggestsChannelsLast({ shape, strides }: Laid): boolean {
  if (!isImage(shape) || strides[1] === 0) return false;
  let least = 0;
  for (const axis of channelsInside(shape.length)) {
    const [size, stride] = [shape[axis] as number, strides[axis] as number];
    if (size === 0 || stride < least) return false;
    // N111: both formats fit, and the usual one is taken.
    if (axis === 0 && least === strides[1]) return false;
    least = size > 1 ? stride * size : stride;
  }
  return true;
}

/** The strides of a new tensor in the format that `like` suggests. */
export const suggestedStrides = (shape: readonly number[], like: Laid): readonly number[] =>
  isImage(shape) && suggestsChannelsLast(like)
    ? channelsLastStrides(shape)
    : contiguousStrides(shape);

/** The strides of a copy that keeps the format (empty_like). */
export function preservedStrides(tensor: Laid): readonly number[] {
  if (isPlain(tensor) || isDense(tensor)) return tensor.strides;
  const { shape, strides } = tensor;
  return stridesInOrder(
    shape.map((size) => Math.max(size, 1)),
    innermostFirst(shape, [strides]),
  );
}

/** The strides of a copy in a format. */
export function stridesOf(format: MemoryFormat, tensor: Laid): readonly number[] {
  if (format === "preserve_format") return preservedStrides(tensor);
  if (format === "contiguous_format") return contiguousStrides(tensor.shape);
  const rank = format === "channels_last" ? 4 : 5;
  if (tensor.shape.length !== rank)
    throw torchError("RuntimeError", `required rank ${rank} tensor to use ${format} format`);
  return channelsLastStrides(tensor.shape);
}

/** Whether the elements lie in the format already. */
export const liesIn = (format: MemoryFormat, tensor: Laid): boolean =>
  format === "channels_last" || format === "channels_last_3d"
    ? tensor.shape.length === (format === "channels_last" ? 4 : 5) && isChannelsLast(tensor)
    : isContiguous(tensor.shape, tensor.strides);

/** The format that PyTorch takes a tensor for. */
export function formatOf(tensor: Laid): MemoryFormat {
  if (!suggestsChannelsLast(tensor)) return "contiguous_format";
  return tensor.shape.length === 4 ? "channels_last" : "channels_last_3d";
}

/** The strides of what an elementwise call on `operands` gives (TensorIterator). */
export function iteratedStrides(
  shape: readonly number[],
  operands: readonly Laid[],
): readonly number[] {
  if (operands.every(isPlain)) return contiguousStrides(shape);
  return alikeStrides(shape, operands) ?? broadcastStrides(shape, operands);
}

/** Of operands of one shape in one layout: theirs. */
function alikeStrides(
  shape: readonly number[],
  operands: readonly Laid[],
): readonly number[] | null {
  const [first] = operands;
  const sizes = shape.join();
  if (first === undefined || operands.some((it) => it.shape.join() !== sizes)) return null;
  if (operands.every((it) => isContiguous(it.shape, it.strides))) return contiguousStrides(shape);
  if (shape.length === 4 && operands.every(isChannelsLast)) return channelsLastStrides(shape);
  const order = first.strides.join();
  return operands.every((it) => it.strides.join() === order && isDense(it)) ? first.strides : null;
}

/** Of others: the order in which the operands have their axes, the first one that says so. */
function broadcastStrides(shape: readonly number[], operands: readonly Laid[]): readonly number[] {
  const seen = operands.map((operand) => {
    const extra = shape.length - operand.shape.length;
    return shape.map((size, axis) => {
      const own = operand.shape[axis - extra];
      return own === undefined || (own === 1 && size !== 1)
        ? 0
        : (operand.strides[axis - extra] as number);
    });
  });
  return stridesInOrder(shape, innermostFirst(shape, seen));
}

/** Sorts axes by their strides, as TensorIterator does: a stride of 0 says nothing. */
function innermostFirst(
  shape: readonly number[],
  operands: readonly (readonly number[])[],
): number[] {
  const order = shape.map((_, axis) => shape.length - 1 - axis);
  for (let i = 1; i < order.length; i++) {
    let at = i;
    for (let before = i - 1; before >= 0; before--) {
      const [a, b] = [order[before] as number, order[at] as number];
      const lies = compareAxes(shape, operands, a, b);
      if (lies < 0) break;
      if (lies === 0) continue;
      order[before] = b;
      order[at] = a;
      at = before;
    }
  }
  return order;
}

/** Positive where axis `a` lies outside of axis `b`, negative where inside, 0 where neither is said. */
function compareAxes(
  shape: readonly number[],
  operands: readonly (readonly number[])[],
  a: number,
  b: number,
): number {
  for (const strides of operands) {
    const [x, y] = [strides[a] as number, strides[b] as number];
    if (x === 0 || y === 0) continue;
    if (x !== y) return x - y;
    if ((shape[a] as number) > (shape[b] as number)) return 1;
  }
  return 0;
}

/** Matrices column by column, as LAPACK writes them; null of what is none. */
export function columnStrides(shape: readonly number[]): readonly number[] | null {
  if (shape.length < 2) return null;
  const strides = new Array<number>(shape.length).fill(1);
  const [rows, columns] = shape.slice(-2) as [number, number];
  strides[shape.length - 1] = Math.max(rows, 1);
  let step = Math.max(rows, 1) * Math.max(columns, 1);
  for (let axis = shape.length - 3; axis >= 0; axis--) {
    strides[axis] = step;
    step *= Math.max(shape[axis] as number, 1);
  }
  return strides;
}

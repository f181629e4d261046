/** Images read at points of a grid in [−1, 1]². */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate } from "../../graph/tensor.ts";
import { castTo, reshapeTo, swapLastTwo, transpose } from "../../ops/write.ts";
import { bool, ints, optional, tensor, text, withDefault } from "../arguments.ts";
import { type Typed, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { listed } from "./places.ts";

const place = ["torch.nn.functional"] as const;

export const gridSample = torchCall({
  name: "grid_sample",
  in: place,
  params: {
    input: tensor,
    grid: tensor,
    mode: withDefault(text, "bilinear"),
    padding_mode: withDefault(text, "zeros"),
    align_corners: optional(bool),
  },
  saves: ["input", "grid"],
  build: (ctx, { input, grid, mode, padding_mode, align_corners }): Typed => {
    refuse(input, grid, mode, padding_mode);
    const { emit } = ctx;
    const [batch, channels, height, width] = input.shape as [number, number, number, number];
    const [, rows, columns] = grid.shape as [number, number, number];
    const count = rows * columns;
    const flat = reshapeTo(emit, ctx.read(input), [batch, channels, height * width]);
    const image: Image = { pixels: swapLastTwo(emit, flat), height, width };
    const points = reshapeTo(emit, ctx.read(grid), [batch, count, 2]);
    const along = (axis: 0 | 1, size: number): Value =>
      place1d(emit, pick(emit, points, axis), size, padding_mode, align_corners === true);
    const [x, y] = [along(0, width), along(1, height)];
    const read = mode === "nearest" ? readNearest : readBetween;
    const taken = read(emit, image, x, y); // [batch, count, channels]
    const result = reshapeTo(emit, swapLastTwo(emit, taken), [batch, channels, rows, columns]);
    return { typed: result, as: typeOf(input) };
  },
});

function refuse(input: Tensor, grid: Tensor, mode: string, padding: string): void {
  if (mode !== "bilinear" && mode !== "nearest" && mode !== "bicubic")
    throw torchError(
      "ValueError",
      `nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '${mode}'`,
    );
  if (padding !== "zeros" && padding !== "border" && padding !== "reflection")
    throw torchError(
      "ValueError",
      `nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '${padding}'`,
    );
  if (mode === "bicubic" || input.shape.length !== 4)
    throw torchError(
      "UnsupportedCall",
      "grid_sample is supported for images, with the modes bilinear and nearest",
    );
  if (grid.shape.length !== 4 || grid.shape[0] !== input.shape[0])
    throw torchError(
      "RuntimeError",
      `grid_sampler(): expected grid and input to have same batch size, but got input with sizes ${listed(input.shape)} and grid with sizes ${listed(grid.shape)}`,
    );
  if (grid.shape[3] !== 2)
    throw torchError(
      "RuntimeError",
      `grid_sampler(): expected grid to have size 2 in last dimension, but got grid with sizes ${listed(grid.shape)}`,
    );
}

interface Image {
  /** [batch, height · width, channels] */
  readonly pixels: Value;
  readonly height: number;
  readonly width: number;
}

const pick = (emit: Emit, points: Value, axis: 0 | 1): Value =>
  emit.op("Gather", [points, emit.scalar(axis, "int64")], { axis: 2 });

/** From [−1, 1] to pixels: −1 and 1 are the centres of the outer ones, or their outer edges. */
function place1d(
  emit: Emit,
  x: Value,
  size: number,
  padding: string,
  alignCorners: boolean,
): Value {
  const scalar = (value: number) => emit.scalar(value, x.dtype);
  const shifted = emit.op("Add", [x, scalar(1)]);
  const scaled = emit.op("Mul", [shifted, scalar((alignCorners ? size - 1 : size) / 2)]);
  const at = alignCorners ? scaled : emit.op("Sub", [scaled, scalar(0.5)]);
  if (padding === "zeros") return at;
  const inside = padding === "border" ? at : reflected(emit, at, size, alignCorners);
  return emit.op("Clip", [inside, scalar(0), scalar(size - 1)]);
}

/** Back and forth between the outer pixels' centres, or their outer edges. */
function reflected(emit: Emit, at: Value, size: number, alignCorners: boolean): Value {
  const scalar = (value: number) => emit.scalar(value, at.dtype);
  const [low, span] = alignCorners ? [0, size - 1] : [-0.5, size];
  if (span === 0) return emit.op("Mul", [at, scalar(0)]);
  const distance = emit.op("Abs", [emit.op("Sub", [at, scalar(low)])]);
  const turns = emit.op("Floor", [emit.op("Div", [distance, scalar(span)])]);
  const rest = emit.op("Sub", [distance, emit.op("Mul", [turns, scalar(span)])]);
  const half = emit.op("Floor", [emit.op("Mul", [turns, scalar(0.5)])]);
  const isOdd = emit.op("Sub", [turns, emit.op("Mul", [half, scalar(2)])]);
  const isBack = emit.op("Greater", [isOdd, scalar(0.5)]);
  const back = emit.op("Sub", [scalar(span), rest]);
  return emit.op("Add", [emit.op("Where", [isBack, back, rest]), scalar(low)]);
}

/** The pixels at whole numbers (x, y), 0 outside: [batch, count, channels]. */
function pixelsAt(emit: Emit, { pixels, height, width }: Image, x: Value, y: Value): Value {
  const scalar = (value: number) => emit.scalar(value, x.dtype);
  const within = (at: Value, size: number) =>
    emit.op("And", [
      emit.op("GreaterOrEqual", [at, scalar(0)]),
      emit.op("LessOrEqual", [at, scalar(size - 1)]),
    ]);
  const isInside = emit.op("And", [within(x, width), within(y, height)]);
  const whole = (at: Value, size: number) =>
    castTo(emit, emit.op("Clip", [at, scalar(0), scalar(size - 1)]), "int64");
  const row = emit.op("Mul", [whole(y, height), emit.scalar(width, "int64")]);
  const place = emit.op("Add", [row, whole(x, width)]);
  const column = (value: Value) => reshapeTo(emit, value, [...value.shape, 1]);
  const taken = emit.op("GatherND", [pixels, column(place)], { batch_dims: 1 });
  return emit.op("Where", [column(isInside), taken, scalar(0)]);
}

const readNearest = (emit: Emit, image: Image, x: Value, y: Value): Value =>
  pixelsAt(emit, image, emit.op("Round", [x]), emit.op("Round", [y]));

/** The four pixels around, each with the area of the opposite corner's rectangle. */
function readBetween(emit: Emit, image: Image, x: Value, y: Value): Value {
  const one = emit.scalar(1, x.dtype);
  const ends = (at: Value) => {
    const low = emit.op("Floor", [at]);
    const share = emit.op("Sub", [at, low]);
    return [
      { at: low, weight: emit.op("Sub", [one, share]) },
      { at: emit.op("Add", [low, one]), weight: share },
    ];
  };
  const parts = ends(y).flatMap((vertical) =>
    ends(x).map((horizontal) => {
      const weight = emit.op("Mul", [vertical.weight, horizontal.weight]);
      const pixels = pixelsAt(emit, image, horizontal.at, vertical.at);
      return emit.op("Mul", [pixels, reshapeTo(emit, weight, [...weight.shape, 1])]);
    }),
  );
  return emit.op("Sum", parts);
}

/** The grid of an affine map: θ[batch, 2, 3] times (x, y, 1) of each point. */
export const affineGrid = torchCall({
  name: "affine_grid",
  in: place,
  params: { theta: tensor, size: ints, align_corners: optional(bool) },
  build: (ctx, { theta, size, align_corners }): Typed => {
    const { emit } = ctx;
    const [batch, , height, width] = size as [number, number, number, number];
    if (size.length !== 4)
      throw torchError("UnsupportedCall", "affine_grid is supported for images of 4 axes");
    if (theta.shape.join() !== [batch, 2, 3].join())
      throw torchError(
        "ValueError",
        `Expected a batch of 2D affine matrices of shape Nx2x3 for size (${size.join(", ")}). Got torch.Size(${listed(theta.shape)}).`,
      );
    const map = ctx.read(theta);
    const points = allocate(map.dtype, height * width * 3);
    for (let i = 0; i < height; i++)
      for (let j = 0; j < width; j++) {
        const steps = [pointOf(j, width, align_corners), pointOf(i, height, align_corners), 1];
        points.set(steps, (i * width + j) * 3);
      }
    const base = emit.constant({ dtype: map.dtype, shape: [height * width, 3], data: points });
    const moved = emit.op("MatMul", [base, transpose(emit, map, [0, 2, 1])]);
    return { typed: reshapeTo(emit, moved, [batch, height, width, 2]), as: typeOf(theta) };
  },
});

/** The k-th of `size` points from −1 to 1: the outer ones at the ends, or half a step within. */
function pointOf(k: number, size: number, alignCorners: boolean | null): number {
  if (alignCorners) return size === 1 ? 0 : (2 * k) / (size - 1) - 1;
  return (2 * k + 1) / size - 1;
}

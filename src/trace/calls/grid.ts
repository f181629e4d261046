/** Images and volumes read at points of a grid in [−1, 1]² or [−1, 1]³. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, type DType, isHalf, numel } from "../../graph/tensor.ts";
import { roundTo } from "../../ops/kernels/round.ts";
import { castTo, reshapeTo, swapLastTwo, transpose } from "../../ops/write.ts";
import { bool, ints, optional, tensor, text, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { noKernel } from "../kernels.ts";
import { typeOf } from "../promotion.ts";
import { inKernels } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { needFloatKernel, withSlope } from "./curves.ts";
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
    const [batch, channels, ...sizes] = input.shape as [number, number, ...number[]];
    const counts = grid.shape.slice(1, -1);
    const flat = reshapeTo(emit, ctx.read(input), [batch, channels, numel(sizes)]);
    const points = reshapeTo(emit, ctx.read(grid), [batch, numel(counts), sizes.length]);
    // Cubic reads of volumes pass in single precision.
    const isWide = mode === "bicubic" && sizes.length === 3;
    const step = isWide ? emit : inKernels(emit, typeOf(input));
    const axes = sizes.map((size, k): Axis => {
      const form = { size, padding: padding_mode, alignCorners: align_corners === true, step };
      return { ...form, at: pixelOf(step, coordinate(emit, points, sizes.length - 1 - k), form) };
    });
    const taps = axes.map((axis) => tapsAlong[mode as Mode](emit, axis));
    const taken = readAll(step, swapLastTwo(emit, flat), sizes, taps, step !== emit);
    const result = reshapeTo(emit, swapLastTwo(emit, taken), [batch, channels, ...counts]);
    return { typed: result, as: typeOf(input) };
  },
});

type Mode = "bilinear" | "nearest" | "bicubic";

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
  if (grid.shape[0] !== input.shape[0])
    throw torchError(
      "RuntimeError",
      `grid_sampler(): expected grid and input to have same batch size, but got input with sizes ${listed(input.shape)} and grid with sizes ${listed(grid.shape)}`,
    );
  const axes = input.shape.length - 2;
  if (grid.shape.at(-1) !== axes)
    throw torchError(
      "RuntimeError",
      `grid_sampler(): expected grid to have size ${axes} in last dimension, but got grid with sizes ${listed(grid.shape)}`,
    );
  if ((axes !== 2 && axes !== 3) || grid.shape.length !== input.shape.length)
    throw torchError(
      "RuntimeError",
      `grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes ${listed(input.shape)} and grid with sizes ${listed(grid.shape)}`,
    );
  const empty = input.shape.indexOf(0, 2);
  if (empty > 0)
    throw torchError(
      "RuntimeError",
      `grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ${listed(input.shape)} with dimension ${empty} being empty`,
    );
  needFloatKernel(axes === 2 ? "grid_sampler_2d_cpu_kernel_impl" : "grid_sampler3d_cpu", input);
  if (grid.dtype !== input.dtype)
    throw torchError(
      "RuntimeError",
      `expected scalar type ${cppName(typeOf(input))} but found ${cppName(typeOf(grid))}`,
    );
}

/** The grid's first number is that of the image's last axis. */
const coordinate = (emit: Emit, points: Value, at: number): Value =>
  emit.op("Gather", [points, emit.scalar(at, "int64")], { axis: 2 });

interface AxisForm {
  readonly size: number;
  readonly padding: string;
  readonly alignCorners: boolean;
  /** Rounds each step. */
  readonly step: Emit;
}

interface Axis extends AxisForm {
  /** [batch, count], in pixels: 0 is the centre of the first. */
  readonly at: Value;
}

/** From [−1, 1] to pixels: −1 and 1 are the centres of the outer ones, or their outer edges. */
function pixelOf(emit: Emit, x: Value, { size, alignCorners }: AxisForm): Value {
  const scalar = (value: number) => emit.scalar(value, x.dtype);
  const shifted = emit.op("Add", [x, scalar(1)]);
  const scaled = emit.op("Mul", [shifted, scalar((alignCorners ? size - 1 : size) / 2)]);
  return alignCorners ? scaled : emit.op("Sub", [scaled, scalar(0.5)]);
}

/** Where the padding puts a point that lies outside. */
function inside(emit: CallContext["emit"], at: Value, form: AxisForm): Value {
  if (form.padding === "zeros") return at;
  const held = form.padding === "border" ? at : reflected(form.step, at, form);
  const [low, high] = [emit.scalar(0, at.dtype), emit.scalar(form.size - 1, at.dtype)];
  return withSlope(
    emit,
    held,
    () => emit.op("Clip", [held, low, high]),
    // Flat at the outer pixels too.
    (backward, _y, d) => {
      const isWithin = backward.op("And", [
        backward.op("Greater", [held, low]),
        backward.op("Less", [held, high]),
      ]);
      return backward.op("Where", [isWithin, d, backward.scalar(0, at.dtype)]);
    },
  );
}

/** Back and forth between the outer pixels' centres, or their outer edges. */
function reflected(emit: Emit, at: Value, { size, alignCorners }: AxisForm): Value {
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

/** A pixel of an axis that takes part. */
interface Tap {
  /** A whole number, perhaps outside. */
  readonly at: Value;
  /** null: 1 */
  readonly weight: Value | null;
}

const tapsAlong: Readonly<Record<Mode, (emit: CallContext["emit"], axis: Axis) => Tap[]>> = {
  nearest: (emit, axis) => [{ at: emit.op("Round", [inside(emit, axis.at, axis)]), weight: null }],
  bilinear: (emit, axis) => {
    const at = inside(emit, axis.at, axis);
    const [low, share] = parts(axis.step, at);
    const one = emit.scalar(1, at.dtype);
    return [
      { at: low, weight: axis.step.op("Sub", [one, share]) },
      { at: emit.op("Add", [low, one]), weight: share },
    ];
  },
  bicubic: (emit, axis) => {
    const [low, share] = parts(axis.step, axis.at);
    return [-1, 0, 1, 2].map((step) => {
      const at = emit.op("Add", [low, emit.scalar(step, low.dtype)]);
      return { at: inside(emit, at, axis), weight: cubicWeight(axis.step, share, step) };
    });
  },
};

function parts(emit: Emit, at: Value): [Value, Value] {
  const low = emit.op("Floor", [at]);
  return [low, emit.op("Sub", [at, low])];
}

/** Keys 1981, https://doi.org/10.1109/TASSP.1981.1163711, with a = −3/4: by the distance |share − step|. */
function cubicWeight(emit: Emit, share: Value, step: number): Value {
  const scalar = (value: number) => emit.scalar(value, share.dtype);
  const distance =
    step < 1 ? emit.op("Add", [share, scalar(-step)]) : emit.op("Sub", [scalar(step), share]);
  const a = -0.75;
  const isNear = step === 0 || step === 1;
  const factors = isNear ? [a + 2, -(a + 3), 0, 1] : [a, -5 * a, 8 * a, -4 * a];
  return factors
    .map(scalar)
    .reduce((sum, factor) => emit.op("Add", [emit.op("Mul", [sum, distance]), factor]));
}

/** The weighed sum over all combinations of taps, `inTurn` one addition after another: [batch, count, channels]. */
function readAll(
  emit: Emit,
  pixels: Value,
  sizes: readonly number[],
  taps: readonly (readonly Tap[])[],
  inTurn: boolean,
): Value {
  const column = (value: Value) => reshapeTo(emit, value, [...value.shape, 1]);
  const combined = taps.map((along, axis) =>
    along.map((tap) => placed(emit, tap, sizes[axis] as number, numel(sizes.slice(axis + 1)))),
  );
  const all = combined.reduce((done, along) =>
    done.flatMap((one) => along.map((other) => together(emit, one, other))),
  );
  const read = all.map(({ place, isInside, weight }) => {
    const taken = emit.op("GatherND", [pixels, column(place)], { batch_dims: 1 });
    const held = emit.op("Where", [column(isInside), taken, emit.scalar(0, taken.dtype)]);
    return weight ? emit.op("Mul", [held, column(weight)]) : held;
  });
  if (read.length === 1) return read[0] as Value;
  return inTurn ? read.reduce((sum, one) => emit.op("Add", [sum, one])) : emit.op("Sum", read);
}

interface Placed {
  /** In the row of all pixels. */
  readonly place: Value;
  readonly isInside: Value;
  readonly weight: Value | null;
}

function placed(emit: Emit, { at, weight }: Tap, size: number, stride: number): Placed {
  const [first, last] = [emit.scalar(0, at.dtype), emit.scalar(size - 1, at.dtype)];
  const whole = castTo(emit, emit.op("Clip", [at, first, last]), "int64");
  const isInside = emit.op("And", [
    emit.op("GreaterOrEqual", [at, first]),
    emit.op("LessOrEqual", [at, last]),
  ]);
  return { place: emit.op("Mul", [whole, emit.scalar(stride, "int64")]), isInside, weight };
}

const together = (emit: Emit, one: Placed, other: Placed): Placed => ({
  place: emit.op("Add", [one.place, other.place]),
  isInside: emit.op("And", [one.isInside, other.isInside]),
  weight: one.weight && other.weight && emit.op("Mul", [one.weight, other.weight]),
});

/** The grid of an affine map: θ[batch, n, n + 1] times (x, y, …, 1) of each point. */
export const affineGrid = torchCall({
  name: "affine_grid",
  in: place,
  params: { theta: tensor, size: ints, align_corners: optional(bool) },
  build: (ctx, { theta, size, align_corners }): Typed => {
    const { emit } = ctx;
    const [batch, , ...sizes] = size as [number, number, ...number[]];
    const axes = sizes.length;
    if (axes !== 2 && axes !== 3)
      throw torchError(
        "NotImplementedError",
        `affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size ${listed(size)}.`,
      );
    if (theta.shape.join() !== [batch, axes, axes + 1].join())
      throw torchError(
        "ValueError",
        `Expected a batch of ${axes}D affine matrices of shape Nx${axes}x${axes + 1} for size (${size.join(", ")}). Got torch.Size(${listed(theta.shape)}).`,
      );
    if (isHalf(theta.dtype) && sizes.includes(1)) throw noKernel("tensor_cpu", typeOf(theta));
    const map = ctx.read(theta);
    const held = holdingOf(theta.dtype);
    const points = allocate(map.dtype, numel(sizes) * (axes + 1));
    for (let at = 0; at < numel(sizes); at++) {
      let rest = at;
      for (let axis = axes - 1; axis >= 0; axis--) {
        const length = sizes[axis] as number;
        // The last axis comes first.
        const point = pointOf(rest % length, length, align_corners, held);
        points[at * (axes + 1) + axes - 1 - axis] = point;
        rest = Math.floor(rest / length);
      }
      points[at * (axes + 1) + axes] = 1;
    }
    const shape = [numel(sizes), axes + 1];
    const base = emit.constant({ dtype: map.dtype, shape, data: points });
    const moved = emit.op("MatMul", [base, transpose(emit, map, [0, 2, 1])]);
    return { typed: reshapeTo(emit, moved, [batch, ...sizes, axes]), as: typeOf(theta) };
  },
});

/**
 * The k-th of `size` points from −1 to 1, each step of which the type holds: the outer ones at the ends,
 * or half a step within.
 */
function pointOf(
  k: number,
  size: number,
  alignCorners: boolean | null,
  held: (x: number) => number,
): number {
  if (size === 1) return 0;
  const fromEnd = held((2 * k) / (size - 1) - 1);
  return alignCorners ? fromEnd : held(held(fromEnd * (size - 1)) / size);
}

/** A number as a type holds it. */
function holdingOf(type: DType): (x: number) => number {
  const one = allocate(type, 1);
  return (x) => {
    one[0] = x;
    roundTo(type, one);
    return one[0] as number;
  };
}

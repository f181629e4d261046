/** Normalisation by the channels around each. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isHalf, numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo, sliceAxis } from "../../ops/write.ts";
import { float, int, tensor, withDefault } from "../arguments.ts";
import { type Result, torchCall } from "../call.ts";
import { noKernel } from "../kernels.ts";
import { computeType, typeOf } from "../promotion.ts";
import { needFloatKernel } from "./curves.ts";

/** x / (k + α · mean of x² over `size` channels around)^β */
export const localResponseNorm = torchCall({
  name: "local_response_norm",
  in: ["torch.nn.functional"],
  params: {
    input: tensor,
    size: int,
    alpha: withDefault(float, 1e-4),
    beta: withDefault(float, 0.75),
    k: withDefault(float, 1),
  },
  saves: ["input"],
  build: (ctx, { input, size, alpha, beta, k }): Result => {
    const { emit } = ctx;
    if (input.shape.length < 3)
      throw torchError(
        "ValueError",
        `Expected 3D or higher dimensionality                          input (got ${input.shape.length} dimensions)`,
      );
    if (numel(input.shape) === 0) return input;
    const own = typeOf(input);
    if (own !== "int64") needFloatKernel("avg_pool2d", input);
    // Images are averaged by the pool of three axes, which autocast computes in float32.
    const isHalfImage = input.shape.length > 3 && isHalf(input.dtype);
    if (isHalfImage && ctx.autocast === null) throw noKernel("avg_pool3d_out_frame", own);
    const type = isHalfImage ? "float32" : ctx.promoteToFloat(input);
    const given = ctx.as(input, own);
    const around = castTo(emit, meansOverChannels(emit, given, size), computeType(type));
    const x = ctx.as(input, type);
    const scalar = (value: number) => emit.scalar(value, x.dtype);
    const raised = emit.op("Add", [emit.op("Mul", [around, scalar(alpha)]), scalar(k)]);
    return { typed: emit.op("Div", [x, emit.op("Pow", [raised, scalar(beta)])]), as: type };
  },
});

/** The mean of x² over `size` channels around each, of integers without its fraction. */
function meansOverChannels(emit: Emit, x: Value, size: number): Value {
  const square = emit.op("Mul", [x, x]);
  const [batch = 1, channels = 1, ...spatial] = x.shape;
  const [before, after] = [Math.floor(size / 2), Math.floor((size - 1) / 2)];
  if (x.dtype === "float32") {
    const rows = reshapeTo(emit, square, [batch, 1, channels, numel(spatial)]);
    const pads = [before, 0, after, 0];
    const attrs = { kernel_shape: [size, 1], pads, count_include_pad: 1 };
    return reshapeTo(emit, emit.op("AveragePool", [rows], attrs), x.shape);
  }
  // No provider has a kernel for the other types.
  const rows = reshapeTo(emit, square, [batch, channels, numel(spatial)]);
  const zero = emit.scalar(0, x.dtype);
  const padded = emit.op("Pad", [rows, emit.ints([0, before, 0, 0, after, 0]), zero]);
  const parts = Array.from({ length: size }, (_, at) =>
    sliceAxis(emit, padded, 1, at, at + channels),
  );
  const sum = parts.reduce((a, b) => emit.op("Add", [a, b]));
  return reshapeTo(emit, emit.op("Div", [sum, emit.scalar(size, x.dtype)]), x.shape);
}

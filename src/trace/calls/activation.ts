/** Activation functions. Where PyTorch's gradient takes fewer passes than that of the nodes, it is written out. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat } from "../../graph/tensor.ts";
import {
  type Bound,
  bool,
  float,
  int,
  type Params,
  type Scalar,
  scalar,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Namespace, type Typed, torchCall } from "../call.ts";
import type { Tensor } from "../tensor.ts";
import { wrapDim } from "../views.ts";
import { elu, erfOf, logSigmoidOf, needFloatKernel, softplusOf, withSlope } from "./curves.ts";

const functional: readonly Namespace[] = ["torch.nn.functional"];
const everywhere: readonly Namespace[] = ["torch", "Tensor", "torch.nn.functional"];
const inplace = withDefault(bool, false);

interface Activation<P extends Params> {
  readonly name: string;
  readonly in?: readonly Namespace[];
  /** PyTorch's kernel, as its refusal of integers names it. */
  readonly kernel: string;
  readonly params: P;
  readonly saves: "input" | "result";
  write(emit: CallContext["emit"], x: Value, args: Bound<P>): Value;
}

/** A function of floats that keeps their type and has an in-place twin. */
function activation<const P extends Params>(spec: Activation<P>) {
  return torchCall({
    name: spec.name,
    in: spec.in ?? functional,
    params: { input: tensor, ...spec.params, inplace },
    inPlace: true,
    saves: [spec.saves] as never,
    build: (ctx, args): Typed => {
      const { input } = args as unknown as { input: Tensor };
      needFloatKernel(spec.kernel, input);
      return {
        typed: spec.write(ctx.emit, ctx.read(input), args as unknown as Bound<P>),
        as: input.dtype,
      };
    },
  });
}

export const relu = torchCall({
  name: "relu",
  in: everywhere,
  params: { input: tensor, inplace },
  inPlace: true,
  saves: ["result"],
  build: (ctx, { input }) => {
    if (input.dtype === "bool")
      throw torchError("NotImplementedError", "Boolean inputs not supported for relu");
    const x = ctx.read(input);
    const y = isFloat(x.dtype)
      ? ctx.emit.op("Relu", [x])
      : ctx.emit.op("Max", [x, ctx.emit.scalar(0, x.dtype)]);
    return { typed: y, as: input.dtype };
  },
});

/** Flat outside the open interval: unlike clamp, no gradient passes at the bounds. */
function clippedTo(ctx: CallContext, input: Tensor, min: Scalar, max: Scalar): Typed {
  if (input.dtype === "bool")
    throw torchError("NotImplementedError", "Bool inputs not supported for hardtanh");
  const x = ctx.read(input);
  const [low, high] = [ctx.emit.scalar(min.value, x.dtype), ctx.emit.scalar(max.value, x.dtype)];
  const typed = withSlope(
    ctx.emit,
    x,
    () => ctx.emit.op("Clip", [x, low, high]),
    (emit, _y, d) => {
      const inside = emit.op("And", [emit.op("Greater", [x, low]), emit.op("Less", [x, high])]);
      return emit.op("Where", [inside, d, emit.scalar(0, x.dtype)]);
    },
  );
  return { typed, as: input.dtype };
}

const number = (value: number): Scalar => ({ kind: "float", value });

export const hardtanh = torchCall({
  name: "hardtanh",
  in: functional,
  params: {
    input: tensor,
    min_val: withDefault(scalar, number(-1)),
    max_val: withDefault(scalar, number(1)),
    inplace,
  },
  inPlace: true,
  saves: ["input"],
  build: (ctx, { input, min_val, max_val }) => {
    if (min_val.value > max_val.value)
      throw torchError("ValueError", "min_val cannot be greater than max_val");
    return clippedTo(ctx, input, min_val, max_val);
  },
});

export const relu6 = torchCall({
  name: "relu6",
  in: functional,
  params: { input: tensor, inplace },
  inPlace: true,
  saves: ["input"],
  build: (ctx, { input }) => clippedTo(ctx, input, number(0), number(6)),
});

/** x · Φ(x), or its tanh approximation. */
export const gelu = activation({
  name: "gelu",
  kernel: "GeluKernelImpl",
  params: { approximate: withDefault(text, "none") },
  saves: "input",
  write: (emit, x, { approximate }) => {
    if (approximate !== "none" && approximate !== "tanh")
      throw torchError("RuntimeError", "approximate argument must be either none or tanh.");
    if (x.dtype !== "float64") return emit.op("Gelu", [x], { approximate });
    return emit.op("Mul", [x, approximate === "none" ? normalShare(emit, x) : tanhShare(emit, x)]);
  },
});

/** Φ(x) = (1 + erf(x / √2)) / 2 */
function normalShare(emit: Emit, x: Value): Value {
  const erf = erfOf(emit, emit.op("Mul", [x, emit.scalar(Math.SQRT1_2, x.dtype)]));
  const half = emit.scalar(0.5, x.dtype);
  return emit.op("Add", [emit.op("Mul", [erf, half]), half]);
}

/** σ(2 √(2/π) (x + 0.044715 x³)) */
function tanhShare(emit: Emit, x: Value): Value {
  const cube = emit.op("Mul", [emit.op("Mul", [x, x]), x]);
  const bent = emit.op("Add", [x, emit.op("Mul", [cube, emit.scalar(0.044715, x.dtype)])]);
  const factor = emit.scalar(2 * Math.sqrt(2 / Math.PI), x.dtype);
  return emit.op("Sigmoid", [emit.op("Mul", [bent, factor])]);
}

/** x · σ(x) */
export const silu = activation({
  name: "silu",
  kernel: "silu_cpu",
  params: {},
  saves: "input",
  write: (emit, x) => {
    let gate: Value | null = null;
    return withSlope(
      emit,
      x,
      () => {
        gate = emit.op("Sigmoid", [x]);
        return emit.op("Mul", [x, gate]);
      },
      // y′ = y + σ · (1 − y)
      (backward, y, d) => {
        const rest = backward.op("Sub", [backward.scalar(1, x.dtype), y]);
        const slope = backward.op("Add", [y, backward.op("Mul", [gate, rest])]);
        return backward.op("Mul", [d, slope]);
      },
    );
  },
});

/** Functions whose integers become floats. */
function squashing(name: string, op: string) {
  return torchCall({
    name,
    in: everywhere,
    params: { input: tensor },
    inPlace: true,
    saves: ["result"],
    build: (ctx, { input }) => {
      const type = ctx.promoteToFloat(input);
      return { typed: ctx.emit.op(op, [ctx.as(input, type)]), as: type };
    },
  });
}
export const sigmoid = squashing("sigmoid", "Sigmoid");
export const tanh = squashing("tanh", "Tanh");

/** ln(1 + e^(βx)) / β, linear where βx is above the threshold. */
export const softplus = activation({
  name: "softplus",
  kernel: "softplus_cpu",
  params: { beta: withDefault(float, 1), threshold: withDefault(float, 20) },
  saves: "input",
  write: (emit, x, { beta, threshold }) => {
    const scale = (value: Value, by: number) =>
      by === 1 ? value : emit.op("Mul", [value, emit.scalar(by, x.dtype)]);
    const z = scale(x, beta);
    const isLinear = emit.op("Greater", [z, emit.scalar(threshold, x.dtype)]);
    return withSlope(
      emit,
      x,
      () => emit.op("Where", [isLinear, x, scale(softplusOf(emit, z), 1 / beta)]),
      (backward, _y, d) =>
        backward.op("Where", [isLinear, d, backward.op("Mul", [d, backward.op("Sigmoid", [z])])]),
    );
  },
});

export const logsigmoid = activation({
  name: "logsigmoid",
  kernel: "log_sigmoid_cpu",
  params: {},
  saves: "input",
  write: (emit, x) => logSigmoidOf(emit, x),
});

export const eluCall = activation({
  name: "elu",
  kernel: "elu_cpu",
  params: { alpha: withDefault(float, 1) },
  saves: "input",
  write: (emit, x, { alpha }) => elu(emit, x, alpha, 1, 1),
});

export const celu = activation({
  name: "celu",
  in: ["torch", "torch.nn.functional"],
  kernel: "elu_cpu",
  params: { alpha: withDefault(float, 1) },
  saves: "input",
  write: (emit, x, { alpha }) => elu(emit, x, alpha, 1, 1 / alpha),
});

/** Klambauer et al. 2017, https://arxiv.org/abs/1706.02515 */
export const selu = activation({
  name: "selu",
  in: ["torch", "torch.nn.functional"],
  kernel: "elu_cpu",
  params: {},
  saves: "input",
  write: (emit, x) => elu(emit, x, 1.6732632423543772, 1.0507009873554805, 1),
});

export const leakyRelu = activation({
  name: "leaky_relu",
  kernel: "leaky_relu_cpu",
  params: { negative_slope: withDefault(float, 0.01) },
  saves: "input",
  write: (emit, x, { negative_slope }) => {
    const bend = (to: Emit, value: Value) => {
      const positive = to.op("Greater", [x, to.scalar(0, x.dtype)]);
      const low = to.op("Mul", [value, to.scalar(negative_slope, x.dtype)]);
      return to.op("Where", [positive, value, low]);
    };
    return withSlope(
      emit,
      x,
      () => bend(emit, x),
      (backward, _y, d) => bend(backward, d),
    );
  },
});

export const threshold = activation({
  name: "threshold",
  in: ["torch", "torch.nn.functional"],
  kernel: "threshold_cpu",
  params: { threshold: float, value: float },
  saves: "input",
  write: (emit, x, { threshold, value }) => {
    const above = emit.op("Greater", [x, emit.scalar(threshold, x.dtype)]);
    return emit.op("Where", [above, x, emit.scalar(value, x.dtype)]);
  },
});

/** relu6(x + 3) / 6 */
export const hardsigmoid = activation({
  name: "hardsigmoid",
  kernel: "hardsigmoid_cpu",
  params: {},
  saves: "input",
  write: (emit, x) => emit.op("HardSigmoid", [x], { alpha: 1 / 6, beta: 0.5 }),
});

export const hardswish = activation({
  name: "hardswish",
  kernel: "hardswish_cpu",
  params: {},
  saves: "input",
  write: (emit, x) => emit.op("Mul", [x, emit.op("HardSigmoid", [x], { alpha: 1 / 6, beta: 0.5 })]),
});

/** x · tanh(softplus(x)) */
export const mish = activation({
  name: "mish",
  kernel: "mish_cpu",
  params: {},
  saves: "input",
  write: (emit, x) => emit.op("Mul", [x, emit.op("Tanh", [softplusOf(emit, x)])]),
});

export const softsign = torchCall({
  name: "softsign",
  in: functional,
  params: { input: tensor },
  saves: ["input"],
  build: (ctx, { input }) => {
    const type = ctx.promoteToFloat(input);
    const x = ctx.as(input, type);
    const below = ctx.emit.op("Add", [ctx.emit.op("Abs", [x]), ctx.emit.scalar(1, x.dtype)]);
    return { typed: ctx.emit.op("Div", [x, below]), as: type };
  },
});

export const tanhshrink = torchCall({
  name: "tanhshrink",
  in: functional,
  params: { input: tensor },
  build: (ctx, { input }) => {
    const type = ctx.promoteToFloat(input);
    const x = ctx.as(input, type);
    return { typed: ctx.emit.op("Sub", [x, ctx.emit.op("Tanh", [x])]), as: type };
  },
});

export const hardshrink = activation({
  name: "hardshrink",
  in: everywhere,
  kernel: "hardshrink_cpu",
  params: { lambd: withDefault(float, 0.5) },
  saves: "input",
  write: (emit, x, { lambd }) => {
    const small = emit.op("LessOrEqual", [emit.op("Abs", [x]), emit.scalar(lambd, x.dtype)]);
    return emit.op("Where", [small, emit.scalar(0, x.dtype), x]);
  },
});

/** x − clip(x, −λ, λ) */
export const softshrink = activation({
  name: "softshrink",
  kernel: "softshrink_check",
  params: { lambd: withDefault(float, 0.5) },
  saves: "input",
  write: (emit, x, { lambd }) => {
    const bound = (value: number) => emit.scalar(value, x.dtype);
    return withSlope(
      emit,
      x,
      () => emit.op("Sub", [x, emit.op("Clip", [x, bound(-lambd), bound(lambd)])]),
      (backward, _y, d) => {
        const small = backward.op("LessOrEqual", [backward.op("Abs", [x]), bound(lambd)]);
        return backward.op("Where", [small, bound(0), d]);
      },
    );
  },
});

/** One slope for all, or one for each channel (axis 1). */
export const prelu = torchCall({
  name: "prelu",
  in: everywhere,
  params: { input: tensor, weight: tensor },
  saves: ["input", "weight"],
  build: (ctx, { input, weight }) => {
    const { emit } = ctx;
    if (input.dtype !== weight.dtype)
      throw torchError("RuntimeError", "prelu: Type promoting not supported.");
    const [x, slope] = [ctx.read(input), ctx.read(weight)];
    const count = weight.shape[0] ?? 1;
    const channels = input.shape.length > 1 ? (input.shape[1] as number) : 1;
    if (count !== 1 && count !== channels)
      throw torchError(
        "RuntimeError",
        `Mismatch of parameter numbers and input channel size. Found parameter numbers = ${count} and channel size = ${channels}.`,
      );
    const shape = count === 1 ? [] : [count, ...input.shape.slice(2).map(() => 1)];
    const shaped = emit.op("Reshape", [slope, emit.ints(shape)]);
    const positive = emit.op("Greater", [x, emit.scalar(0, x.dtype)]);
    const low = emit.op("Mul", [x, shaped]);
    return { typed: emit.op("Where", [positive, x, low]), as: input.dtype };
  },
});

/** The first half times the sigmoid of the second. */
export const glu = torchCall({
  name: "glu",
  in: functional,
  params: { input: tensor, dim: withDefault(int, -1) },
  saves: ["input"],
  build: (ctx, { input, dim }) => {
    const { emit } = ctx;
    if (input.shape.length === 0)
      throw torchError(
        "RuntimeError",
        "glu does not support scalars because halving size must be even",
      );
    needFloatKernel("glu_cpu", input);
    const axis = wrapDim(dim, input.shape.length);
    const size = input.shape[axis] as number;
    if (size % 2 !== 0)
      throw torchError(
        "RuntimeError",
        `Halving dimension must be even, but dimension ${axis} is size ${size}`,
      );
    const halves = emit.ints([size / 2, size / 2]);
    const [a, b] = emit.ops("Split", [ctx.read(input), halves], { axis }, 2) as [Value, Value];
    return { typed: emit.op("Mul", [a, emit.op("Sigmoid", [b])]), as: input.dtype };
  },
});

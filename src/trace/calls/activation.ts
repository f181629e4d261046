/** Smooth activation functions, and gates. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { recomputed } from "../../ops/write.ts";
import { float, int, oneName, tensor, text, withDefault } from "../arguments.ts";
import { torchCall } from "../call.ts";
import { isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import { wrapDim } from "../views.ts";
import { activation, everywhere, functional } from "./activationForm.ts";
import { onPairs } from "./complexFunctions.ts";
import { elu, logSigmoidOf, needFloatKernel, softplusOf, withSlope } from "./curves.ts";
import { inSteps, quotientOf, type Slopes } from "./kernelSlopes.ts";
import { narrowedWithSlope } from "./narrowed.ts";

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
function normalShare(emit: Emitter, x: Value): Value {
  const erf = narrowedWithSlope(
    emit,
    "Erf",
    emit.op("Mul", [x, emit.scalar(Math.SQRT1_2, x.dtype)]),
  );
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
      // y′ = σ + y · (1 − σ)
      (backward, y, d) => {
        const rest = backward.op("Sub", [backward.scalar(1, x.dtype), gate]);
        const value = recomputed(backward, y, () => backward.op("Mul", [x, gate]));
        const slope = backward.op("Add", [gate, backward.op("Mul", [value, rest])]);
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
      const x = ctx.as(input, type);
      const value = isComplexType(type)
        ? onPairs(ctx.emit, name, x)
        : inSteps(ctx.emit, type, [x], () => ctx.emit.op(op, [x]), squashingSlopes(name, type));
      return { typed: value, as: type };
    },
  });
}

/** float16's kernel of the sigmoid's gradient rounds its steps, unlike all others of the kind. */
function squashingSlopes(name: string, type: TorchType): Slopes | undefined {
  if (name !== "sigmoid" || type !== "float16") return undefined;
  return ({ op }, d, _x, y) => [op("Mul", op("Mul", d, op("Sub", 1, y)), y)];
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
    const curve = scale(softplusOf(emit, z), 1 / beta);
    if (threshold >= linearFrom) return curve;
    const isLinear = emit.op("Greater", [z, emit.scalar(threshold, x.dtype)]);
    return emit.op("Where", [isLinear, x, curve]);
  },
});

/** From here on ln(1 + e^z) is z in float32. */
const linearFrom = 17;

export const logsigmoid = activation({
  name: "logsigmoid",
  kernel: "log_sigmoid_cpu",
  params: {},
  saves: "input",
  write: (emit, x, _args, type) =>
    inSteps(
      emit,
      type,
      [x],
      () => logSigmoidOf(emit, x),
      ({ op, whole }, d) => {
        // What PyTorch keeps of the forward pass: e^−|x|.
        const kept = whole((to) => to.op("Exp", [to.op("Neg", [to.op("Abs", [x])])]));
        const isBelow = op("Less", x, 0);
        return [
          whole((to) => {
            const one = to.scalar(1, x.dtype);
            const share = to.op("Div", [kept, to.op("Add", [kept, one])]);
            const slope = to.op("Where", [isBelow, to.op("Sub", [one, share]), share]);
            return to.op("Mul", [slope, d]);
          }),
        ];
      },
    ),
});

export const eluCall = activation({
  name: "elu",
  kernel: "elu_cpu",
  params: { alpha: withDefault(float, 1) },
  saves: "input",
  savesResultInPlace: true,
  write: (emit, x, { alpha }, type) => elu(emit, x, alpha, 1, 1, type),
});

export const celu = activation({
  name: "celu",
  in: ["torch", "torch.nn.functional"],
  kernel: "elu_cpu",
  params: { alpha: withDefault(float, 1) },
  saves: "input",
  savesResultInPlace: true,
  write: (emit, x, { alpha }, type) => elu(emit, x, alpha, 1, 1 / alpha, type),
});

/** Klambauer et al. 2017, https://arxiv.org/abs/1706.02515 */
export const selu = activation({
  name: "selu",
  in: ["torch", "torch.nn.functional"],
  kernel: "elu_cpu",
  params: {},
  saves: "input",
  savesResultInPlace: true,
  write: (emit, x, _args, type) => elu(emit, x, 1.6732632423543772, 1.0507009873554805, 1, type),
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
    const size = ctx.emit.op("Abs", [x]);
    const below = ctx.emit.op("Add", [size, ctx.emit.scalar(1, x.dtype)]);
    const divisor = rounded(ctx.emit, below, type);
    return { typed: quotientOf(ctx.emit, x, divisor, type), as: type };
  },
});

export const tanhshrink = torchCall({
  name: "tanhshrink",
  in: functional,
  params: { input: tensor },
  build: (ctx, { input }) => {
    const type = ctx.promoteToFloat(input);
    const x = ctx.as(input, type);
    const write = () => {
      const tanh = rounded(ctx.emit, ctx.emit.op("Tanh", [x]), type);
      return ctx.emit.op("Sub", [x, tanh]);
    };
    const typed = inSteps(ctx.emit, type, [x], write, ({ op, whole }, d) => {
      const tanh = op("Tanh", x);
      const back = whole((emit) => {
        const rest = emit.op("Sub", [emit.scalar(1, x.dtype), emit.op("Mul", [tanh, tanh])]);
        return emit.op("Mul", [emit.op("Neg", [d]), rest]);
      });
      return [op("Add", d, back)];
    });
    return { typed, as: type };
  },
});

/** The first half times the sigmoid of the second. */
export const glu = torchCall({
  name: "glu",
  in: functional,
  params: { input: tensor, dim: oneName(withDefault(int, -1)) },
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
    const as = typeOf(input);
    const write = () => emit.op("Mul", [a, emit.op("Sigmoid", [b])]);
    const typed = inSteps(emit, as, [a, b], write, ({ op, whole }, d) => {
      const gate = op("Sigmoid", b);
      const byGate = whole((to) => {
        const rest = to.op("Sub", [to.scalar(1, b.dtype), gate]);
        return [gate, a, d].reduce((product, factor) => to.op("Mul", [product, factor]), rest);
      });
      return [op("Mul", gate, d), byGate];
    });
    return { typed, as };
  },
});

/** torch.special: the error function's relatives, gamma functions, I₀ and I₁, entropies. */
import type { Emit, Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { castTo } from "../../ops/write.ts";
import { float, optional, tensor } from "../arguments.ts";
import { type CallContext, type Namespace, torchCall } from "../call.ts";
import { needFloats, noKernel } from "../kernels.ts";
import { isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { inKernels, numberOf, rounded, roundsSteps } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { sigmoid } from "./activation.ts";
import { exponentialI, modifiedI } from "./bessel.ts";
import { withSlope } from "./curves.ts";
import { erfcOf, erfcxOf, erfinvOf, logNormalShareOf, wideErf } from "./errorFunctions.ts";
import { scale } from "./formulas.ts";
import { digammaOf, lgammaOf, trigammaOf } from "./gamma.ts";
import { inSteps, kernelsOf } from "./kernelSlopes.ts";
import { limited } from "./limits.ts";
import { erf, exp2, expm1, log1p, round } from "./pointwise.ts";

const everywhere: readonly Namespace[] = ["torch", "Tensor", "torch.special"];
const special: readonly Namespace[] = ["torch.special"];

/** The argument as floats; complex numbers have none of these functions here. */
export function floatArgument(ctx: CallContext, input: Tensor) {
  const as = ctx.promoteToFloat(input);
  if (isComplexType(as)) leaveToPython();
  return { x: ctx.as(input, as), as };
}

/** Writes what is one kernel of PyTorch's, where a node by itself would be one. */
type AsKernel = (write: (emit: Emit) => Value) => Value;

/** Kernels that PyTorch has for single and double precision alone. */
const withoutHalf = new Set(["erfcx", "log_ndtr", "ndtri"]);

/** A function whose gradient is `slope(x, y) · d`; half precision rounds each node of `slope`. */
function curve(
  name: string,
  places: readonly Namespace[],
  write: (emit: Emitter, x: Value, as: TorchType) => Value,
  slope: (emit: Emit, x: Value, y: Value, asKernel: AsKernel) => Value,
  ...saves: ("input" | "result")[]
) {
  return torchCall({
    name,
    in: places,
    params: { input: tensor },
    inPlace: !places.includes("torch.special") || places.length > 1,
    saves: saves.length > 0 ? saves : ["input"],
    build: (ctx, { input }) => {
      const { x, as } = floatArgument(ctx, input);
      if (withoutHalf.has(name) && roundsSteps(as)) throw noKernel(`${name}_cpu`, as);
      const value = withSlope(
        ctx.emit,
        x,
        () => write(ctx.emit, x, as),
        (backward, y, d) => {
          const { whole } = kernelsOf(backward, as);
          const rate = slope(inKernels(backward, as), x, rounded(backward, y, as), whole);
          return backward.op("Mul", [d, rate]);
        },
      );
      return { typed: value, as };
    },
  });
}

/** by · e^(−x²) */
const bell = (emit: Emit, x: Value, by: number): Value =>
  scale(emit, emit.op("Exp", [emit.op("Neg", [emit.op("Mul", [x, x])])]), by);

const twoOverRootPi = 2 / Math.sqrt(Math.PI);

export const erfc = curve("erfc", everywhere, erfcOf, (emit, x) => bell(emit, x, -twoOverRootPi));

export const erfinv = torchCall({
  ...curve(
    "erfinv",
    everywhere,
    erfinvOf,
    // dx = dy · √π/2 · e^(y²)
    (emit, _x, y) => scale(emit, emit.op("Exp", [emit.op("Mul", [y, y])]), 1 / twoOverRootPi),
    "result",
  ),
  fillEdit: () => ({ op: "erfinv" }),
});

const density = (emit: Emit, x: Value): Value =>
  bell(emit, scale(emit, x, Math.SQRT1_2), 1 / Math.sqrt(2 * Math.PI));

/** Φ(x) = (1 + erf(x / √2)) / 2, as PyTorch has it: what is small loses its digits. */
function normalShareOf(emit: Emitter, x: Value, type: TorchType): Value {
  const step = inKernels(emit, type);
  const z = scale(step, x, Math.SQRT1_2);
  const erf = x.dtype === "float64" ? wideErf(emit, z) : step.op("Erf", [z]);
  return scale(emit, step.op("Add", [erf, emit.scalar(1, x.dtype)]), 0.5);
}

const normalShare = curve("ndtr", special, normalShareOf, density);
export const ndtr = torchCall({
  ...normalShare,
  // PyTorch writes it of other calls, which keep what is theirs.
  saves: [],
  build: (ctx, { input }) => {
    const { x, as } = floatArgument(ctx, input);
    return roundsSteps(as)
      ? { typed: ndtrInSteps(ctx.emit, x, as), as }
      : normalShare.build(ctx, { input });
  },
});

/** The gradient, too, in PyTorch's steps. */
function ndtrInSteps(emit: Emitter, x: Value, type: TorchType): Value {
  const write = () => normalShareOf(emit, x, type);
  return inSteps(emit, type, [x], write, ({ op }, d) => {
    const z = op("Mul", x, Math.SQRT1_2);
    const power = op("Exp", op("Neg", op("Mul", z, z)));
    const slope = op("Mul", op("Mul", power, twoOverRootPi), op("Mul", d, 0.5));
    return [op("Mul", slope, Math.SQRT1_2)];
  });
}

export const logNdtr = curve(
  "log_ndtr",
  special,
  logNormalShareOf,
  (emit, x, y) => {
    // φ / Φ, in logarithms.
    const square = scale(emit, emit.op("Mul", [x, x]), -0.5);
    const shifted = emit.op("Sub", [square, emit.scalar(Math.log(2 * Math.PI) / 2, x.dtype)]);
    return emit.op("Exp", [emit.op("Sub", [shifted, y])]);
  },
  "input",
  "result",
);

/** d erfcx = 2x · erfcx − 2/√π */
export const erfcx = curve(
  "erfcx",
  special,
  erfcxOf,
  (emit, x, y) => {
    const slope = scale(emit, emit.op("Mul", [x, y]), 2);
    return emit.op("Sub", [slope, emit.scalar(twoOverRootPi, x.dtype)]);
  },
  "input",
  "result",
);

/** √2 · erf⁻¹(2p − 1): where Φ is p. */
export const ndtri = curve(
  "ndtri",
  special,
  (emit, p) => {
    const share = emit.op("Sub", [scale(emit, p, 2), emit.scalar(1, p.dtype)]);
    return scale(emit, erfinvOf(emit, share), Math.SQRT2);
  },
  (emit, _p, y) => {
    const power = emit.op("Exp", [scale(emit, emit.op("Mul", [y, y]), 0.5)]);
    return scale(emit, power, Math.sqrt(2 * Math.PI));
  },
  "result",
);

const inDouble =
  (f: (emit: Emit, x: Value) => Value) =>
  (emit: Emit, x: Value): Value =>
    castTo(emit, f(emit, castTo(emit, x, "float64")), x.dtype);

export const lgamma = curve(
  "lgamma",
  ["torch", "Tensor"],
  inDouble(lgammaOf),
  (_emit, x, _y, asKernel) => asKernel((emit) => inDouble(digammaOf)(emit, x)),
);
export const gammaln = torchCall({ ...lgamma, name: "gammaln", in: special, inPlace: false });
export const digamma = curve("digamma", everywhere, inDouble(digammaOf), (_emit, x, _y, asKernel) =>
  asKernel((emit) => trigammaOf(emit, x)),
);
export const psi = torchCall({ ...digamma, name: "psi", in: special, inPlace: false });

/** −x ln x: 0 at 0, −∞ below. */
export const entr = curve(
  "entr",
  special,
  (emit, x, as) => {
    const zero = emit.scalar(0, x.dtype);
    const log = rounded(emit, emit.op("Log", [x]), as);
    const inside = emit.op("Neg", [emit.op("Mul", [x, log])]);
    const isZero = emit.op("Equal", [x, zero]);
    const least = emit.scalar(Number.NEGATIVE_INFINITY, x.dtype);
    const outside = emit.op("Where", [emit.op("Less", [x, zero]), least, inside]);
    return emit.op("Where", [isZero, zero, outside]);
  },
  (emit, x) => {
    const slope = emit.op("Add", [emit.op("Log", [x]), emit.scalar(1, x.dtype)]);
    return emit.op("Neg", [slope]);
  },
);

/** sin(πx) / πx, 1 at 0. */
export const sinc = curve(
  "sinc",
  everywhere,
  (emit, x) => {
    const [zero, one] = [emit.scalar(0, x.dtype), emit.scalar(1, x.dtype)];
    const isZero = emit.op("Equal", [x, zero]);
    const angle = emit.op("Where", [isZero, one, scale(emit, x, Math.PI)]);
    return emit.op("Where", [isZero, one, emit.op("Div", [emit.op("Sin", [angle]), angle])]);
  },
  // (πx cos πx − sin πx) / (πx²)
  (emit, x) => {
    const [zero, one] = [emit.scalar(0, x.dtype), emit.scalar(1, x.dtype)];
    const angle = scale(emit, x, Math.PI);
    const turned = emit.op("Mul", [angle, emit.op("Cos", [angle])]);
    const top = emit.op("Sub", [turned, emit.op("Sin", [angle])]);
    const square = scale(emit, emit.op("Mul", [x, x]), Math.PI);
    const isFlat = emit.op("Equal", [square, zero]);
    const bottom = emit.op("Where", [isFlat, one, square]);
    return emit.op("Where", [isFlat, zero, emit.op("Div", [top, bottom])]);
  },
);

export const i0 = curve("i0", everywhere, modifiedI(0), (_emit, x, _y, asKernel) =>
  asKernel((emit) => modifiedI(1)(emit, x)),
);
/** d = I₀ − y / x, ½ at 0. */
export const i1 = curve(
  "i1",
  special,
  modifiedI(1),
  (emit, x, y, asKernel) => {
    const isZero = emit.op("Equal", [x, emit.scalar(0, x.dtype)]);
    const first = asKernel((to) => modifiedI(0)(to, x));
    const slope = emit.op("Sub", [first, emit.op("Mul", [y, emit.op("Reciprocal", [x])])]);
    return emit.op("Where", [isZero, emit.scalar(0.5, x.dtype), slope]);
  },
  "input",
  "result",
);

const signOf = (emit: Emit, x: Value): Value => emit.op("Sign", [x]);

export const i0e = curve(
  "i0e",
  special,
  exponentialI(0),
  (emit, x, y, asKernel) => {
    const next = asKernel((to) => exponentialI(1)(to, x));
    return emit.op("Sub", [next, emit.op("Mul", [signOf(emit, x), y])]);
  },
  "input",
  "result",
);
/** d = e^−|x| I₀ − y (sign x + 1 / x), ½ at 0. */
export const i1e = curve(
  "i1e",
  special,
  exponentialI(1),
  (emit, x, y, asKernel) => {
    const isZero = emit.op("Equal", [x, emit.scalar(0, x.dtype)]);
    const rate = emit.op("Add", [signOf(emit, x), emit.op("Reciprocal", [x])]);
    const first = asKernel((to) => exponentialI(0)(to, x));
    const slope = emit.op("Sub", [first, emit.op("Mul", [y, rate])]);
    return emit.op("Where", [isZero, emit.scalar(0.5, x.dtype), slope]);
  },
  "input",
  "result",
);

/** ln(x / (1 − x)), x first limited to [eps, 1 − eps]. */
export const logit = torchCall({
  name: "logit",
  in: everywhere,
  params: { input: tensor, eps: optional(float) },
  inPlace: true,
  saves: ["input"],
  build: (ctx, { input, eps }) => {
    const { emit } = ctx;
    const { x: given, as } = floatArgument(ctx, input);
    const step = (to: Emit) => inKernels(to, as);
    const held = (value: number) => numberOf(emit, value, as);
    const one = held(1);
    const bounds = (low: Value) => [low, step(emit).op("Sub", [one, low])] as const;
    const x = eps === null ? given : limited(emit, given, ...bounds(held(eps)));
    const rest = (to: Emit) => step(to).op("Sub", [one, x]);
    const value = withSlope(
      emit,
      x,
      () => emit.op("Log", [step(emit).op("Div", [x, rest(emit)])]),
      (backward, y, d) => {
        const slope = backward.op("Div", [d, step(backward).op("Mul", [x, rest(backward)])]);
        return backward.op("Where", [backward.op("IsNaN", [y]), y, slope]);
      },
    );
    return { typed: value, as };
  },
});

export const expit = torchCall({ ...sigmoid, name: "expit", in: special, inPlace: false });
export const specialErf = torchCall({ ...erf, key: "special.erf", in: special, inPlace: false });
export const specialExp2 = torchCall({ ...exp2, key: "special.exp2", in: special, inPlace: false });
export const specialExpm1 = torchCall({
  ...expm1,
  key: "special.expm1",
  in: special,
  inPlace: false,
});
export const specialLog1p = torchCall({
  ...log1p,
  key: "special.log1p",
  in: special,
  inPlace: false,
});
export const specialRound = torchCall({
  ...round,
  key: "special.round",
  in: special,
  inPlace: false,
  build: (ctx, args) => {
    needFloats("round_vml_cpu", typeOf(args.input));
    return round.build(ctx, args);
  },
});

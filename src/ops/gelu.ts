import type { Emit, Value } from "../graph/graph.ts";
import { defineOp } from "./defineOp.ts";
import { elementwise1 } from "./kernels/elementwise.ts";
import { erf } from "./kernels/erf.ts";
import { typeOf } from "./shapes.ts";

/**
 * y = x · Φ(x), Φ the normal distribution function; `approximate` "tanh":
 * y = x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))). https://onnx.ai/onnx/operators/onnx__Gelu.html
 */
export const gelu = defineOp({
  type: "Gelu",
  inputs: ["X"],
  outputs: ["Y"],
  attrs: { approximate: "none" },
  infer: ({ X }) => [typeOf(X)],
  grad: {
    X: (emit, { X }, _out, d, { approximate }) =>
      emit.op("Mul", [d.Y, approximate === "tanh" ? tanhSlope(emit, X) : slope(emit, X)]),
  },
  flops: ({ X }) => 10 * X.shape.reduce((n, size) => n * size, 1),
  evaluate: ({ X }, { approximate }, [Y]) => [
    elementwise1(
      X,
      Y,
      approximate === "tanh" ? tanhGelu : X.dtype === "float64" ? exactGelu : singleGelu,
    ),
  ],
});

const cubic = 0.044715;
const rootTwoOverPi = Math.sqrt(2 / Math.PI);

const exactGelu = (x: number): number => 0.5 * x * (1 + erf(x * Math.SQRT1_2));

/** PyTorch's error function of an infinity in single precision is no number. */
const singleGelu = (x: number): number =>
  x === Number.POSITIVE_INFINITY ? Number.NaN : exactGelu(x);

const tanhGelu = (x: number): number =>
  0.5 * x * (1 + Math.tanh(rootTwoOverPi * (x + cubic * x ** 3)));

/**
 * Φ(x) + x · φ(x), with u = x/√2: Φ = (1 + erf u)/2 and x · φ = u/√π · e^(−u²).
 * HardSigmoid is (erf u)/2 + 1/2 in one pass: its bounds 0 and 1 are never passed.
 */
function slope(emit: Emit, x: Value): Value {
  const u = emit.op("Mul", [x, emit.scalar(Math.SQRT1_2, x.dtype)]);
  const phi = emit.op("HardSigmoid", [emit.op("Erf", [u])], { alpha: 0.5, beta: 0.5 });
  const factor = emit.scalar(-Math.log(Math.sqrt(Math.PI)), x.dtype);
  const bell = emit.op("Exp", [emit.op("Sub", [factor, emit.op("Mul", [u, u])])]);
  return emit.op("Add", [phi, emit.op("Mul", [u, bell])]);
}

/** With w = 2 √(2/π) (x + c x³) the function is x · σ(w), its slope σ + σ (1 − σ) · x w′. */
function tanhSlope(emit: Emit, x: Value): Value {
  const scalar = (value: number) => emit.scalar(value, x.dtype);
  const square = emit.op("Mul", [x, x]);
  const factor = emit.op("Mul", [square, scalar(2 * rootTwoOverPi * cubic)]);
  const w = emit.op("Mul", [x, emit.op("Add", [factor, scalar(2 * rootTwoOverPi)])]);
  const sigma = emit.op("Sigmoid", [w]);
  // x w′ = 3w − 4 √(2/π) x
  const xdw = emit.op("Sub", [
    emit.op("Mul", [w, scalar(3)]),
    emit.op("Mul", [x, scalar(4 * rootTwoOverPi)]),
  ]);
  const rest = emit.op("Mul", [emit.op("Sub", [scalar(1), sigma]), xdw]);
  return emit.op("Mul", [sigma, emit.op("Add", [rest, scalar(1)])]);
}

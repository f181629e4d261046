import type { Emit, Value } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastShapes } from "./shapes.ts";
import { castTo, constantNumber } from "./write.ts";

/** Z = X^Y, with broadcasting, in X's type. https://onnx.ai/onnx/operators/onnx__Pow.html */
export const pow = defineOp({
  type: "Pow",
  inputs: ["X", "Y"],
  outputs: ["Z"],
  infer: ({ X, Y }) => [{ dtype: X.dtype, shape: broadcastShapes("Pow", X.shape, Y.shape) }],
  grad: {
    // dX = dZ · Y · X^(Y−1), zero where Y = 0 even where the power is not finite, as PyTorch has it
    X: (emit, { X, Y }, { Z }, d) => {
      const exponent = constantNumber(Y);
      if (exponent !== null) return withExponent(emit, X, exponent, Z, d.Z);
      const y = castTo(emit, Y, X.dtype);
      const lower = emit.op("Sub", [y, emit.scalar(1, X.dtype)]);
      const slope = emit.op("Mul", [y, emit.op("Pow", [X, lower])]);
      const isZero = emit.op("Equal", [y, emit.scalar(0, X.dtype)]);
      return emit.op("Where", [isZero, emit.scalar(0, X.dtype), emit.op("Mul", [d.Z, slope])]);
    },
    // dY = dZ · Z · ln X, zero where 0^Y is 0 or 1
    Y: (emit, { X, Y }, { Z }, d) => {
      const zero = emit.scalar(0, X.dtype);
      const isZero = emit.op("Equal", [X, zero]);
      const fits = emit.op("GreaterOrEqual", [Y, emit.scalar(0, Y.dtype)]);
      const slope = emit.op("Mul", [Z, emit.op("Log", [X])]);
      const masked = emit.op("Where", [emit.op("And", [isZero, fits]), zero, slope]);
      return emit.op("Mul", [d.Z, masked]);
    },
  },
  flops: (_at, [Z]) => 10 * (Z?.shape ?? []).reduce((n, size) => n * size, 1),
  evaluate: ({ X, Y }, _attrs, [Z]) => [
    elementwise2(X, Y, Z, isFloat(X.dtype) ? power : (x, y) => Math.trunc(power(x, y))),
  ],
});

function withExponent(emit: Emit, X: Value, exponent: number, Z: Value, dZ: Value): Value {
  const scalar = (x: number) => emit.scalar(x, X.dtype);
  if (exponent === 0) return scalar(0);
  if (exponent === 1) return dZ;
  if (exponent === 0.5) return emit.op("Div", [dZ, emit.op("Mul", [Z, scalar(2)])]);
  const lower = exponent === 2 ? X : emit.op("Pow", [X, scalar(exponent - 1)]);
  return emit.op("Mul", [dZ, emit.op("Mul", [lower, scalar(exponent)])]);
}

/**
 * C's pow: JavaScript's gives NaN for 1 to the power of NaN or ±∞, and for −1 to the power of ±∞.
 */
function power(x: number, y: number): number {
  if (x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY)) return 1;
  return x ** y;
}

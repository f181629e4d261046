/** Activation functions with pieces and parameters, and the less common functions of one number. */
import { createDraw, floats, type OpCase } from "../opCase.ts";

const draw = createDraw(6);
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const noDouble = (op: string): string => `ONNX Runtime has no float64 ${op}`;

/** Points on both sides of 0. */
const bothSides = () => floats([-2, -0.5, 0.25, 3]);

export const rectifiers: Record<string, OpCase[]> = {
  Softplus: [
    { inputs: [draw([2, 3])], withoutFloat64: noDouble("Softplus") },
    {
      // torch.nn.functional.softplus
      name: "far out",
      inputs: [floats([-100, 0, 100])],
      exact: { gradients: [[0, 0.5, 1]] },
    },
  ],
  Softsign: [{ inputs: [bothSides()], withoutFloat64: noDouble("Softsign") }],
  Elu: [
    { inputs: [bothSides()], withoutFloat64: noDouble("Elu") },
    {
      name: "with alpha",
      inputs: [bothSides()],
      attrs: { alpha: 0.5 },
      withoutFloat64: noDouble("Elu"),
    },
    {
      // torch.nn.functional.elu
      name: "at 0 and NaN",
      inputs: [floats([-1, 0, 2, nan])],
      exact: { gradients: [[0.3678794503211975, 1, 1, 1]] },
    },
  ],
  Selu: [
    { inputs: [bothSides()], withoutFloat64: noDouble("Selu") },
    {
      // torch.nn.functional.selu
      name: "at 0",
      inputs: [floats([-1, 0, 2])],
      exact: { gradients: [[0.6467686295509338, 1.7580993175506592, 1.0507010221481323]] },
    },
  ],
  Celu: [
    { inputs: [bothSides()], withoutFloat64: noDouble("Celu") },
    {
      // torch.nn.functional.celu(x, 2)
      name: "at 0",
      inputs: [floats([-1, 0, 2])],
      attrs: { alpha: 2 },
      exact: { gradients: [[0.6065306663513184, 1, 1]] },
    },
  ],
  LeakyRelu: [
    { inputs: [bothSides()], withoutFloat64: noDouble("LeakyRelu") },
    {
      // torch.nn.functional.leaky_relu(x, 0.1)
      name: "at 0 and NaN",
      inputs: [floats([-1, 0, 2, nan])],
      attrs: { alpha: 0.1 },
      exact: { gradients: [[0.1, 0.1, 1, 0.1]] },
    },
  ],
  PRelu: [
    {
      inputs: [floats([-2, -0.5, 0.25, 3], [2, 2]), draw([2])],
      withoutFloat64: noDouble("PRelu"),
    },
    {
      // torch.nn.functional.prelu
      name: "at 0",
      inputs: [floats([-1, 0, 2]), floats([0.25])],
      exact: { gradients: [[0.25, 0.25, 1], [-1]] },
    },
  ],
  ThresholdedRelu: [
    { inputs: [bothSides()], withoutFloat64: noDouble("ThresholdedRelu") },
    {
      // torch.nn.functional.threshold(x, 1, 0)
      name: "at the threshold",
      inputs: [floats([1, 2, 0])],
      attrs: { alpha: 1 },
      exact: { gradients: [[0, 1, 0]] },
    },
  ],
  HardSwish: [
    { inputs: [floats([-4, -2, 0.5, 4])], withoutFloat64: noDouble("HardSwish") },
    {
      // torch.nn.functional.hardswish
      name: "at the corners",
      inputs: [floats([-3, 3, 0, 5, -5])],
      exact: { gradients: [[0, 1, 0.5, 1, 0]] },
    },
  ],
  Mish: [{ inputs: [draw([2, 3])], withoutFloat64: noDouble("Mish") }],
  Shrink: [
    {
      name: "hard",
      inputs: [floats([-2.1, -0.25, 0.25, 3.3])],
      withoutFloat64: "ONNX Runtime computes Shrink in float32",
    },
    {
      name: "soft",
      inputs: [floats([-2.1, -0.25, 0.25, 3.3])],
      withoutFloat64: "ONNX Runtime computes Shrink in float32",
      attrs: { lambd: 0.5, bias: 0.5 },
    },
    {
      // torch.nn.functional.softshrink
      name: "at the bounds",
      inputs: [floats([-0.5, 0.5, 1, 0])],
      attrs: { lambd: 0.5, bias: 0.5 },
      exact: { gradients: [[0, 0, 1, 0]] },
    },
  ],
  Hardmax: [
    { inputs: [floats([1, 3, 2, 2, 0, 1], [2, 3])], withoutFloat64: noDouble("Hardmax") },
    { name: "of equals", inputs: [floats([1, 3, 3])], constant: [0] },
  ],
  Tan: [{ inputs: [draw([2, 3], -1, 1)], withoutFloat64: noDouble("Tan") }],
  Asin: [
    { inputs: [draw([2, 3], -0.9, 0.9)], withoutFloat64: noDouble("Asin") },
    {
      // torch.asin
      name: "at the ends",
      inputs: [floats([1, -1, 0])],
      exact: { gradients: [[inf, inf, 1]] },
    },
  ],
  Acos: [{ inputs: [draw([2, 3], -0.9, 0.9)], withoutFloat64: noDouble("Acos") }],
  Atan: [{ inputs: [draw([2, 3])], withoutFloat64: noDouble("Atan") }],
  Sinh: [{ inputs: [draw([2, 3])], withoutFloat64: noDouble("Sinh") }],
  Cosh: [{ inputs: [draw([2, 3])], withoutFloat64: noDouble("Cosh") }],
  Asinh: [{ inputs: [draw([2, 3])], withoutFloat64: noDouble("Asinh") }],
  Acosh: [
    { inputs: [draw([2, 3], 1.5, 3)], withoutFloat64: noDouble("Acosh") },
    {
      // torch.acosh
      name: "at 1",
      inputs: [floats([1])],
      exact: { gradients: [[inf]] },
    },
  ],
  Atanh: [{ inputs: [draw([2, 3], -0.9, 0.9)], withoutFloat64: noDouble("Atanh") }],
};

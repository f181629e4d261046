/** Activation functions, clipping, and softmax. */
import { createDraw, floats, type OpCase, scalar } from "../opCase.ts";

const draw = createDraw(2);
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const noHardSigmoid = "ONNX Runtime has no float64 HardSigmoid";
const noErf = "ONNX Runtime has no float64 Erf";

export const activation: Record<string, OpCase[]> = {
  Tanh: [{ inputs: [draw([2, 3])] }],
  Sigmoid: [{ inputs: [draw([2, 3])] }],
  Erf: [{ inputs: [draw([2, 3])], withoutFloat64: noErf }],
  Relu: [
    { inputs: [floats([-2, -0.5, 0.25, 3])] },
    {
      // torch.nn.functional.relu
      name: "at 0 and NaN",
      inputs: [floats([-1, -0, 0, 2, nan])],
      exact: { gradients: [[0, 0, 0, 1, 1]] },
    },
  ],
  Gelu: [
    { inputs: [draw([2, 3])], withoutFloat64: noErf },
    {
      name: "by tanh",
      inputs: [draw([2, 3])],
      attrs: { approximate: "tanh" },
    },
    {
      // torch.nn.functional.gelu
      name: "far out",
      inputs: [floats([0, 30, -30])],
      exact: { gradients: [[0.5, 1, 0]] },
    },
    {
      // torch.nn.functional.gelu(x, approximate="tanh")
      name: "by tanh far out",
      inputs: [floats([0, 30, -30])],
      attrs: { approximate: "tanh" },
      exact: { gradients: [[0.5, 1, 0]] },
    },
  ],
  HardSigmoid: [
    { inputs: [floats([-4, -1, 0.5, 4])], withoutFloat64: noHardSigmoid },
    {
      name: "with PyTorch's slope",
      inputs: [draw([2, 3])],
      attrs: { alpha: 1 / 6, beta: 0.5 },
      withoutFloat64: noHardSigmoid,
    },
    {
      // torch.nn.functional.hardsigmoid
      name: "at the corners",
      inputs: [floats([-4, 4, 0, 5])],
      attrs: { alpha: 0.125, beta: 0.5 },
      exact: { gradients: [[0, 0, 0.125, 0]] },
    },
  ],
  Clip: [
    {
      inputs: [floats([-2, -0.5, 0.25, 3]), scalar("float64", -1), scalar("float64", 1)],
      constant: [1, 2],
    },
    { name: "from below", inputs: [floats([-2, 0.5]), scalar("float64", -1)], constant: [1] },
    { name: "from above", inputs: [floats([-2, 3]), null, scalar("float64", 1)], constant: [2] },
    { name: "without bounds", inputs: [floats([-2, 3])] },
    {
      name: "between bounds that have gradients",
      inputs: [floats([-2, -0.5, 0.25, 3]), scalar("float64", -1), scalar("float64", 1)],
    },
    {
      // x.clamp(-1, 1)
      name: "at the bounds",
      inputs: [floats([-2, -1, 0, 1, 2]), scalar("float64", -1), scalar("float64", 1)],
      constant: [1, 2],
      exact: { gradients: [[0, 0, 1, 0, 0], null, null] },
    },
  ],
  Softmax: [
    { inputs: [draw([2, 3])] },
    { name: "along another axis", inputs: [draw([2, 3, 2])], attrs: { axis: 1 } },
    {
      // x.softmax(1)
      name: "of masked rows",
      inputs: [floats([-inf, -inf, 0, -inf], [2, 2])],
      exact: { dOutput: [1, 2, 1, 2], gradients: [[nan, nan, 0, 0]] },
    },
  ],
  LogSoftmax: [
    { inputs: [draw([2, 3])] },
    { name: "along another axis", inputs: [draw([2, 3, 2])], attrs: { axis: 1 } },
    {
      // x.log_softmax(1)
      name: "of masked rows",
      inputs: [floats([-inf, -inf, 0, -inf], [2, 2])],
      exact: { dOutput: [1, 2, 1, 2], gradients: [[nan, nan, -2, 2]] },
    },
  ],
};

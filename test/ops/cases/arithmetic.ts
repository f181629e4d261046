/** Elementwise arithmetic of one, two and more tensors. */
import { array, createDraw, floats, ints, type OpCase, scalar } from "../opCase.ts";

const draw = createDraw(1);
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

/** Two tensors of one shape, and each form of broadcasting. */
const pairs = (from: number, to: number): OpCase[] => [
  { inputs: [draw([2, 3], from, to), draw([2, 3], from, to)] },
  { name: "with a vector", inputs: [draw([2, 3], from, to), draw([3], from, to)] },
  { name: "with a column", inputs: [draw([2, 1], from, to), draw([2, 3], from, to)] },
  { name: "with a scalar", inputs: [draw([], from, to), draw([2, 2], from, to)] },
];

export const arithmetic: Record<string, OpCase[]> = {
  Add: [...pairs(-2, 2), { name: "of integers", inputs: [ints([1, -2]), ints([3, 4])] }],
  Sub: pairs(-2, 2),
  Mul: [
    ...pairs(-2, 2),
    {
      name: "of int32 that wraps around",
      inputs: [array("int32", [123456789, -7]), array("int32", [987654321, 6])],
    },
  ],
  Div: [
    ...pairs(0.5, 2),
    { name: "of integers", inputs: [ints([7, -7, 8]), ints([2, 2, -3])] },
    {
      // torch.div
      name: "by 0",
      inputs: [floats([1, 0, 2]), floats([0, 0, -4])],
      exact: {
        gradients: [
          [inf, inf, -0.25],
          [-inf, nan, -0.125],
        ],
      },
    },
  ],
  Neg: [{ inputs: [draw([2, 3])] }],
  Pow: [
    { inputs: [draw([2, 3], 0.5, 2), draw([2, 3])] },
    { name: "with a vector of exponents", inputs: [draw([2, 3], 0.5, 2), draw([3])] },
    { name: "with a scalar exponent", inputs: [draw([2, 3], 0.5, 2), scalar("float64", 1.7)] },
    ...[2, 3, 0.5, 1, -1, -0.5].map(
      (exponent): OpCase => ({
        name: `with the constant exponent ${exponent}`,
        inputs: [draw([2, 3], 0.5, 2), scalar("float64", exponent)],
        constant: [1],
      }),
    ),
    { name: "with an integer exponent", inputs: [draw([3], 0.5, 2), scalar("int64", 3)] },
    {
      name: "with integer exponents that are fed",
      inputs: [draw([3], 0.5, 2), ints([3, 0, -1])],
      fed: [1],
    },
    {
      // x ** 0
      name: "with exponent 0",
      inputs: [floats([0, -1, 2]), scalar("float64", 0)],
      constant: [1],
      exact: { gradients: [[0, 0, 0], null] },
    },
    {
      // x ** 0.5
      name: "of 0 with exponent 0.5",
      inputs: [floats([0, 4]), scalar("float64", 0.5)],
      constant: [1],
      exact: { gradients: [[inf, 0.25], null] },
    },
    {
      // torch.pow
      name: "at 0 and below",
      inputs: [floats([0, 0, -2, 2, 0]), floats([0, 2, 2, 0, -1])],
      exact: {
        gradients: [
          [0, 0, -4, 0, -inf],
          [0, 0, nan, 0.6931471824645996, -inf],
        ],
      },
    },
  ],
  Mod: [
    {
      name: "of floats",
      inputs: [floats([5.5, -5.5, 7.25]), floats([2, 2, -1.5])],
      attrs: { fmod: 1 },
    },
    { name: "of integers", inputs: [ints([7, -7, 8]), ints([3, 3, -3])] },
    {
      name: "of integers with A's sign",
      inputs: [ints([7, -7, 8]), ints([3, 3, -3])],
      attrs: { fmod: 1 },
    },
  ],
  Sum: [
    { inputs: [draw([2, 3]), draw([3]), draw([2, 1])] },
    { name: "of one", inputs: [draw([2])] },
  ],
  Mean: [
    {
      inputs: [draw([2, 3]), draw([3]), draw([2, 1])],
      withoutFloat64: "ONNX Runtime has no float64 Mean",
    },
  ],
  Max: [
    { inputs: [draw([2, 3]), draw([3])] },
    { name: "of three", inputs: [draw([2, 3]), draw([3]), draw([2, 1])] },
    { name: "of one", inputs: [draw([2])] },
    {
      // torch.maximum
      name: "with ties and NaN",
      inputs: [floats([1, 2, 3, nan]), floats([1, 3, 2, 0])],
      exact: {
        gradients: [
          [0.5, 0, 1, 1],
          [0.5, 1, 0, 1],
        ],
      },
    },
  ],
  Min: [
    { inputs: [draw([2, 3]), draw([3])] },
    { name: "of three", inputs: [draw([2, 3]), draw([3]), draw([2, 1])] },
    {
      // torch.minimum
      name: "with ties and NaN",
      inputs: [floats([1, 2, 3, nan]), floats([1, 3, 2, 0])],
      exact: {
        gradients: [
          [0.5, 1, 0, 1],
          [0.5, 0, 1, 1],
        ],
      },
    },
  ],
  Sqrt: [
    { inputs: [draw([2, 3], 0.5, 2)] },
    {
      // torch.sqrt
      name: "at 0 and below",
      inputs: [floats([0, 4, -1])],
      exact: { gradients: [[inf, 0.25, nan]] },
    },
    {
      // torch.sqrt
      name: "at 0 with gradient 0",
      inputs: [floats([0, 4])],
      exact: { dOutput: [0, 0], gradients: [[nan, 0]] },
    },
  ],
  Reciprocal: [
    { inputs: [draw([2, 3], 0.5, 2)] },
    {
      // torch.reciprocal
      name: "at 0",
      inputs: [floats([0, -2])],
      exact: { gradients: [[-inf, -0.25]] },
    },
  ],
  Exp: [{ inputs: [draw([2, 3])] }],
  Log: [
    { inputs: [draw([2, 3], 0.5, 2)] },
    {
      // torch.log
      name: "at 0 and below",
      inputs: [floats([0, -1, 2])],
      exact: { gradients: [[inf, -1, 0.5]] },
    },
  ],
  Abs: [
    { inputs: [floats([-2, -0.5, 0.25, 3])] },
    {
      // torch.abs
      name: "at 0",
      inputs: [floats([-1, 0, 2])],
      exact: { gradients: [[-1, 0, 1]] },
    },
    { name: "of integers", inputs: [ints([-3, 0, 4])] },
  ],
  Sign: [{ inputs: [floats([-2, -0.5, 0.25, 3])] }, { name: "at 0", inputs: [ints([-3, 0, 4])] }],
  Floor: [{ inputs: [floats([-1.5, -0.3, 0.25, 1.75])] }],
  Ceil: [{ inputs: [floats([-1.5, -0.3, 0.25, 1.75])] }],
  Round: [
    { inputs: [floats([-1.4, -0.3, 0.25, 1.75])] },
    {
      // torch.round
      name: "at halves",
      inputs: [floats([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5])],
      exact: { gradients: [[0, 0, 0, 0, 0, 0]] },
    },
  ],
  Sin: [{ inputs: [draw([2, 3])] }],
  Cos: [{ inputs: [draw([2, 3])] }],
  CumSum: [
    { inputs: [draw([2, 3]), scalar("int64", 1)] },
    { name: "exclusive", inputs: [draw([3, 2]), scalar("int64", 0)], attrs: { exclusive: 1 } },
    {
      name: "exclusive from the end",
      inputs: [draw([2, 3]), scalar("int64", -1)],
      attrs: { exclusive: 1, reverse: 1 },
    },
  ],
};

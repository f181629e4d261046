/** Comparisons, logic, bits, and choice. */
import { array, bools, createDraw, floats, ints, type OpCase, scalar } from "../opCase.ts";

const draw = createDraw(3);
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

const comparison: OpCase[] = [
  { inputs: [floats([1, 2, nan, 0]), floats([1, 3, nan, -0])] },
  { name: "with broadcasting", inputs: [draw([2, 3]), draw([3])] },
  { name: "of integers", inputs: [ints([1, 2, 3]), ints([1, 3, 2])] },
];

const connective: OpCase[] = [{ inputs: [bools([0, 0, 1, 1], [4, 1]), bools([0, 1])] }];

const bitwise: OpCase[] = [
  { inputs: [ints([12, -7, 2 ** 40 + 5, -(2 ** 40)]), ints([10, 3, 2 ** 40 + 3, 7])] },
  { name: "of int32", inputs: [array("int32", [12, -7]), array("int32", [10, 3])] },
];

export const logic: Record<string, OpCase[]> = {
  Equal: comparison,
  Greater: comparison,
  GreaterOrEqual: comparison,
  Less: comparison,
  LessOrEqual: comparison,
  And: connective,
  Or: connective,
  Xor: connective,
  Not: [{ inputs: [bools([0, 1])] }],
  IsNaN: [{ inputs: [floats([1, nan, inf, -inf])] }],
  IsInf: [
    { inputs: [floats([1, nan, inf, -inf])] },
    { name: "above", inputs: [floats([1, nan, inf, -inf])], attrs: { detect_negative: 0 } },
    { name: "below", inputs: [floats([1, nan, inf, -inf])], attrs: { detect_positive: 0 } },
  ],
  BitwiseAnd: bitwise,
  BitwiseOr: bitwise,
  BitwiseXor: bitwise,
  BitwiseNot: [{ inputs: [ints([0, 5, -6])] }],
  BitShift: [
    {
      inputs: [array("uint8", [1, 200, 16]), array("uint8", [1, 1, 3])],
      attrs: { direction: "LEFT" },
    },
    {
      name: "to the right",
      inputs: [array("uint8", [1, 200, 16]), array("uint8", [1, 1, 3])],
      attrs: { direction: "RIGHT" },
    },
  ],
  Where: [
    { inputs: [bools([1, 0, 1, 0, 1, 0], [2, 3]), draw([2, 3]), draw([3])] },
    {
      name: "with a condition that broadcasts",
      inputs: [bools([1, 0, 1]), draw([2, 3]), draw([])],
    },
    { name: "of integers", inputs: [bools([1, 0]), ints([1, 2]), ints([3, 4])] },
    {
      // torch.where(condition, x, y)
      name: "with gradients that are not finite on one side",
      inputs: [bools([1, 0]), floats([1, 2]), floats([3, 4])],
      exact: {
        dOutput: [inf, nan],
        gradients: [null, [inf, 0], [0, nan]],
      },
    },
  ],
  Cast: [
    { inputs: [draw([2, 3])], attrs: { to: "float64" } },
    { name: "to integers", inputs: [floats([-1.5, 0.5, 2.5])], attrs: { to: "int64" } },
    { name: "to bool", inputs: [floats([0, -0.5, nan])], attrs: { to: "bool" } },
    { name: "from bool", inputs: [bools([0, 1])], attrs: { to: "float32" } },
    { name: "to a narrower integer", inputs: [ints([300, -1])], attrs: { to: "uint8" } },
    {
      name: "to float16",
      inputs: [floats([1 / 3, 70000, 1e-8])],
      constant: [0],
      attrs: { to: "float16" },
    },
    {
      name: "to bfloat16",
      inputs: [floats([1 / 3, 70000, 1e-8])],
      constant: [0],
      attrs: { to: "bfloat16" },
    },
  ],
  CastLike: [{ inputs: [draw([2]), floats([1])], constant: [1] }],
  ArgMax: [
    { inputs: [floats([1, 3, 3, 2, 0, 2], [2, 3])], attrs: { axis: 1 } },
    { name: "the last of equals", inputs: [floats([1, 3, 3])], attrs: { select_last_index: 1 } },
    { name: "without the axis", inputs: [draw([2, 3])], attrs: { axis: -1, keepdims: 0 } },
  ],
  ArgMin: [
    { inputs: [floats([1, 3, 1, 2, 0, 0], [2, 3])], attrs: { axis: 1 } },
    { name: "the last of equals", inputs: [floats([1, 3, 1])], attrs: { select_last_index: 1 } },
    { name: "without the axis", inputs: [draw([2, 3])], attrs: { axis: -1, keepdims: 0 } },
  ],
  TopK: [
    { inputs: [floats([1, 5, 3, 2, 8, 4], [2, 3]), ints([2])], outputs: 2 },
    {
      name: "smallest of the first axis",
      inputs: [floats([1, 5, 3, 2, 8, 4], [3, 2]), ints([1])],
      attrs: { axis: 0, largest: 0 },
      outputs: 2,
    },
    { name: "with ties", inputs: [ints([3, 1, 3, 2, 3]), ints([4])], outputs: 2 },
  ],
  NonZero: [{ inputs: [floats([1, 0, 0, 2, 3, 0], [2, 3])], constant: [0] }],
  Range: [
    { inputs: [scalar("int64", 2), scalar("int64", 9), scalar("int64", 3)] },
    {
      name: "downwards",
      inputs: [scalar("float64", 1), scalar("float64", -1), scalar("float64", -0.5)],
      constant: [0, 1, 2],
    },
  ],
};

/** Reductions, normalisations, products of matrices. */
import { createDraw, floats, ints, type OpCase, scalar } from "../opCase.ts";

const draw = createDraw(4);
const noOneHot = "ONNX Runtime has no float64 OneHot";

/** Each form of axes that a Reduce operator has. */
const forms = (from = -2, to = 2): OpCase[] => [
  { name: "over one axis", inputs: [draw([2, 3], from, to), ints([1])] },
  { name: "over all", inputs: [draw([2, 3], from, to)], attrs: { keepdims: 0 } },
  {
    name: "over two axes of three",
    inputs: [draw([2, 3, 2], from, to), ints([0, -1])],
    attrs: { keepdims: 0 },
  },
  {
    name: "over none",
    inputs: [draw([2, 2], from, to), ints([])],
    attrs: { noop_with_empty_axes: 1 },
  },
];

export const reduction: Record<string, OpCase[]> = {
  ReduceSum: [...forms(), { name: "of integers", inputs: [ints([1, 2, 3]), ints([0])] }],
  ReduceMean: forms(),
  ReduceMax: [
    ...forms(),
    {
      // x.amax(1)
      name: "with ties",
      inputs: [floats([1, 3, 3, 2, 2, 2], [2, 3]), ints([1])],
      exact: { gradients: [[0, 0.5, 0.5, 1 / 3, 1 / 3, 1 / 3], null] },
    },
  ],
  ReduceMin: [
    ...forms(),
    {
      // x.amin(1)
      name: "with ties",
      inputs: [floats([1, 3, 1, 2, 2, 2], [2, 3]), ints([1])],
      exact: { gradients: [[0.5, 0, 0.5, 1 / 3, 1 / 3, 1 / 3], null] },
    },
  ],
  ReduceProd: [
    ...forms(0.5, 2),
    {
      // x.prod(1)
      name: "with zeros",
      inputs: [floats([0, 2, 3, 0, 0, 3, 1, 2, 3], [3, 3]), ints([1])],
      exact: { gradients: [[6, 0, 0, 0, 0, 0, 6, 3, 2], null] },
    },
  ],
  ReduceL1: [
    ...forms(0.5, 2),
    {
      // x.norm(p=1, dim=1)
      name: "at 0",
      inputs: [floats([0, -2, 3, 4], [2, 2]), ints([1])],
      exact: { gradients: [[0, -1, 1, 1], null] },
    },
  ],
  ReduceL2: [
    ...forms(),
    {
      // x.norm(dim=1)
      name: "at 0",
      inputs: [floats([0, 0, 3, 4], [2, 2]), ints([1])],
      exact: { gradients: [[0, 0, 0.6, 0.8], null] },
    },
  ],
  ReduceSumSquare: forms(),
  ReduceLogSum: forms(0.5, 2),
  ReduceLogSumExp: forms(),
  MatMul: [
    { inputs: [draw([2, 3]), draw([3, 4])] },
    { name: "of batches", inputs: [draw([2, 2, 3]), draw([2, 3, 2])] },
    { name: "with one matrix", inputs: [draw([2, 2, 3]), draw([3, 4])] },
    { name: "of one matrix with a batch", inputs: [draw([2, 3]), draw([2, 3, 2])] },
    { name: "of batches that broadcast", inputs: [draw([2, 1, 2, 3]), draw([3, 3, 2])] },
  ],
  Gemm: [
    { inputs: [draw([2, 3]), draw([3, 4]), draw([4])] },
    { name: "without C", inputs: [draw([2, 3]), draw([3, 4])] },
    ...[
      [0, 1],
      [1, 0],
      [1, 1],
    ].map(
      ([transA = 0, transB = 0]): OpCase => ({
        name: `with transA ${transA}, transB ${transB}, alpha and beta`,
        inputs: [draw(transA ? [3, 2] : [2, 3]), draw(transB ? [4, 3] : [3, 4]), draw([2, 1])],
        attrs: { alpha: 0.5, beta: 2, transA, transB },
      }),
    ),
  ],
  Einsum: [
    { inputs: [draw([2, 3]), draw([3, 4])], attrs: { equation: "ij,jk->ik" } },
    {
      name: "of attention scores",
      inputs: [draw([2, 3, 2, 2]), draw([2, 3, 2, 2])],
      attrs: { equation: "bqhd,bkhd->bhqk" },
    },
    { name: "of an outer product", inputs: [draw([2]), draw([3])], attrs: { equation: "i,j->ij" } },
    {
      name: "with a letter that only one operand has",
      inputs: [draw([2, 3]), draw([3, 4])],
      attrs: { equation: "ij,jk->i" },
    },
    {
      name: "with an ellipsis",
      inputs: [draw([2, 2, 3]), draw([3, 2])],
      attrs: { equation: "...ij,jk->...ik" },
    },
    {
      name: "of three operands",
      inputs: [draw([2]), draw([2, 3]), draw([3])],
      attrs: { equation: "a,ab,b->" },
    },
    {
      name: "without an arrow",
      inputs: [draw([2, 3]), draw([3, 2])],
      attrs: { equation: "ij,jk" },
    },
    { name: "of a transpose", inputs: [draw([2, 3])], attrs: { equation: "ij->ji" } },
    {
      name: "of a diagonal",
      inputs: [draw([2, 2])],
      constant: [0],
      attrs: { equation: "ii->i" },
    },
  ],
  LayerNormalization: [
    { inputs: [draw([2, 2, 4]), draw([4]), draw([4])], outputs: 3, inLoss: 1 },
    { name: "without B", inputs: [draw([3, 4]), draw([4])], outputs: 3, inLoss: 1 },
    {
      name: "over two axes",
      inputs: [draw([2, 2, 3]), draw([2, 3]), draw([2, 3])],
      attrs: { axis: 1, epsilon: 0.1 },
      outputs: 3,
      inLoss: 1,
    },
  ],
  RMSNormalization: [
    { inputs: [draw([2, 2, 4]), draw([4])] },
    {
      name: "over two axes",
      inputs: [draw([2, 2, 3]), draw([2, 3])],
      attrs: { axis: 1, epsilon: 0.1 },
    },
  ],
  OneHot: [
    {
      inputs: [ints([0, 2, -1]), scalar("int64", 3), floats([0, 1])],
      withoutFloat64: noOneHot,
    },
    {
      name: "on the first axis",
      inputs: [ints([1, 0, 2, 1], [2, 2]), scalar("int64", 3), floats([-1, 2])],
      attrs: { axis: 0 },
      withoutFloat64: noOneHot,
    },
  ],
};

/** Operators that move elements. */
import { array, createDraw, floats, ints, type OpCase, scalar } from "../opCase.ts";

const draw = createDraw(5);

export const movement: Record<string, OpCase[]> = {
  Identity: [{ inputs: [draw([2, 3])] }],
  Reshape: [
    { inputs: [draw([2, 3]), ints([3, -1])] },
    { name: "keeping an axis", inputs: [draw([2, 3]), ints([0, 1, 3])] },
    { name: "to a scalar", inputs: [draw([1, 1]), ints([])] },
    { name: "of nothing", inputs: [floats([], [0, 3]), ints([3, 0])], attrs: { allowzero: 1 } },
  ],
  Transpose: [
    { inputs: [draw([2, 3, 2])] },
    { name: "with perm", inputs: [draw([2, 3, 4])], attrs: { perm: [2, 0, 1] } },
  ],
  Expand: [
    { inputs: [draw([3, 1]), ints([2, 3, 2])] },
    { name: "to less than it is", inputs: [draw([2, 3]), ints([1, 3])] },
  ],
  Unsqueeze: [{ inputs: [draw([2, 3]), ints([0, -1])] }],
  Squeeze: [
    { inputs: [draw([1, 2, 1]), ints([0])] },
    { name: "of every axis of size 1", inputs: [draw([1, 2, 1])] },
  ],
  Concat: [
    { inputs: [draw([2, 3]), draw([2, 1])], attrs: { axis: 1 } },
    { name: "of three", inputs: [draw([1, 2]), draw([2, 2]), draw([1, 2])], attrs: { axis: -2 } },
    {
      name: "with one gradient",
      inputs: [draw([1, 2]), draw([2, 2])],
      constant: [0],
      attrs: { axis: 0 },
    },
  ],
  Split: [
    { inputs: [draw([2, 5]), ints([2, 3])], attrs: { axis: 1 }, outputs: 2 },
    { name: "in equal parts", inputs: [draw([4, 2])], attrs: { num_outputs: 2 }, outputs: 2 },
    {
      name: "in parts that do not fit",
      inputs: [draw([2, 5])],
      attrs: { axis: -1, num_outputs: 3 },
      outputs: 3,
    },
  ],
  Slice: [
    { inputs: [draw([4, 3]), ints([1, 0]), ints([3, 2])] },
    { name: "with axes", inputs: [draw([4, 3]), ints([1]), ints([1000]), ints([-1])] },
    { name: "from the end", inputs: [draw([5]), ints([-3]), ints([-1])] },
    {
      name: "with steps",
      inputs: [draw([5, 4]), ints([1, 0]), ints([5, 4]), ints([0, 1]), ints([2, 3])],
    },
    {
      name: "with a step that ends beside the last element",
      inputs: [draw([6]), ints([0]), ints([6]), ints([0]), ints([4])],
    },
    {
      name: "backwards",
      inputs: [draw([5, 2]), ints([-1]), ints([-1000]), ints([0]), ints([-1])],
    },
    {
      name: "backwards with a step",
      inputs: [draw([6]), ints([4]), ints([0]), ints([0]), ints([-2])],
    },
    { name: "of nothing", inputs: [draw([3]), ints([2]), ints([1])] },
  ],
  Gather: [
    { inputs: [draw([4, 3]), ints([0, 2, 2, -1], [2, 2])], fed: [1] },
    { name: "of another axis", inputs: [draw([2, 4, 2]), ints([3, 0, 3])], attrs: { axis: 1 } },
    {
      name: "of one constant index",
      inputs: [draw([2, 4]), scalar("int64", -1)],
      attrs: { axis: 1 },
    },
    {
      name: "of one fed index",
      inputs: [draw([2, 4]), scalar("int64", 2)],
      attrs: { axis: 1 },
      fed: [1],
    },
  ],
  GatherElements: [
    { inputs: [draw([3, 2]), ints([0, 2, 2, -1], [2, 2])] },
    {
      name: "of another axis",
      inputs: [draw([2, 3]), ints([1, 1, 0, 2], [2, 2])],
      attrs: { axis: 1 },
    },
  ],
  GatherND: [
    { inputs: [draw([2, 3]), ints([0, 1, 1, 2, 0, 1], [3, 2])] },
    { name: "of blocks", inputs: [draw([3, 2]), ints([2, 0, -1], [3, 1])], fed: [1] },
    {
      name: "with batches",
      inputs: [draw([2, 3, 2]), ints([1, 0, 2, 2], [2, 2, 1])],
      attrs: { batch_dims: 1 },
    },
  ],
  ScatterElements: [
    { inputs: [draw([3, 2]), ints([0, 2, 1, -2], [2, 2]), draw([2, 2])] },
    {
      name: "that adds",
      inputs: [draw([2, 3]), ints([1, 1, 0, 2], [2, 2]), draw([2, 2])],
      attrs: { axis: 1, reduction: "add" },
    },
    {
      name: "that takes the larger",
      inputs: [draw([3]), ints([1, 1]), draw([2])],
      constant: [0, 2],
      attrs: { reduction: "max" },
    },
  ],
  ScatterND: [
    { inputs: [draw([3, 2]), ints([2, 0], [2, 1]), draw([2, 2])] },
    {
      name: "that adds",
      inputs: [draw([3, 2]), ints([2, 0, 2], [3, 1]), draw([3, 2])],
      attrs: { reduction: "add" },
      fed: [1],
    },
    {
      name: "of elements",
      inputs: [draw([3, 2]), ints([2, 0, 0, -1], [2, 2]), draw([2])],
    },
  ],
  Pad: [
    { inputs: [draw([2, 3]), ints([1, 0, 0, 2])] },
    {
      name: "with another number, on one axis",
      inputs: [draw([2, 3]), ints([1, 2]), scalar("float64", 7), ints([-1])],
      constant: [2],
    },
    { name: "that cuts off", inputs: [draw([3, 3]), ints([-1, 1, 0, -1])] },
    { name: "that only cuts off", inputs: [draw([3, 3]), ints([-1, 0, 0, -1])] },
    {
      name: "by reflection",
      inputs: [draw([2, 4]), ints([0, 2, 0, 1])],
      attrs: { mode: "reflect" },
    },
    { name: "with the edge", inputs: [draw([2, 3]), ints([1, 0, 0, 2])], attrs: { mode: "edge" } },
    { name: "around", inputs: [draw([2, 3]), ints([0, 1, 0, 2])], attrs: { mode: "wrap" } },
  ],
  Tile: [{ inputs: [draw([2, 3]), ints([2, 3])] }],
  Trilu: [
    { inputs: [draw([3, 3])] },
    {
      name: "of the lower part",
      inputs: [draw([2, 3, 4]), scalar("int64", -1)],
      attrs: { upper: 0 },
    },
    { name: "above the diagonal", inputs: [draw([3, 3]), scalar("int64", 1)] },
  ],
  ConstantOfShape: [
    { inputs: [ints([2, 3])] },
    { name: "with a value", inputs: [ints([2])], attrs: { value: array("int64", [7]) } },
  ],
  Shape: [
    { inputs: [draw([2, 3, 4])] },
    { name: "of some axes", inputs: [draw([2, 3, 4])], attrs: { start: 1, end: -1 } },
  ],
  Size: [{ inputs: [draw([2, 3])] }],
  EyeLike: [
    { inputs: [draw([2, 3])] },
    { name: "beside the diagonal", inputs: [draw([3, 3])], attrs: { k: -1, dtype: "int64" } },
  ],
};

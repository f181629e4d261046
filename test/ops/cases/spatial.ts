/** Operators over images and sequences. */
import { createDraw, floats, ints, type OpCase, scalar } from "../opCase.ts";

const draw = createDraw(8);
const noConv = "ONNX Runtime has no float64 Conv";
const conv = (given: OpCase): OpCase => ({ ...given, withoutFloat64: noConv });

export const spatial: Record<string, OpCase[]> = {
  Conv: [
    { inputs: [draw([2, 2, 5]), draw([3, 2, 3]), draw([3])] },
    { name: "without B", inputs: [draw([1, 1, 4]), draw([2, 1, 2])] },
    {
      name: "in two dimensions with strides, dilations and pads",
      inputs: [draw([2, 2, 5, 6]), draw([2, 2, 2, 2])],
      attrs: { strides: [2, 1], dilations: [1, 2], pads: [1, 0, 0, 1] },
    },
    {
      name: "in groups, with a stride that leaves a rest",
      inputs: [draw([2, 4, 6]), draw([2, 2, 2])],
      attrs: { group: 2, strides: [3] },
    },
    {
      name: "of each channel by itself",
      inputs: [draw([1, 3, 4]), draw([3, 1, 2])],
      attrs: { group: 3, pads: [1, 1] },
    },
    {
      name: "padded to the same size",
      inputs: [draw([1, 1, 5]), draw([1, 1, 2])],
      attrs: { auto_pad: "SAME_UPPER", strides: [2] },
    },
  ].map(conv),
  ConvTranspose: [
    { inputs: [draw([2, 2, 3]), draw([2, 3, 2]), draw([3])] },
    {
      name: "in two dimensions with strides, dilations and pads",
      inputs: [draw([1, 2, 3, 2]), draw([2, 1, 2, 2])],
      attrs: { strides: [2, 1], dilations: [1, 2], pads: [1, 0, 0, 1] },
    },
    {
      name: "in groups, with output padding",
      inputs: [draw([2, 4, 3]), draw([4, 1, 2])],
      attrs: { group: 2, strides: [2], output_padding: [1] },
    },
  ].map(conv),
  MaxPool: [
    { inputs: [draw([1, 2, 4, 4])], attrs: { kernel_shape: [2, 2], strides: [2, 2] } },
    {
      name: "with windows that overlap, pads and dilations",
      inputs: [draw([2, 1, 7])],
      attrs: { kernel_shape: [3], pads: [1, 1], dilations: [2] },
      outputs: 2,
      inLoss: 1,
    },
    {
      name: "with a last window that is not full",
      inputs: [draw([1, 1, 5])],
      attrs: { kernel_shape: [2], strides: [2], ceil_mode: 1 },
    },
    {
      // torch.nn.functional.max_pool1d(x, 2)
      name: "with ties",
      inputs: [floats([1, 1, 2, 3], [1, 1, 4])],
      attrs: { kernel_shape: [2], strides: [2] },
      exact: { gradients: [[1, 0, 0, 1]] },
    },
  ],
  AveragePool: [
    { inputs: [draw([1, 2, 4, 4])], attrs: { kernel_shape: [2, 2], strides: [2, 2] } },
    {
      name: "with windows that overlap, and pads that do not count",
      inputs: [draw([2, 2, 5])],
      attrs: { kernel_shape: [3], pads: [1, 1] },
    },
    {
      name: "with pads that count",
      inputs: [draw([2, 2, 5])],
      attrs: { kernel_shape: [3], pads: [1, 1], strides: [2], count_include_pad: 1 },
    },
    {
      name: "with a last window that is not full",
      inputs: [draw([1, 1, 5])],
      attrs: { kernel_shape: [2], strides: [2], ceil_mode: 1 },
    },
    {
      name: "that leaves a rest",
      inputs: [draw([1, 1, 6])],
      attrs: { kernel_shape: [2], strides: [4] },
    },
  ].map(conv),
  GlobalAveragePool: [
    {
      inputs: [draw([2, 2, 3, 2])],
      withoutFloat64: "ONNX Runtime has no float64 GlobalAveragePool",
    },
  ],
  BatchNormalization: [
    {
      inputs: [draw([2, 3, 2]), draw([3]), draw([3]), draw([3]), draw([3], 0.5, 2)],
      constant: [3, 4],
    },
    {
      name: "of rows",
      inputs: [draw([2, 3]), draw([3]), draw([3]), draw([3]), draw([3], 0.5, 2)],
      constant: [3, 4],
      attrs: { epsilon: 0.1 },
    },
  ],
  InstanceNormalization: [
    {
      inputs: [draw([2, 2, 5]), draw([2]), draw([2])],
      withoutFloat64: "ONNX Runtime has no float64 InstanceNormalization",
    },
  ],
  GroupNormalization: [
    { inputs: [draw([2, 4, 3]), draw([4]), draw([4])], attrs: { num_groups: 2 } },
    {
      name: "of images",
      inputs: [draw([1, 4, 2, 2]), draw([4]), draw([4])],
      attrs: { num_groups: 1, epsilon: 0.1 },
    },
  ].map((given) => ({
    ...given,
    withoutFloat64: "ONNX Runtime computes GroupNormalization in float32",
  })),
  Resize: [
    {
      inputs: [draw([1, 1, 2, 3]), null, floats([1, 1, 2, 2])],
      constant: [2],
      attrs: { coordinate_transformation_mode: "asymmetric", nearest_mode: "floor" },
    },
    {
      name: "of a linear mode to sizes",
      inputs: [draw([1, 1, 3, 4]), null, null, ints([1, 1, 5, 2])],
      attrs: { mode: "linear", coordinate_transformation_mode: "pytorch_half_pixel" },
    },
    {
      name: "of a linear mode with aligned corners",
      inputs: [draw([1, 2, 3, 3]), null, null, ints([1, 2, 5, 7])],
      attrs: { mode: "linear", coordinate_transformation_mode: "align_corners" },
    },
    {
      name: "of a cubic mode",
      inputs: [draw([1, 1, 4, 4]), null, null, ints([1, 1, 7, 6])],
      attrs: { mode: "cubic", coordinate_transformation_mode: "half_pixel" },
    },
    {
      name: "to the nearest, upwards at halves",
      inputs: [draw([1, 1, 2, 5]), null, null, ints([1, 1, 3, 3])],
      attrs: { nearest_mode: "round_prefer_ceil" },
    },
  ].map((given) => ({ ...given, withoutFloat64: "ONNX Runtime has no float64 Resize" })),
  DepthToSpace: [
    { inputs: [draw([1, 8, 1, 2])], attrs: { blocksize: 2 } },
    {
      name: "with the channel slowest",
      inputs: [draw([1, 8, 1, 2])],
      attrs: { blocksize: 2, mode: "CRD" },
    },
  ],
  SpaceToDepth: [{ inputs: [draw([1, 2, 2, 4])], attrs: { blocksize: 2 } }],
  ReverseSequence: [
    { inputs: [draw([3, 2, 2]), ints([2, 3])] },
    {
      name: "with the batch first",
      inputs: [draw([2, 3]), ints([2, 1])],
      attrs: { batch_axis: 0, time_axis: 1 },
    },
  ],
  DFT: [
    { inputs: [draw([2, 4, 1])] },
    {
      name: "of complex numbers along another axis",
      inputs: [draw([3, 2, 2]), null, scalar("int64", 0)],
    },
    { name: "backwards", inputs: [draw([1, 5, 2])], attrs: { inverse: 1 } },
    { name: "one-sided", inputs: [draw([1, 6, 1])], attrs: { onesided: 1 } },
  ],
};

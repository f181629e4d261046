/** The gradients that convolutions and pools share. */
import type { Emit, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Windows } from "./windows.ts";
import { padBy, reshapeTo, sliceAxis, transpose } from "./write.ts";

export const padsOf = ({ before, after }: Pick<Windows, "before" | "after">): number[] => [
  ...before,
  ...after,
];

/** dX of a convolution: each window's dY times the filters, added where the window was. */
export function transposedConvolution(
  emit: Emit,
  dY: Value,
  W: Value,
  windows: Windows,
  group: number,
  shape: readonly number[],
): Value {
  const { kernel, strides, dilations, before, counts } = windows;
  // What the windows cover behind X is cut off, what they leave uncovered gets no gradient.
  const beyond = counts.map((count, k) => {
    const span = ((kernel[k] ?? 1) - 1) * (dilations[k] ?? 1) + 1;
    const covered = (count - 1) * (strides[k] ?? 1) + span - (before[k] ?? 0);
    return covered - (shape[k + 2] as number);
  });
  const after = beyond.map((size) => Math.max(size, 0));
  const pads = padsOf({ before, after });
  const covered = emit.op("ConvTranspose", [dY, W], { strides, dilations, pads, group });
  const none = shape.map(() => 0);
  return padBy(emit, covered, none, [0, 0, ...beyond.map((size) => Math.max(-size, 0))]);
}

/**
 * dW[M, C/group, ...] of a convolution, itself one: the images' axis N is summed over like
 * channels, dY is the filter, strides and dilations change places.
 */
export function filterGradient(
  emit: Emit,
  images: Value,
  dY: Value,
  windows: Windows,
  group: number,
): Value {
  const [n = 0, channels = 0, ...sizes] = images.shape;
  const perGroup = channels / group;
  const space = sizes.map((_, k) => k);
  const grouped = reshapeTo(emit, images, [n, group, perGroup, ...sizes]);
  const byChannel = transpose(emit, grouped, [2, 1, 0, ...space.map((k) => k + 3)]);
  const rows = reshapeTo(emit, byChannel, [perGroup, group * n, ...sizes]);
  const filters = transpose(emit, dY, [1, 0, ...space.map((k) => k + 2)]);
  const result = emit.op("Conv", [rows, filters], {
    strides: windows.dilations,
    dilations: windows.strides,
    pads: padsOf(windows),
    group,
  });
  const cut = space.reduce(
    (dW, k) => sliceAxis(emit, dW, k + 2, 0, windows.kernel[k] as number),
    result,
  );
  return transpose(emit, cut, [1, 0, ...space.map((k) => k + 2)]);
}

/** The sum over all axes but the second. */
export function sumOverChannels(emit: Emit, x: Value): Value {
  const axes = x.shape.flatMap((_, axis) => (axis === 1 ? [] : [axis]));
  return emit.op("ReduceSum", [x, emit.ints(axes)], { keepdims: 0 });
}

/** Each channel an image of its own: [N · C, 1, ...]. */
export const channelsApart = (emit: Emit, x: Value): Value =>
  reshapeTo(emit, x, [numel(x.shape.slice(0, 2)), 1, ...x.shape.slice(2)]);

/** Layouts of what windows on images and lines give. */
import { numel } from "../../graph/tensor.ts";
import type { Laid } from "../tensor.ts";
import type { LaidCall, Rule } from "./rules.ts";
import { suggestedStrides, suggestsChannelsLast } from "./strides.ts";

/** unsqueeze */
function raised({ shape, strides }: Laid, axis: number): Laid {
  const inner = (shape[axis] ?? 1) * (strides[axis] ?? 1);
  return { shape: shape.toSpliced(axis, 0, 1), strides: strides.toSpliced(axis, 0, inner) };
}

/** A line is an image of one row, one image alone a batch. */
function asImages(laid: Laid, lines: boolean, isBatch: boolean): Laid {
  const batch = isBatch ? laid : raised(laid, 0);
  return lines ? raised(batch, 2) : batch;
}

/** channels_last where the input or the weights are so. Of lines PyTorch looks at the weights alone. */
export const convolved =
  (rank: 1 | 2 | 3): Rule =>
  ({ operands: [input, weight], shape }) => {
    if (input === undefined || weight === undefined) return null;
    const isBatch = shape.length === rank + 2;
    const lines = rank === 1;
    const sides = [
      ...(lines ? [] : [asImages(input, false, isBatch)]),
      asImages(weight, lines, true),
    ];
    const like = sides.find(suggestsChannelsLast);
    if (like === undefined) return null;
    const result = asImages({ shape, strides: shape.map(() => 0) }, lines, isBatch).shape;
    const strides = suggestedStrides(result, like);
    const ofLines = lines ? strides.toSpliced(2, 1) : strides;
    return isBatch ? ofLines : ofLines.slice(1);
  };

/**
 * Of volumes oneDNN's kernel keeps the format, and PyTorch's own does not. A small single volume goes
 * to the latter.
 */
export const convolvedVolumes: Rule = (call) => {
  const {
    args,
    operands: [input, weight],
  } = call;
  if (input === undefined || weight === undefined || input.dtype === "float64") return null;
  const batch = input.shape.length === 5 ? input.shape : [1, ...input.shape];
  const isWide = weight.shape.slice(-2).every((size) => size > 3);
  const isLarge = numel(batch.slice(0, 4)) > largeVolume;
  const isFast = (args["groups"] as number) > 1 || isWide || (batch[0] as number) > 1 || isLarge;
  return isFast ? convolved(3)(call) : null;
};

/** Elements of the first four axes beyond which oneDNN is taken for a single volume. */
const largeVolume = 20480;

/** A pool of lines is one of images of one row; a line alone is no batch. */
export const pooledAlongLines: Rule = ({ operands: [input], shape }) => {
  if (input === undefined || shape.length !== 3) return null;
  const image = asImages(input, true, true);
  return suggestedStrides(shape.toSpliced(2, 0, 1), image).toSpliced(2, 1);
};

/** With a gradient or places; else lines are pooled as they are. */
export const pooledAlongLinesWithPlaces: Rule = (call: LaidCall) =>
  call.args["return_indices"] === true || call.requiresGrad() ? pooledAlongLines(call) : null;

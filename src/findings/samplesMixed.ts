/** A model whose result for one sample depends on the other samples of the batch. */
import { sameShape } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import type { Evidence } from "./evidence.ts";
import { batchAxisOf } from "./modelAxes.ts";

/** Seen by a run of the whole model with one row of one input changed. */
export function samplesMixed(evidence: Evidence): Finding[] {
  const { spreads, modelSpreads, program } = evidence;
  if (spreads.some(({ samples }) => samples > 0)) return [];
  const found = modelSpreads.flatMap((spread): Finding[] => {
    const { result, size, input } = spread;
    const axis = batchAxisOf(evidence, spread);
    // A result [a, a] compares all samples with all, as contrastive losses do.
    if (!result || result.others === 0 || axis === 1) return [];
    if (result.shape.length === 2 && result.shape[1] === size[0]) return [];
    const first = spread.seen.find(({ others }) => others > 0)?.traced;
    if (program.mode === "train" && first?.call.op.includes("batch_norm")) return [];
    const { file, line } = first?.call.site ?? { file: null, line: null };
    const isStraight = result.before === 0 && result.after === 0;
    // A part of a model that gets positions first gives its stream on as it came.
    const isPart = input.dtype !== "int64" && sameShape(result.shape, input.value.shape);
    if (axis === null && isStraight && isPart) return [];
    const seen = `A change of ${input.name}[${size[0] - 1}, ${spread.at}] changes ${result.others} of the ${size[0] - 1} others along axis 0 (from ${first?.call.op ?? "the model"} on)`;
    return [
      {
        code: "model/mixes-samples",
        severity: axis === 0 ? "error" : "warning",
        message: `${seen}${isStraight ? ", and no other place of axis 1" : ""}. ${meaning(axis, spread)}`,
        file,
        line,
        module: first?.call.module ?? null,
        evidence: {
          "entries changed": result.others,
          "axis 0": size[0],
          "axis 1": size[1],
          ...(result.after !== null && { "places changed": (result.before ?? 0) + result.after }),
        },
      },
    ];
  });
  return found.slice(0, 1);
}

function meaning(axis: 0 | null, { result }: ModelSpread): string {
  const usual = "batch_first=True, a transpose, softmax's dim";
  if (axis === 0) return `Axis 0 has the samples, and they mix: ${usual} are usual reasons`;
  if (result?.after === 0 && result.before === 0)
    return "If axis 0 has the samples, then samples mix and positions do not see each other: nn.MultiheadAttention takes [positions, batch, width] unless batch_first=True";
  return `One of both axes has the samples, so samples mix: ${usual} are usual reasons`;
}

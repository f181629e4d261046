/** A model whose result for one sample depends on the other samples of the batch. */
import type { Node } from "../graph/graph.ts";
import { sameShape } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import { dependents } from "../stats/rerun.ts";
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
    const turned = turnedByReshape(evidence, spread);
    if (isRouted(evidence, spread)) return [];
    if (program.mode === "train" && first?.call.op.includes("batch_norm")) return [];
    const call = turned?.origin.call ?? first?.call ?? null;
    const { file, line } = call?.site ?? { file: null, line: null };
    const isStraight = result.before === 0 && result.after === 0;
    // A part of a model that gets positions first gives its stream on as it came.
    const isPart = input.dtype !== "int64" && sameShape(result.shape, input.value.shape);
    if (axis === null && isStraight && isPart) return [];
    const seen = `A change of ${input.name}[${spread.entry}, ${spread.at}] changes ${result.others} of the ${size[0] - 1} others along axis 0 (from ${call?.op ?? "the model"} on)`;
    return [
      {
        code: "model/mixes-samples",
        severity: axis === 0 ? "error" : "warning",
        message: `${seen}${isStraight ? ", and no other place of axis 1" : ""}. ${turned ? exchanged(turned) : meaning(axis, spread)}`,
        file,
        line,
        module: call?.module ?? null,
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

/** Whether experts choose among the tokens of all samples, or count them, as capacities do. */
const isRouted = ({ structure }: Evidence, { size: [a], places }: ModelSpread): boolean =>
  structure.nodes.some(({ op, inputs: [scores], attrs }) => {
    if (!scores || (op !== "TopK" && op !== "CumSum")) return false;
    const axis = op === "TopK" ? Number(attrs["axis"] ?? -1) : 0;
    return scores.shape.at(axis) === a * places;
  });

/** A reshape of the input's two axes into each other: sizes change places, numbers do not. */
const turnedByReshape = ({ structure }: Evidence, { input, size: [a, b] }: ModelSpread) =>
  dependents(structure.nodes, input.value).find(({ op, inputs: [from], outputs: [to] }) => {
    if (op !== "Reshape" || !from || !to || from.shape.length < 2) return false;
    return (
      sameShape(from.shape.slice(0, 2), [a, b]) &&
      sameShape(to.shape, [b, a, ...from.shape.slice(2)])
    );
  }) ?? null;

const exchanged = ({ inputs: [from], outputs: [to] }: Node): string =>
  `[${from?.shape.join(", ")}] → [${to?.shape.join(", ")}] gives both axes each other's size and moves no number: a transpose does`;

function meaning(axis: 0 | null, { result }: ModelSpread): string {
  const usual = "batch_first=True, a transpose, softmax's dim";
  if (axis === 0) return `Axis 0 has the samples, and they mix: ${usual} are usual reasons`;
  if (result?.after === 0 && result.before === 0)
    return "If axis 0 has the samples, then samples mix and positions do not see each other: nn.MultiheadAttention takes [positions, batch, width] unless batch_first=True";
  return `One of both axes has the samples, so samples mix: ${usual} are usual reasons`;
}

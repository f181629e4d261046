/** A learned tensor with one row for each sample of the batch. */
import type { Finding } from "../protocol/report.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Known where attention runs along axis 1, and no other axis is as long as the batch. */
export const sampleParameters = (evidence: Evidence): Finding[] => {
  const [spread] = evidence.modelSpreads;
  return spread ? oncePerLine(ofSpread(evidence, spread)) : [];
};

function ofSpread({ structure }: Evidence, { size: [samples] }: ModelSpread): Finding[] {
  const { nodes, sourceOf, attention } = structure;
  const lengths = new Set(attention.map(({ softmaxSize }) => softmaxSize));
  if (lengths.has(samples)) return [];
  return nodes.flatMap(({ op, inputs, outputs: [out], attrs, origin: { call } }): Finding[] => {
    const isJoint = op === "Concat" && Number(attrs["axis"]) !== 0;
    if (!out || !call || (op !== "Add" && op !== "Mul" && !isJoint)) return [];
    // Other axes of the batch's size might be what the rows are for.
    if (
      !lengths.has(out.shape[1] ?? 1) ||
      out.shape[0] !== samples ||
      out.shape.slice(1).includes(samples) ||
      samples < 2
    )
      return [];
    return inputs.flatMap((one): Finding[] => {
      const parameter = one && sourceOf(one).times === 1 ? sourceOf(one).value : null;
      if (!one || parameter?.role !== "parameter" || !parameter.requiresGrad) return [];
      if (parameter.shape[0] !== samples || one.shape[0] !== samples) return [];
      if (one.shape.length !== out.shape.length || one.shape.length < 3) return [];
      return [
        {
          code: "model/sample-parameter",
          severity: "warning",
          message: `${parameter.name} [${parameter.shape.join(", ")}] has a row for each of the ${samples} samples of this batch: it fits no other batch, and each row learns of one place in it. A first axis of 1 is the same for all samples`,
          ...callPlace(call),
          evidence: { parameter: parameter.name ?? "", samples },
        },
      ];
    });
  });
}

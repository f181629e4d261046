/** A result in which the axis of the samples is gone: a mean over the batch in place of positions. */
import type { Finding } from "../protocol/report.ts";
import type { Evidence } from "./evidence.ts";

/** Known where positions see each other along axis 1, and samples do not along axis 0. */
export function samplesLost({ modelSpreads, program }: Evidence): Finding[] {
  const root = program.modules.find(({ path }) => path === "");
  const returned = root?.calls[0]?.outputs[0];
  return modelSpreads.slice(0, 1).flatMap(({ size: [a, b], seen, input }): Finding[] => {
    const last = seen.findLast(({ before }) => before !== null);
    const after = (last?.before ?? 0) + (last?.after ?? 0);
    if (!returned || !last?.traced || last.others > 0 || after === 0) return [];
    if (returned.shape.length !== 2 || returned.shape[0] !== b || returned.shape[1] === a)
      return [];
    const at = program.values.indexOf(last.traced);
    const site = program.values[at + 1]?.call.site ?? last.traced.call.site;
    return [
      {
        code: "model/loses-samples",
        severity: "error",
        message: `The result [${returned.shape.join(", ")}] has no place for the ${a} samples of ${input.name} [${input.shape.join(", ")}]: positions see each other along axis 1, so axis 0 has the samples, and this takes them together`,
        file: site.file,
        line: site.line,
        module: program.values[at + 1]?.call.module ?? null,
        evidence: { samples: a, positions: b, result: returned.shape.join(", ") },
      },
    ];
  });
}

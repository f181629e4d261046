/** Blocks in which samples of a batch mix, or that read the future though their mask hides it. */

import type { TorchCall } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { counted, type Evidence } from "./evidence.ts";

/** Both are seen by a run of one block with one position of one sample changed. */
export const spreading = ({ spreads, modelSpreads, report }: Evidence): Finding[] =>
  spreads.flatMap(({ block, samples, batch, earlier, positions }): Finding[] => {
    const found: Finding[] = [];
    const { path } = block;
    const site = block.residual.adds[0]?.site;
    const { file, line } = site ?? { file: null, line: null };
    if (samples > 0)
      found.push({
        code: "block/mixes-samples",
        severity: "error",
        message: `Samples of a batch mix in ${path}: a change of one sample's input changes the output of ${samples} of ${counted(batch - 1, "other sample")}. An axis is taken for another: batch_first, softmax's dim, a view in place of a transpose`,
        file,
        line,
        module: path,
        evidence: { "samples changed": samples, batch },
      });
    const own = report.attention.filter(
      (one) => one.path?.startsWith(`${path}.`) || one.path === path,
    );
    const maps = own.flatMap(({ sees }) => sees ?? []);
    const isCausal = maps.length > 0 && maps.every(({ future, past }) => !future && past);
    if (earlier > 0 && isCausal && samples === 0) {
      const first = firstReading(modelSpreads, path);
      const begins = first
        ? `It begins with ${first.op}`
        : "Something else runs over positions: a norm, a convolution, a mean, a reshape";
      found.push({
        code: "block/reads-future",
        severity: "error",
        message: `${path} reads the future beside its mask: a change of the last of ${positions} positions changes ${counted(earlier, "earlier position")}, though attention gives none of it weight. ${begins}`,
        ...(first ? { file: first.site.file, line: first.site.line } : { file, line }),
        module: path,
        evidence: { "positions changed": earlier, positions },
      });
    }
    return found;
  });

/** The first call within a block at whose result a change of one position of the input shows at earlier ones. */
function firstReading(spreads: Evidence["modelSpreads"], path: string): TorchCall | null {
  const [spread, ...others] = spreads;
  const first = spread?.seen.find(({ before }) => (before ?? 0) > 0)?.traced?.call;
  const isWithin = first?.module === path || first?.module?.startsWith(`${path}.`);
  return first && others.length === 0 && isWithin ? first : null;
}

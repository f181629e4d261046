/** Blocks that normalise the stream itself before they add to it. */
import type { Finding } from "../protocol/report.ts";
import type { ResidualPath } from "../stats/residual.ts";
import { type Evidence, figure, linesText } from "./evidence.ts";

export function skipPath({ structure, report }: Evidence): Finding[] {
  const { blocks, norms, found } = structure;
  const faulty = blocks.filter(
    ({ residual }, at) =>
      report.blocks[at]?.placement === "norm on the skip path" || isNormedBetween(residual),
  );
  const [block] = faulty;
  if (!block) return [];
  const own = block.residual.adds
    .filter(({ skipIsNormed }) => skipIsNormed)
    .flatMap(({ skip }) => {
      const of = found.normOf(found.idOf(skip));
      return norms.filter((norm) => of !== null && found.idOf(norm.input) === of);
    });
  const [first] = own;
  if (!first) return [];
  const rms = report.blocks.map(({ streamRms }) => Number(streamRms));
  const lines = linesText(own.map(({ call }) => call.site.line));
  return [
    {
      code: "norm/skip-path",
      severity: "warning",
      message: `The skip path itself goes through a norm (${lines}): each of ${faulty.length} blocks rebinds the stream to its normalised version before it adds to it, so that the stream that came in is lost. Neither Pre-LN nor Post-LN; the stream leaves the blocks with RMS ${figure(Math.min(...rms))} … ${figure(Math.max(...rms))} at every depth`,
      file: first.call.site.file,
      line: first.call.site.line,
      module: block.path,
      evidence: {
        blocks: faulty.length,
        lines,
        "least RMS": Math.min(...rms),
        "largest RMS": Math.max(...rms),
      },
    },
  ];
}

/** Pre-LN at first, and then a sum with the normalised stream that leaves the block as it is. */
function isNormedBetween({ adds, end }: ResidualPath): boolean {
  const [first, ...rest] = adds;
  const isPre = first?.startsWithNorm === true && !first.skipIsNormed;
  return isPre && end === "raw" && rest.some(({ skipIsNormed }) => skipIsNormed);
}

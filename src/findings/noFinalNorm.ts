/** A stack whose branches are normalised, but whose stream reaches the next matrix product as it is. */
import type { BlockReport, Finding } from "../protocol/report.ts";
import { type Evidence, figure } from "./evidence.ts";
import { stacksOf } from "./stacks.ts";

const openPlacements = new Set(["Pre-LN", "Peri-LN", "Res-Post-LN"]);
const fewestBlocks = 2;

export const noFinalNorm = ({ report }: Evidence): Finding[] =>
  stacksOf(report.blocks).flatMap((blocks): Finding[] => {
    const first = blocks[0];
    const last = blocks.at(-1);
    if (!first || !last?.end || last.end.normed || blocks.length < fewestBlocks) return [];
    if (!blocks.every(({ placement }) => openPlacements.has(placement))) return [];
    const { file, line, path } = last.end;
    return [
      {
        code: "norm/no-final",
        severity: "warning",
        message: `${last.placement} without a closing norm: the residual stream's RMS ${course(first, last)} over ${blocks.length} blocks and reaches ${path === null || path === "" ? "the next product" : path} (line ${line}) as it is`,
        file,
        line,
        module: path,
        evidence: {
          blocks: blocks.length,
          "first RMS": first.streamRms,
          "last RMS": last.streamRms,
        },
      },
    ];
  });

function course(first: BlockReport, last: BlockReport): string {
  const verb = Number(last.streamRms) > 1.05 * Number(first.streamRms) ? "grows" : "goes";
  return `${verb} ${figure(first.streamRms)} → ${figure(last.streamRms)}`;
}

/** A stack whose branches are normalised, but whose stream reaches the next matrix product as it is. */
import type { Value } from "../graph/graph.ts";
import type { BlockReport, Finding } from "../protocol/report.ts";
import type { Structure } from "../stats/structure.ts";
import { type Evidence, figure } from "./evidence.ts";
import { stacksOf } from "./stacks.ts";

const openPlacements = new Set(["Pre-LN", "Peri-LN", "Res-Post-LN"]);
const fewestBlocks = 2;
/** Where norms are of channels, as BatchNorm, nobody closes the stack with one. */
const ofRows: ReadonlySet<string> = new Set(["LayerNorm", "RMSNorm", "L2Norm"]);

export const noFinalNorm = ({ report, structure }: Evidence): Finding[] =>
  stacksOf(report.blocks).flatMap((blocks): Finding[] => {
    const first = blocks[0];
    const last = blocks.at(-1);
    if (!first || !last?.end || last.end.normed || blocks.length < fewestBlocks) return [];
    if (!blocks.every(({ placement }) => openPlacements.has(placement))) return [];
    if (!blocks.some(({ norms }) => norms?.some((kind) => ofRows.has(kind)))) return [];
    if (goesOn(structure, last.path)) return [];
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

/** Whether what the stack gives becomes, by other layers, the stream of the blocks behind it. */
function goesOn({ blocks, producers, sourceOf }: Structure, path: string): boolean {
  const at = blocks.findLastIndex((block) => block.path === path);
  const last = blocks[at];
  const next = blocks[at + 1];
  if (!last || !next) return false;
  const wanted = sourceOf(last.output).value.id;
  const seen = new Set<number>();
  const open: (Value | null)[] = [next.input];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value === null || seen.has(sourceOf(value).value.id)) continue;
    seen.add(sourceOf(value).value.id);
    if (sourceOf(value).value.id === wanted) return true;
    open.push(...(producers.makerOf(value)?.inputs ?? []));
  }
  return false;
}

function course(first: BlockReport, last: BlockReport): string {
  const verb = Number(last.streamRms) > 1.05 * Number(first.streamRms) ? "grows" : "goes";
  return `${verb} ${figure(first.streamRms)} → ${figure(last.streamRms)}`;
}

/** A model with attention in which no position of a sequence sees another. */
import type { Finding } from "../protocol/report.ts";
import { callPlace, counted, type Evidence } from "./evidence.ts";

/** Seen by a run of the whole model with one position changed. */
export function positionsApart({ modelSpreads, structure, report }: Evidence): Finding[] {
  const [spread] = modelSpreads;
  const [attention] = structure.attention;
  const result = spread?.result;
  if (!spread || !attention || !result?.own || modelSpreads.length > 1) return [];
  if (result.before !== 0 || result.after !== 0 || result.others > 0) return [];
  // Branches that start at 0 (ReZero) see other positions, and add nothing of it yet.
  if (spread.seen.some(({ before, after }) => (before ?? 0) + (after ?? 0) > 0)) return [];
  const { call, softmaxSize } = attention;
  const [samples] = spread.size;
  const positions = spread.places;
  // A mask may hide the changed position, as padding, from all others.
  const isMasked = report.attention.some(({ sees }) => sees?.past || sees?.future);
  if (softmaxSize === positions && isMasked) return [];
  // Along axis 0 the last position was changed, which under a causal mask nothing else sees.
  if (softmaxSize === samples) return [];
  return [
    {
      code: "model/positions-apart",
      severity: "warning",
      message: `No position sees another: a change of ${spread.input.name}[${spread.entry}, ${spread.at}] changes the result there and nowhere else, of ${counted(positions, "position")}. ${softmaxSize === positions ? "No weight of this softmax is for another position" : `This softmax runs over ${counted(softmaxSize, "key")}, which are not the positions: a transpose is missing in front of the scores`}`,
      ...callPlace(call),
      evidence: { positions, "softmax over": softmaxSize },
    },
  ];
}

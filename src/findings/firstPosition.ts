/** A causal model that answers from its first position, which has seen no other. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, type Evidence } from "./evidence.ts";

/** Seen by a run with a later position changed, and by the pick itself: all ways to the loss go through it. */
export function firstPosition({ report, structure, modelSpreads, program }: Evidence): Finding[] {
  const { attention, nodes } = structure;
  const [last] = attention.at(-1)?.mixing.outputs ?? [];
  const places = attention[0]?.softmaxSize ?? 0;
  if (!last || report.attention.length !== attention.length || modelSpreads.length === 0) return [];
  const isCausal = report.attention.every(({ sees }) => sees?.past && sees.self && !sees.future);
  const isAlone = modelSpreads.every(({ result }) => result !== null && !result.own);
  if (!isCausal || !isAlone || attention.some(({ softmaxSize }) => softmaxSize !== places))
    return [];
  const after = dependents(nodes, last);
  const picks = after.filter((node) => isFirst(node, places));
  const [pick] = picks;
  const call = pick?.origin.call;
  const others = after.filter((node) => !picks.includes(node));
  if (!call || idsMadeBy(dependents(others, last)).has(program.loss.id)) return [];
  return [
    {
      code: "model/first-position",
      severity: "warning",
      message: `All attention is causal, and what the model gives is made of position 0 alone, which has seen none of the ${places - 1} others: a change of any other token changes nothing`,
      ...callPlace(call),
      evidence: { positions: places, read: 0 },
    },
  ];
}

/** `x[:, 0]` of `[batch, positions, width]`, `x[0]` of `[positions, batch, width]`. */
function isFirst({ op, inputs, outputs: [picked], attrs }: Node, places: number): boolean {
  const [from, first, , third] = inputs;
  if (from?.shape.length !== 3 || first?.data?.length !== 1) return false;
  if (Number(first.data[0]) !== 0) return false;
  const axis = op === "Gather" ? Number(attrs["axis"] ?? 0) : sliceAxis(op, third?.data);
  if (op === "Slice" && picked?.shape[axis] !== 1) return false;
  const other = axis === 1 ? 0 : 1;
  return (axis === 0 || axis === 1) && from.shape[axis] === places && from.shape[other] !== places;
}

const sliceAxis = (op: string, axes: Value["data"] | undefined): number =>
  op === "Slice" && axes?.length === 1 ? Number(axes[0]) : -1;

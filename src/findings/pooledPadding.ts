/** Samples that are summed up, or told by one place, with their padding in it. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import type { PaddedInput } from "../stats/padding.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, counted, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Told where attention hides padding: then it is known that it is to say nothing. */
export function pooledPadding({ padding, structure }: Evidence): Finding[] {
  const [only, ...others] = padding.inputs;
  if (!only || others.length > 0 || !padding.isHidden || padding.attention.length > 0) return [];
  const { nodes } = structure;
  return oncePerLine(
    nodes.flatMap((node): Finding[] => {
      const { call } = node.origin;
      const [rows] = node.inputs;
      const [out] = node.outputs;
      const { samples, places, isPad, count, token } = only.pads;
      const [a, b, width, ...more] = rows?.shape ?? [];
      const isRows = a === samples && b === places && (width ?? 1) > 1 && more.length === 0;
      if (!call || !rows || !out || !isRows || !only.reached.has(rows.id)) return [];
      const what = pools(node) ? "all" : picked(node, places);
      if (what === null || returns(nodes, out, only)) return [];
      const [at, noun] = what === "all" ? [null, ""] : [what, "place"];
      const hit = Array.from({ length: samples }, (_, one) => isPad[one * places + (at ?? 0)]);
      const padded = hit.filter(Boolean).length;
      if (at !== null && (padded === 0 || padded === samples)) return [];
      if (at === null && isMasked(rows, structure)) return [];
      return [
        {
          code: "model/pools-padding",
          severity: "warning",
          message:
            at === null
              ? `All ${places} places of a sample are taken together here, ${counted(count, "place")} of padding (token ${token}) among them, which attention hides: a sample's result depends on how long the others of its batch are`
              : `The ${noun} that stands for a sample here (${at} of ${places}) is padding (token ${token}) in ${counted(padded, "sample")} of ${samples}: samples end at different places`,
          ...callPlace(call),
          evidence: { token, padding: count, places },
        },
      ];
    }),
  );
}

/** A mean, a sum or a maximum over the places. */
function pools({ op, inputs, attrs }: Node): boolean {
  if (!["ReduceMean", "ReduceSum", "ReduceMax"].includes(op)) return false;
  const axes = inputs[1]?.data ?? attrs["axes"];
  const list = Array.from((axes as ArrayLike<number> | undefined) ?? [], Number);
  return list.length === 1 && (list[0] === 1 || list[0] === -2);
}

/** One place of all samples; null: several, or another axis. */
function picked({ op, inputs, attrs, outputs }: Node, places: number): number | null {
  if (op === "Gather" && Number(attrs["axis"] ?? 0) === 1 && inputs[1]?.data?.length === 1) {
    const at = Number(inputs[1].data[0]);
    return at < 0 ? at + places : at;
  }
  if (op !== "Slice" || outputs[0]?.shape[1] !== 1 || places < 2) return null;
  const start = Number(inputs[1]?.data?.[0] ?? Number.NaN);
  const isPlaces = Number(inputs[3]?.data?.[0] ?? 0) === 1;
  return !isPlaces || Number.isNaN(start) ? null : start < 0 ? start + places : start;
}

/** Whether what was pooled goes into rows of places again, as a statistic or a gate does. */
const returns = (nodes: readonly Node[], out: Value, { pads: { samples, places } }: PaddedInput) =>
  dependents(nodes, out).some(({ outputs }) =>
    outputs.some(({ shape }) => shape.length > 2 && shape[0] === samples && shape[1] === places),
  );

const elementwise = new Set([
  ...["Add", "Sub", "Div", "Identity", "Cast", "LayerNormalization", "RMSNormalization"],
  ...["Relu", "Gelu", "Tanh", "Reshape", "IsNaN"],
]);

/** Whether something that is one number for each place is multiplied in front, or chosen by. */
function isMasked(rows: Value, { producers }: Evidence["structure"]): boolean {
  const open = [rows];
  const seen = new Set<number>();
  for (let value = open.pop(); value && seen.size < 200; value = open.pop()) {
    if (seen.has(value.id)) continue;
    seen.add(value.id);
    const node = producers.makerOf(value);
    if (!node) continue;
    if (node.op === "Where" || node.op.startsWith("Scatter")) return true;
    if (node.op === "Mul" && node.inputs.some((one) => one && isByPlace(one, rows))) return true;
    if (node.op === "Mul" || elementwise.has(node.op))
      open.push(...node.inputs.filter((one) => one !== null));
  }
  return false;
}

const isByPlace = ({ shape }: Value, rows: Value): boolean =>
  shape.at(-1) === 1 && shape.at(-2) === rows.shape[1];

/** Linear biases of the distance (ALiBi) that grow with it, or that are the same in all heads. */
import type { TorchCall } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import type { FoundAttention } from "../stats/foundAttention.ts";
import { numbersFrom } from "../stats/hostNumbers.ts";
import type { Structure } from "../stats/structure.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

const fewestKeys = 4;
const elementLimit = 2 ** 18;
/** A score so far below is hidden by a mask. */
const hidden = -1e3;

export const distanceBias = ({ structure }: Evidence): Finding[] =>
  oncePerLine(
    structure.attention.flatMap((attention): Finding[] => {
      const bias = biasOf(attention, structure);
      if (!bias) return [];
      const { slopes, call } = bias;
      const place = { code: "attention/distance-bias", ...callPlace(call) } as const;
      const shown = slopes.slice(0, 4).map(figure).join(", ");
      const evidence = { heads: slopes.length, "a place nearer": shown };
      if (slopes.every((slope) => slope < 0))
        return [
          {
            ...place,
            severity: "error",
            message: `What is added to the scores grows with the distance (by ${figure(-(slopes[0] ?? 0))} a place in head 0): keys far away get weight and near ones lose it. A linear bias of the distance is negative, −slope · (query − key)`,
            evidence,
          },
        ];
      if (slopes.length < 2 || slopes.some((slope) => slope !== slopes[0])) return [];
      return [
        {
          ...place,
          severity: "warning",
          message: `All ${slopes.length} heads have the same linear bias of the distance (${figure(slopes[0] ?? 0)} a place): heads are meant to look differently far, with slopes of 2^(−8 / heads), 2^(−16 / heads), …`,
          evidence,
        },
      ];
    }),
  );

/** What one place nearer adds, by head; null: no constant bias that is linear in the distance. */
function biasOf(
  { treatments, logits }: FoundAttention,
  { nodes, producers }: Structure,
): { slopes: number[]; call: TorchCall } | null {
  const [queries = 1, keys = 1] = logits.shape.slice(-2);
  const heads = logits.shape.length > 3 ? (logits.shape[1] ?? 1) : 1;
  if (queries !== keys || keys < fewestKeys) return null;
  for (const { node, scores } of treatments) {
    const added = node.op === "Add" ? node.inputs.find((input) => input !== scores) : null;
    const { call } = node.origin;
    if (!added || !call || numel(added.shape) > elementLimit) continue;
    const [rows = 1, columns] = added.shape.slice(-2);
    const own = added.shape.at(-3) ?? 1;
    const numbers =
      (rows === queries || rows === 1) && columns === keys && [1, heads].includes(own);
    const data = numbers ? numbersFrom(added, nodes, producers.makers) : null;
    if (!data) continue;
    const slopes = Array.from({ length: own }, (_, head) =>
      slopeOf((query, key) => Number(data[(head * rows + (query % rows)) * keys + key]), keys),
    );
    if (slopes.every((slope) => slope !== null))
      return {
        slopes: own === 1 ? Array.from({ length: heads }, () => slopes[0] ?? 0) : slopes,
        call,
      };
  }
  return null;
}

/** How much more a key has than the one before it, among those up to the query; null: not all alike, or nothing. */
function slopeOf(at: (query: number, key: number) => number, keys: number): number | null {
  const slope = at(keys - 1, keys - 1) - at(keys - 1, keys - 2);
  if (!Number.isFinite(slope) || slope === 0) return null;
  for (let query = 1; query < keys; query++)
    for (let key = 1; key <= query; key++) {
      const [here, before] = [at(query, key), at(query, key - 1)];
      if (here < hidden || before < hidden) return null;
      if (!(Math.abs(here - before - slope) <= 1e-3 * Math.abs(slope))) return null;
    }
  return slope;
}

/** A causal mask that counts queries from the first key, though they stand behind a cache. */
import type { Finding } from "../protocol/report.ts";
import { hasEmptyKeys } from "../stats/emptyKeys.ts";
import { maskSight } from "../stats/padding.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Queries are the last of the keys: query t of T stands at key S − T + t. */
export function causalOffset({ structure }: Evidence): Finding[] {
  const { makers } = structure.producers;
  return oncePerLine(
    structure.attention.flatMap((attention): Finding[] => {
      const { logits, call } = attention;
      const [queries = 1, keys = 1] = logits.shape.slice(-2);
      if (queries >= keys || attention.treatments.length === 0) return [];
      const seen = maskSight(attention, structure.nodes, makers);
      if (!seen) return [];
      for (let query = 0; query < queries; query++)
        for (let key = 0; key < keys; key++)
          if (seen.isSeen(0, query, key) !== key <= query) return [];
      // A cache of fixed length whose first slots are the queries' own.
      if (hasEmptyKeys(attention, structure.nodes, makers, structure.found)) return [];
      return [
        {
          code: "attention/causal-offset",
          severity: "error",
          message: `Of ${keys} keys, ${queries === 1 ? "the last is the query's" : `the last ${queries} are the queries'`} own: the mask lets query 0 see key 0 alone, and so on, and hides each query's own key. Behind a cache query 0 stands at key ${keys - queries}; is_causal=True counts from the first`,
          ...callPlace(call),
          evidence: { queries, keys },
        },
      ];
    }),
  );
}

/** Several queries behind a cache that see each other's future, where the model's own mask hides it. */
import type { Finding } from "../protocol/report.ts";
import { maskSight } from "../stats/padding.ts";
import type { Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** The same attention hid later positions when it made the cache. */
export function openChunk({ structure, report }: Evidence): Finding[] {
  const { makers } = structure.producers;
  return oncePerLine(
    structure.attention.flatMap((attention): Finding[] => {
      const { logits, call } = attention;
      const [queries = 1, keys = 1] = logits.shape.slice(-2);
      if (queries < 2 || queries >= keys) return [];
      const { file, line } = call.site;
      const cached = structure.attention.some(
        (one) =>
          one.call.module === call.module &&
          one.call.site.file === file &&
          one.softmaxSize === keys - queries &&
          one.logits.shape.at(-2) === one.softmaxSize,
      );
      const isCausal = report.attention.some(
        ({ path, sees }) => path === call.module && sees?.past && !sees.future,
      );
      const seen = cached && isCausal ? maskSight(attention, structure.nodes, makers) : null;
      if (!seen) return [];
      for (let query = 0; query < queries; query++)
        for (let key = 0; key < keys; key++) if (!seen.isSeen(0, query, key)) return [];
      return [
        {
          code: "attention/sees-future",
          severity: "warning",
          message: `${queries} queries behind a cache of ${keys - queries} keys have no mask: each sees those behind it, which the same layer hid while it made the cache. Only a single query needs none`,
          file,
          line,
          module: call.module,
          evidence: { queries, keys, "farthest ahead": queries - 1 },
        },
      ];
    }),
  );
}

/** Attention of a block that copies one key in every head. */
import type { Finding } from "../protocol/report.ts";
import { type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

const fewestKeys = 8;

/** Only within residual blocks, whose inputs are the model's own making. */
export const saturatedAttention = ({ report, structure, limits }: Evidence): Finding[] =>
  oncePerLine(
    report.attention.flatMap(({ heads, file, line, path }): Finding[] => {
      const map = structure.attention.find(
        ({ call }) => call.site.file === file && call.site.line === line && call.module === path,
      );
      const isInBlock = report.blocks.some((block) => path?.startsWith(`${block.path}.`));
      if (!map || !isInBlock || map.keys < fewestKeys) return [];
      const entropies = heads.map(({ entropy }) => Number(entropy));
      const largest = Math.max(...entropies);
      if (!(largest < limits.entropy)) return [];
      const logit = Math.max(...heads.map(({ maxLogit }) => Number(maxLogit ?? 0)));
      return [
        {
          code: "attention/saturated",
          severity: "warning",
          message: `Every head gives nearly all weight to one of ${map.keys} keys: entropy at most ${figure(largest)} of ln ${map.keys} = ${figure(Math.log(map.keys))} nats, largest score ${figure(logit)}. Its gradient to queries and keys is close to 0`,
          file,
          line,
          module: path,
          evidence: { entropy: largest, limit: limits.entropy, "largest score": logit },
        },
      ];
    }),
  );

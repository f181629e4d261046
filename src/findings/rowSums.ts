/** Attention whose rows do not sum to one, though softmax runs over the keys. */
import type { Finding } from "../protocol/report.ts";
import { type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";
import { dropoutInEval } from "./randomInEval.ts";

export function rowSums(evidence: Evidence): Finding[] {
  const { report, limits } = evidence;
  // Dropped weights are told of as what they are.
  if (dropoutInEval(evidence).length > 0) return [];
  return oncePerLine(
    report.attention.flatMap(({ softmaxOver = "keys", heads, file, line, path }): Finding[] => {
      const whole = heads.filter(({ maskedRows = 0 }) => maskedRows === 0);
      const min = Math.min(...whole.map(({ minRowSum }) => Number(minRowSum)));
      const max = Math.max(...whole.map(({ maxRowSum }) => Number(maxRowSum)));
      const isOff = min < 1 - limits.rowSum || max > 1 + limits.rowSum;
      if (softmaxOver !== "keys" || whole.length === 0 || !isOff) return [];
      return [
        {
          code: "attention/row-sums",
          severity: "warning",
          message: `Attention's rows sum to ${figure(min)} … ${figure(max)} where they meet the values, not to 1: something takes weight away, or adds some, after softmax`,
          file,
          line,
          module: path,
          evidence: { "least sum": min, "largest sum": max, limit: limits.rowSum },
        },
      ];
    }),
  );
}

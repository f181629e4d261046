/** Attention whose softmax runs over another axis than the keys that are summed with the values. */
import type { Finding } from "../protocol/report.ts";
import { type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

const axes = {
  keys: "the keys",
  queries: "the queries",
  both: "all pairs of queries and keys",
  other: "neither queries nor keys",
};

export const softmaxAxis = ({ report, structure }: Evidence): Finding[] =>
  oncePerLine(
    structure.attention
      .filter(({ softmaxOver, isDivided }) => softmaxOver !== "keys" && !isDivided)
      .map(({ call, softmaxOver, softmaxSize, keys, keysAxis }): Finding => {
        const { file, line } = call.site;
        const heads = report.attention
          .filter((one) => one.file === file && one.line === line)
          .flatMap((one) => one.heads);
        const sums = {
          min: Math.min(...heads.map(({ minRowSum }) => Number(minRowSum))),
          max: Math.max(...heads.map(({ maxRowSum }) => Number(maxRowSum))),
        };
        const axis = axes[softmaxOver];
        const range =
          heads.length === 0
            ? ""
            : `: the rows over keys sum to ${figure(sums.min)} … ${figure(sums.max)}, not to 1`;
        return {
          code: "attention/softmax-axis",
          severity: "error",
          message: `Softmax runs over ${axis}, but the keys are what is summed with the values${range}`,
          file,
          line,
          module: call.module,
          evidence: {
            "softmax over": softmaxSize,
            keys,
            ...(keysAxis !== null && { "axis of the keys": keysAxis }),
            ...(heads.length > 0 && { "least sum": sums.min, "largest sum": sums.max }),
          },
        };
      }),
  );

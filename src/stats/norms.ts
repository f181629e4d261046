/** What each normalisation sees: the variance of its rows, and what eps and the mean take of it. */
import type { NormReport, Stats } from "../protocol/report.ts";
import type { TracedNorm } from "../trace/program.ts";
import type { StatsOf } from "./collect.ts";
import { fromNum, toNum } from "./moments.ts";
import { widened } from "./reduce.ts";
import type { Probe } from "./weave.ts";

/** The mean of each row. RMSNorm needs none: its mean square is that of the whole input. */
export const rowMeans = ({ kind, input, axes }: TracedNorm): Probe<ArrayLike<number>> | null =>
  kind === "rms_norm"
    ? null
    : {
        needs: [input],
        write(emit) {
          const rank = input.shape.length;
          const trailing = Array.from({ length: axes }, (_, axis) => rank - axes + axis);
          const x = widened(emit, input);
          return [emit.op("ReduceMean", [x, emit.ints(trailing)], { keepdims: 0 })];
        },
        read: ([means]) => means ?? [],
      };

/** `means`: what `rowMeans` read. */
export function normReport(
  { call, input, eps }: TracedNorm,
  means: ArrayLike<number> | null,
  statsOf: StatsOf,
): NormReport | null {
  const stats = statsOf({ value: input });
  if (stats === null) return null;
  const { variance, meanShare } = means === null ? ofSquares(stats) : ofRows(stats, means);
  return {
    path: call.module ?? "",
    call: call.moduleCall,
    variance: toNum(variance),
    eps,
    epsShare: toNum(eps / (variance + eps)),
    meanShare: meanShare === null ? null : toNum(meanShare),
  };
}

const ofSquares = ({ rms }: Stats) => ({ variance: fromNum(rms) ** 2, meanShare: null });

/** The variance of all is the mean of the rows' variances plus the variance of the rows' means. */
function ofRows({ mean, std }: Stats, means: ArrayLike<number>) {
  const centre = fromNum(mean);
  let between = 0;
  let squares = 0;
  for (let row = 0; row < means.length; row++) {
    const own = means[row] as number;
    between += (own - centre) ** 2 / means.length;
    squares += own ** 2 / means.length;
  }
  const variance = Math.max(fromNum(std) ** 2 - between, 0);
  const all = variance + squares;
  return { variance, meanShare: all === 0 ? 0 : squares / all };
}

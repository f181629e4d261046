/** What each normalisation sees: the variance of its rows, and what eps and the mean take of it. */
import type { Graph, Value } from "../graph/graph.ts";
import type { Numbers } from "../graph/tensor.ts";
import type { NormReport, Stats } from "../protocol/report.ts";
import type { TracedNorm } from "../trace/program.ts";
import type { StatsOf } from "./collect.ts";
import type { MeasuredNorm } from "./measuredParts.ts";
import { fromNum, toNum } from "./moments.ts";
import { widened } from "./reduce.ts";
import type { SourceOf } from "./sources.ts";
import type { Probe } from "./weave.ts";

/** The mean of each row; `known` if the graph computes it anyway. */
export const rowMeans = ({ input, axes }: TracedNorm, known: Value | null): Probe<Numbers> => ({
  needs: [known ?? input],
  write(emit) {
    if (known !== null) return [known];
    const rank = input.shape.length;
    const trailing = Array.from({ length: axes }, (_, axis) => rank - axes + axis);
    return [emit.op("ReduceMean", [widened(emit, input), emit.ints(trailing)], { keepdims: 0 })];
  },
  read: ([means]) => means ?? new Float32Array(0),
});

/** LayerNormalization's output Mean for each value that it normalises, by the value's source. */
export function computedMeans(graph: Graph, sourceOf: SourceOf): ReadonlyMap<number, Value> {
  const means = new Map<number, Value>();
  for (const { op, inputs, outputs } of graph.nodes)
    if (op === "LayerNormalization" && inputs[0] && outputs[1])
      means.set(sourceOf(inputs[0]).value.id, outputs[1]);
  return means;
}

/** `means`: what `rowMeans` read; null for RMSNorm, whose mean square is that of the whole input. */
export function normReport(
  { call, input, eps, found }: MeasuredNorm,
  means: Numbers | null,
  statsOf: StatsOf,
): NormReport | null {
  const stats = statsOf({ value: input });
  if (stats === null) return null;
  const { variance, meanShare } = means === null ? ofSquares(stats) : ofRows(stats, means);
  const beside = found?.epsPlace === "outside" ? Math.sqrt(variance) : variance;
  const root = found?.root ? statsOf({ value: found.root }) : null;
  return {
    path: call.module ?? "",
    call: call.moduleCall,
    variance: toNum(variance),
    eps,
    epsShare: toNum(eps === 0 ? 0 : eps / (beside + eps)),
    meanShare: meanShare === null ? null : toNum(meanShare),
    ...(found && { kind: found.kind, epsPlace: found.epsPlace }),
    file: call.site.file,
    line: call.site.line,
    ...(root && { minRoot: root.min }),
  };
}

const ofSquares = ({ rms }: Stats) => ({ variance: fromNum(rms) ** 2, meanShare: null });

/** The variance of all is the mean of the rows' variances plus the variance of the rows' means. */
function ofRows({ mean, std }: Stats, means: Numbers) {
  const centre = fromNum(mean);
  let between = 0;
  let squares = 0;
  for (const own of means) {
    between += (own - centre) ** 2 / means.length;
    squares += own ** 2 / means.length;
  }
  const variance = Math.max(fromNum(std) ** 2 - between, 0);
  const all = variance + squares;
  return { variance, meanShare: all === 0 ? 0 : squares / all };
}

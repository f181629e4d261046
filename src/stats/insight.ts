/** The parts of a report beside values and modules: blocks, norms, attention. Planned before the run, read after. */
import type { Value } from "../graph/graph.ts";
import type { RunReport } from "../protocol/report.ts";
import type { TracedProgram } from "../trace/program.ts";
import { attentionReports, type Heads, headsOf } from "./attention.ts";
import { blockReport, findBlocks, wantedOfBlock } from "./blocks.ts";
import type { StatsOf } from "./collect.ts";
import type { Instrumented, Wanted } from "./instrument.ts";
import { computedMeans, normReport, rowMeans } from "./norms.ts";
import { numbersOf, type Results } from "./readings.ts";
import { findSources } from "./sources.ts";
import type { Probe } from "./weave.ts";

export interface Insight {
  /** Values whose statistics are needed. */
  readonly wanted: readonly Wanted[];
  /** Values that must be in the graph, though nothing is measured of them but by the probes. */
  readonly kept: readonly Value[];
  readonly probes: readonly Probe<unknown>[];
  read(
    instrumented: Instrumented,
    results: Results,
    statsOf: StatsOf,
  ): Pick<RunReport, "blocks" | "norms" | "attention">;
}

export function planInsight(
  program: TracedProgram,
  gradientOf: (value: Value) => Value | null,
): Insight {
  const blocks = findBlocks(program);
  const sourceOf = findSources(program.graph);
  const means = computedMeans(program.graph, sourceOf);
  const norms = program.norms.map((norm) => {
    const known = means.get(sourceOf(norm.input).value.id) ?? null;
    return { norm, probe: norm.kind === "layer_norm" ? rowMeans(norm, known) : null };
  });
  const attention = program.attention.map((traced) => ({ traced, probe: headsOf(traced) }));
  const probes: Probe<unknown>[] = [
    ...blocks.flatMap(({ branches }) => branches.map(({ product }) => product)),
    ...norms.flatMap(({ probe }) => probe ?? []),
    ...attention.map(({ probe }) => probe),
  ];
  return {
    probes,
    wanted: [
      ...blocks.flatMap((block) => wantedOfBlock(block, gradientOf)),
      ...program.norms.map(({ input }) => input),
    ].map((value) => ({ value })),
    kept: probes.flatMap(({ needs }) => needs),
    read(instrumented, results, statsOf) {
      const read = <T>(probe: Probe<T>): T | null => {
        const outputs = instrumented.probes.get(probe);
        return outputs ? probe.read(outputs.map((value) => numbersOf(results, value))) : null;
      };
      const attended = attention.flatMap(({ traced, probe }) => {
        const heads: Heads | null = read(probe);
        return heads ? [{ traced, heads }] : [];
      });
      return {
        blocks: blocks.map((block) =>
          blockReport(
            block,
            block.branches.map(({ product }) => read(product)),
            statsOf,
            gradientOf,
          ),
        ),
        norms: norms.flatMap(
          ({ norm, probe }) => normReport(norm, probe && read(probe), statsOf) ?? [],
        ),
        attention: attentionReports(attended),
      };
    },
  };
}

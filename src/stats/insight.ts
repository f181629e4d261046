/** The parts of a report beside values and modules: blocks, norms, attention. Planned before the run, read after. */
import type { Value } from "../graph/graph.ts";
import type { RunReport } from "../protocol/report.ts";
import type { TracedProgram } from "../trace/program.ts";
import { type Attended, attentionReports, headsOf } from "./attention.ts";
import { type Block, type BlockStructure, blockReport, wantedOfBlock } from "./blocks.ts";
import type { StatsOf } from "./collect.ts";
import type { Instrumented, Wanted } from "./instrument.ts";
import { attentionOf, normsOf } from "./measuredParts.ts";
import { normCalls } from "./normalised.ts";
import { computedMeans, normReport, rowMeans } from "./norms.ts";
import { numbersOf, type Results } from "./readings.ts";
import { sightOf } from "./sight.ts";
import { findSources } from "./sources.ts";
import { findStructure, type Structure } from "./structure.ts";
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
  structure: Structure = findStructure(program),
): Insight {
  const { blocks } = structure;
  const sourceOf = findSources(program.graph);
  const means = computedMeans(program.graph, sourceOf);
  const norms = normsOf(program, structure).map((norm) => {
    const known = means.get(sourceOf(norm.input).value.id) ?? null;
    return { norm, probe: norm.kind === "layer_norm" ? rowMeans(norm, known) : null };
  });
  const attention = attentionOf(program, structure).map((traced) => ({
    traced,
    probe: headsOf(traced),
    sight: sightOf(traced),
  }));
  const probes: Probe<unknown>[] = [
    ...blocks.flatMap(({ branches }) => branches.map(({ product }) => product)),
    ...norms.flatMap(({ probe }) => probe ?? []),
    ...attention.flatMap(({ probe, sight }) => [probe, ...(sight ? [sight] : [])]),
  ];
  return {
    probes,
    wanted: [
      ...blocks.flatMap((block) => wantedOfBlock(block, gradientOf)),
      ...norms.flatMap(({ norm: { input, found } }) => [
        input,
        ...(found?.root ? [found.root] : []),
      ]),
    ].map((value) => ({ value })),
    kept: probes.flatMap(({ needs }) => needs),
    read(instrumented, results, statsOf) {
      const read = <T>(probe: Probe<T>): T | null => {
        const outputs = instrumented.probes.get(probe);
        return outputs ? probe.read(outputs.map((value) => numbersOf(results, value))) : null;
      };
      const attended = attention.flatMap(({ traced, probe, sight }): Attended[] => {
        const heads = read(probe);
        return heads ? [{ traced, heads, sight: sight && read(sight) }] : [];
      });
      return {
        blocks: blocks.map((block) =>
          blockReport(
            block,
            structureOf(block, structure),
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

function structureOf(block: Block, { norms, ends }: Structure): BlockStructure {
  const within = new Set(block.nodes.flatMap(({ outputs }) => outputs));
  const own = norms.filter(({ output }) => within.has(output));
  const calls = block.nodes.flatMap(({ origin: { call } }) =>
    call !== null && normCalls.has(call.op) ? [call] : [],
  );
  const called = calls.map(({ op }) => normCalls.get(op) ?? op);
  return {
    norms: [...new Set([...own.map(({ kind }) => kind), ...called])],
    normLines: [...own.map(({ call }) => call.site), ...calls.map(({ site }) => site)],
    end: ends.get(block) ?? null,
  };
}

/** A traced program → the graph of its first run: both passes, with the statistics of every value. */
import type { Graph } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { planInsight } from "../stats/insight.ts";
import { instrument, measuredFor, type Wanted } from "../stats/instrument.ts";
import { findSources } from "../stats/sources.ts";
import { findStructure, type Structure } from "../stats/structure.ts";
import { gradientOfTensor, type TracedProgram, type TracedTensor } from "../trace/program.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import { differentiate, type GradientOf } from "./differentiate.ts";

export interface BuiltRun {
  readonly structure: Structure;
  readonly insight: ReturnType<typeof planInsight>;
  /** Without the statistics: what later graphs of the same run are made of. */
  readonly base: Graph;
  readonly first: ReturnType<typeof instrument>;
  readonly gradientOf: GradientOf;
}

/** `isKnown` says of a value's key whether its moments need no run. */
export function buildRun(traced: TracedScript, isKnown: (key: string) => boolean): BuiltRun {
  const { program } = traced;
  const { graph, gradientOf } = differentiate(traced);
  const structure = findStructure(program);
  const insight = planInsight(program, gradientOf, structure);
  const wanted = [...wantedOf(program, gradientOf), ...insight.wanted];
  const sourceOf = findSources(graph);
  const measured = wanted.map((one) => measuredFor(one, sourceOf));
  const pruned = prune({ ...graph, outputs: [program.loss, ...measured, ...insight.kept] });
  const base = { ...pruned, outputs: [program.loss] };
  const first = instrument(base, wanted, { probes: insight.probes, isKnown, sourceOf });
  return { structure, insight, base, first, gradientOf };
}

/** Every value that the report tells of, and its gradient. */
function wantedOf(program: TracedProgram, gradientOf: GradientOf): Wanted[] {
  const wanted: Wanted[] = [];
  const add = (tensor: Pick<TracedTensor, "value" | "masked" | "dtype" | "hooks" | "isUnseen">) => {
    const complex = tensor.dtype.startsWith("complex");
    wanted.push({ value: tensor.value, masked: tensor.masked, complex });
    const gradient = gradientOfTensor(tensor, gradientOf);
    if (gradient !== null) wanted.push({ value: gradient, complex, uneven: true });
  };
  for (const value of program.values) add(value);
  for (const module of program.modules)
    for (const call of module.calls) for (const output of call.outputs) add(output);
  for (const { value, dtype } of program.parameters)
    if (value !== null) add({ value, dtype, masked: false });
  return wanted;
}

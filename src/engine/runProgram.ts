/** A traced program → gradients, statistics, numbers, report. */

import { NormscopeError } from "../errors.ts";
import { gather } from "../findings/gather.ts";
import { judge } from "../findings/judge.ts";
import type { EncodedModel } from "../graph/encode.ts";
import { unite } from "../graph/unite.ts";
import type { RunRequest } from "../protocol/engine.ts";
import type { RunReport } from "../protocol/report.ts";
import { memoryNeeds } from "../runtime/memoryNeeds.ts";
import { planSpread } from "../stats/blockSpread.ts";
import { collect, createStatsOf } from "../stats/collect.ts";
import { planModelSpread } from "../stats/modelSpread.ts";
import { readRefined, refine } from "../stats/refine.ts";
import { buildReport } from "../stats/report.ts";
import type { Structure } from "../stats/structure.ts";
import type { TracedProgram } from "../trace/program.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import type { Stages } from "./answerRequest.ts";
import { buildRun } from "./buildRun.ts";
import { checkWeights, type MemoryQuestion, memoryBefore } from "./memoryCheck.ts";
import { runParameters } from "./runParameters.ts";
import type { RuntimeAnswer } from "./runtimeQuestion.ts";
import { isShort } from "./shortRuns.ts";
import { readerOf } from "./sources.ts";
import { weightsInfo } from "./weightsInfo.ts";

export function runProgram(
  request: RunRequest,
  traced: TracedScript,
  stages: Stages,
  begun: { readonly start: number; readonly traceMs: number },
): RunReport {
  stages.progress("build");
  const built = performance.now();
  const { program } = traced;
  const before = memoryBefore();
  const isForced = request.force === true;
  const parameters = runParameters(traced);
  checkWeights(parameters.bytes, before.freeBytes, isForced);
  stages.fill(parameters.fills);
  const { structure, insight, base, first, gradientOf } = buildRun(traced, parameters.isKnown);
  const model = parameters.encode(first.graph);
  const buildMs = performance.now() - built;
  stages.progress("run");
  const short = isShort(program.graph);
  const begin = (asked: EncodedModel, memory?: MemoryQuestion): (() => RuntimeAnswer) =>
    stages.begin({
      ...{ kind: "run", model: asked, device: request.device, isShort: short },
      ...(memory && { memory }),
    });
  const shape = program.inputs[0]?.shape ?? null;
  const needs = memoryNeeds(first.graph);
  const answered = begin(model, { needs, before, shape, isForced });
  // While the runtime works.
  const spread = planSpreads(structure, program);
  const spreadModel = spread && parameters.encode(spread.graph);
  const ran = answered();
  const spreading = spreadModel && once(resultsOrNull(begin(spreadModel)));
  const known = parameters.moments(ran);
  const { moments, doubts } = collect(base, first, ran.results, known);
  const refined = refine(base, doubts);
  if (refined) spreading?.();
  const exact = refined
    ? readRefined(refined, begin(parameters.encode(refined.graph))().results)
    : new Map();
  const statsOf = createStatsOf(first, known, moments, exact);
  const report = buildReport({
    request,
    program,
    gradientOf,
    statsOf,
    ran,
    begun,
    buildMs,
    normscope: stages.version,
    ...traced.made,
    printed: traced.printed(),
    weights: weightsInfo(request.weights, traced.made.weights),
    insight: insight.read(first, ran.results, statsOf),
  });
  const { limits } = request;
  const textOf = readerOf(request.root);
  const changes = spreading?.() ?? null;
  const spreads = (changes && spread?.ofBlocks?.read(changes)) ?? [];
  const modelSpreads = (changes && spread?.ofModel?.read(changes)) ?? [];
  const evidence = gather({ report, program, structure, spreads, modelSpreads, limits, textOf });
  const timing = { ...report.timing, totalMs: performance.now() - begun.start };
  return { ...report, timing, findings: judge(evidence) };
}

/** What changes of one row change, in blocks and in the whole model: two questions, one graph. */
function planSpreads(structure: Structure, program: TracedProgram) {
  const ofBlocks = planSpread(structure, program.graph.inputs);
  const ofModel = planModelSpread(structure, program);
  const graphs = [ofBlocks?.graph, ofModel?.graph].filter((graph) => graph !== undefined);
  return graphs.length === 0 ? null : { ofBlocks, ofModel, graph: unite(graphs) };
}

/**
 * null where the run fails: with other numbers in a row, a place that was computed from them (an
 * expert's next free one) may be outside of what it is a place of.
 */
const resultsOrNull =
  (answered: () => RuntimeAnswer): (() => RuntimeAnswer["results"] | null) =>
  () => {
    try {
      return answered().results;
    } catch (error) {
      if (error instanceof NormscopeError) return null;
      throw error;
    }
  };

/** Gives again what was given first. */
function once<T>(give: () => T): () => T {
  let given: { readonly value: T } | null = null;
  return () => {
    given ??= { value: give() };
    return given.value;
  };
}

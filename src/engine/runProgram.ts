/** A traced program → gradients, statistics, numbers, report. */
import { gather } from "../findings/gather.ts";
import { judge } from "../findings/judge.ts";
import type { EncodedModel } from "../graph/encode.ts";
import type { Graph } from "../graph/graph.ts";
import { unite } from "../graph/unite.ts";
import type { RunRequest } from "../protocol/engine.ts";
import type { RunReport } from "../protocol/report.ts";
import { memoryNeeds } from "../runtime/memoryNeeds.ts";
import { type BlockSpread, planSpread } from "../stats/blockSpread.ts";
import { collect, createStatsOf } from "../stats/collect.ts";
import { type ModelSpread, planModelSpread } from "../stats/modelSpread.ts";
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
  const ask = (asked: EncodedModel, memory?: MemoryQuestion): RuntimeAnswer =>
    stages.ask({
      ...{ kind: "run", model: asked, device: request.device },
      ...(memory && { memory }),
    });
  const shape = program.inputs[0]?.shape ?? null;
  const ran = ask(model, { needs: memoryNeeds(first.graph), before, shape, isForced });
  const known = parameters.moments(ran);
  const { moments, doubts } = collect(base, first, ran.results, known);
  const refined = refine(base, doubts);
  const exact = refined
    ? readRefined(refined, ask(parameters.encode(refined.graph)).results)
    : new Map();
  const statsOf = createStatsOf(first, known, moments, exact);
  const askGraph = (asked: Graph) => ask(parameters.encode(asked));
  const { spreads, modelSpreads } = spreadsOf(structure, program, askGraph);
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
    weights: weightsInfo(request.weights, traced.made.weights),
    insight: insight.read(first, ran.results, statsOf),
  });
  const { limits } = request;
  const textOf = readerOf(request.root);
  const evidence = gather({ report, program, structure, spreads, modelSpreads, limits, textOf });
  return { ...report, findings: judge(evidence) };
}

/** What changes of one row change, in blocks and in the whole model: two questions, one graph. */
function spreadsOf(
  structure: Structure,
  program: TracedProgram,
  ask: (graph: Graph) => RuntimeAnswer,
): { spreads: BlockSpread[]; modelSpreads: ModelSpread[] } {
  const ofBlocks = planSpread(structure, program.graph.inputs);
  const ofModel = planModelSpread(structure, program);
  const graphs = [ofBlocks?.graph, ofModel?.graph].filter((graph) => graph !== undefined);
  if (graphs.length === 0) return { spreads: [], modelSpreads: [] };
  const { results } = ask(unite(graphs));
  return { spreads: ofBlocks?.read(results) ?? [], modelSpreads: ofModel?.read(results) ?? [] };
}

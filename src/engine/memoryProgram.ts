/** A traced program → what its run would hold. Neither weights nor numbers are made. */
import { invariant } from "../errors.ts";
import type { RunRequest } from "../protocol/engine.ts";
import type { MemoryEstimate } from "../protocol/report.ts";
import { memoryNeeds } from "../runtime/memoryNeeds.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import type { Stages } from "./answerRequest.ts";
import { buildRun } from "./buildRun.ts";
import { memoryBefore } from "./memoryCheck.ts";
import { runParameters } from "./runParameters.ts";

export function memoryProgram(
  { device }: RunRequest,
  traced: TracedScript,
  stages: Stages,
): MemoryEstimate {
  const { estimate } = stages;
  invariant(estimate, "the engine can estimate");
  stages.progress("build");
  const { program } = traced;
  const before = memoryBefore();
  const { first } = buildRun(traced, runParameters(traced).isKnown);
  const memory = {
    needs: memoryNeeds(first.graph),
    before,
    shape: program.inputs[0]?.shape ?? null,
    isForced: false,
  };
  return estimate({ kind: "estimate", device, memory });
}

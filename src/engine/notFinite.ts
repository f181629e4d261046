/** The step that gave NaN or infinity, run again with everything measured: which line made it first. */
import { numel } from "../graph/tensor.ts";
import type { RunReport, Stats } from "../protocol/report.ts";
import type { NotFinite, TrainRequest } from "../protocol/training.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import type { PreparedTraining } from "./prepareTraining.ts";
import { runProgram } from "./runProgram.ts";
import type { FailedStep, TrainStages } from "./trainProgram.ts";

/** The state is the one before the step: the step that failed was not taken. */
export function originOfNotFinite(
  request: TrainRequest,
  traced: TracedScript,
  prepared: PreparedTraining,
  stages: TrainStages,
  { feeds }: FailedStep,
): NotFinite {
  putState(prepared, stages.training.ask({ kind: "training-state" }));
  for (const batch of feeds.batches) {
    putBatch(traced, batch);
    const begun = { start: performance.now(), traceMs: 0 };
    const report = runProgram(request, { ...traced, fills: [] }, stages, begun);
    const found = firstNotFinite(report);
    if (found !== null) return { ...found, report };
  }
  return { file: null, line: null, op: "", module: null, pass: "update", report: null };
}

/** Writes the trained weights where the traced program has its first ones. */
function putState({ layout, graphs }: PreparedTraining, state: readonly ArrayLike<number>[]): void {
  let slot = 0;
  layout.buckets.forEach((bucket, at) => {
    const numbers = state[slot] as Float32Array;
    slot += 1 + (graphs.buckets[at]?.moments.length ?? 0);
    let from = 0;
    for (const { value } of bucket.members) {
      const count = numel(value.shape);
      value.data?.set(numbers.subarray(from, from + count));
      from += count;
    }
  });
}

function putBatch(
  { program, draws }: TracedScript,
  batch: ReadonlyMap<number, ArrayLike<number>>,
): void {
  for (const { value } of [...program.inputs, ...draws]) {
    const numbers = batch.get(value.id);
    if (numbers) value.data?.set(numbers);
  }
}

const isBroken = (stats: Stats | null): boolean => stats !== null && stats.nan + stats.posInf > 0;

/** In the order of the calls forward, then backwards. −∞ may be a mask's. */
function firstNotFinite({ values }: RunReport): Omit<NotFinite, "report"> | null {
  const forward = values.find(({ activation }) => isBroken(activation));
  const backward = values.findLast(
    ({ gradient }) => isBroken(gradient) || (gradient?.negInf ?? 0) > 0,
  );
  const found = forward ?? backward;
  if (found === undefined) return null;
  const { file, line, op, module } = found;
  return { file, line, op, module, pass: forward ? "forward" : "backward" };
}

/** Mistakes of training loops that stand in the files of a model, whether they ran or not. */
import type { Finding } from "../protocol/report.ts";
import type { LoopFault, TracedLoop } from "../trace/program.ts";
import type { Evidence } from "./evidence.ts";

export const trainingLoop = ({ program }: Evidence): Finding[] =>
  program.loops.map(({ file, line, kind, detail }) => ({
    code: told[kind].code,
    severity: told[kind].severity,
    message: told[kind].message(detail),
    ...{ file, line, module: null },
    evidence: { about: detail },
  }));

interface Told {
  readonly code: string;
  readonly severity: Finding["severity"];
  readonly message: (detail: TracedLoop["detail"]) => string;
}

const told: Readonly<Record<LoopFault, Told>> = {
  kept: {
    code: "training/gradients-kept",
    severity: "error",
    message: (step) =>
      `Nothing in this file sets gradients to zero: backward() adds to those of all batches before, and ${step} follows their sum. zero_grad() belongs into each step`,
  },
  zeroed: {
    code: "training/gradients-kept",
    severity: "error",
    message: (step) =>
      `Gradients are set to zero between backward() and ${step}, which has nothing to follow then. zero_grad() belongs in front of backward(), or behind the step`,
  },
  "clip-after": {
    code: "training/clip-place",
    severity: "warning",
    message: (clip) =>
      `${clip} runs behind the step that was to take clipped gradients: it changes nothing. It belongs between backward() and step()`,
  },
  "clip-before": {
    code: "training/clip-place",
    severity: "warning",
    message: (clip) =>
      `${clip} runs in front of backward(), which makes the gradients that it was to clip. It belongs between backward() and step()`,
  },
  "clip-scaled": {
    code: "training/clip-place",
    severity: "warning",
    message: (clip) =>
      `${clip} gets gradients that the scaler multiplied, so that nearly all are cut to the limit: scaler.unscale_(optimizer) belongs in front of it`,
  },
  added: {
    code: "training/accumulation",
    severity: "warning",
    message: (count) =>
      `Gradients of ${count} batches are added before a step, and the loss is not divided by ${count}: they come out ${count} times as large as those of one batch of that size. (loss / ${count}).backward()`,
  },
  eval: {
    code: "training/eval-mode",
    severity: "warning",
    message: (model) =>
      `${model}.eval() runs in the loop, and ${model}.train() in front of it alone: from the second round on it trains without dropout. ${model}.train() belongs at the start of each round`,
  },
  "scheduler-first": {
    code: "training/scheduler-step",
    severity: "warning",
    message: (scheduler) =>
      `${scheduler}.step() runs in front of the optimizer's step: the first rate of the schedule is never used. It belongs behind it`,
  },
  "scheduler-often": {
    code: "training/scheduler-step",
    severity: "warning",
    message: (count) =>
      `The schedule ends after ${count} steps, which the loop around this one counts, and takes a step for each batch: it ends within the first of the ${count} rounds. Step it in the outer loop, or make it of ${count} * len(loader) steps`,
  },
  "scheduler-rare": {
    code: "training/scheduler-step",
    severity: "warning",
    message: (length) =>
      `The schedule ends after ${length} steps, one for each batch, and takes one for each round of the outer loop: it hardly begins. Step it behind the optimizer's step`,
  },
  replaced: {
    code: "training/replaced-parameters",
    severity: "error",
    message: (target) =>
      `${target} is made anew behind the optimizer, which got the parameters of before: the new ones are never trained. Make the optimizer last`,
  },
};

/** Mistakes of training loops that stand in the files of a model, whether they ran or not. */
import type { Finding } from "../protocol/report.ts";
import type { LoopFault, TracedLoop } from "../trace/program.ts";
import { constantFactor } from "./branchFactors.ts";
import type { Evidence } from "./evidence.ts";

export const trainingLoop = (evidence: Evidence): Finding[] =>
  evidence.program.loops
    .filter((loop) => loop.kind !== "no-warm-up" || stallsAtOnce(evidence, Number(loop.detail)))
    .map(({ file, line, kind, detail }) => ({
      code: told[kind].code,
      severity: told[kind].severity,
      message: told[kind].message(detail),
      ...{ file, line, module: null },
      evidence: { about: detail },
    }));

/**
 * Layers times Adam's learning rate at which Post-LN stacks of 6, 8 and 12 layers stalled at the
 * unigram loss from every seed, and did not behind a warm-up.
 */
const stalling = 0.024;
const fewestLayers = 6;

/** Whether the model is a stack of Post-LN blocks that is deep for this rate; DeepNorm needs no warm-up. */
function stallsAtOnce(evidence: Evidence, rate: number): boolean {
  const { report, structure } = evidence;
  const post = report.blocks.filter(({ placement }) => placement === "Post-LN");
  const isDeepNorm = structure.blocks.some(({ residual }) =>
    residual.adds.some(({ skip }) => constantFactor(evidence, skip).factor > 1),
  );
  return post.length >= fewestLayers && post.length * rate >= stalling && !isDeepNorm;
}

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
  "kept-round": {
    code: "training/gradients-kept",
    severity: "error",
    message: (step) =>
      `${step} follows each batch, and gradients are set to zero in the loop around it alone: backward() adds to those of all batches before, and each step follows their sum. zero_grad() belongs into the loop over batches`,
  },
  "stepped-first": {
    code: "training/gradients-kept",
    severity: "error",
    message: (step) =>
      `zero_grad() stands between backward() of one round and ${step} of the next, which has nothing to follow then. The order is zero_grad(), backward(), step()`,
  },
  "not-called": {
    code: "training/not-called",
    severity: "error",
    message: (method) => `${method} is named here and not called: nothing is done. ${method}()`,
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
  "scheduler-never": {
    code: "training/scheduler-step",
    severity: "warning",
    message: (scheduler) =>
      `${scheduler} is made and never named again: the learning rate stays what it is at the start. ${scheduler}.step() belongs behind the optimizer's step, or at the end of each round`,
  },
  "scaler-passed": {
    code: "training/scaler",
    severity: "error",
    message: (step) =>
      `${step} passes the scaler by: it takes gradients that were multiplied (by 65536 at first) where unscale_() did not divide them, and infinite ones as well. scaler.step(optimizer) divides them and leaves such steps out`,
  },
  "scaler-kept": {
    code: "training/scaler",
    severity: "error",
    message: (scaler) =>
      `Nothing calls ${scaler}.update(): the scale is never lowered when gradients are infinite, and PyTorch refuses the second step. It belongs behind ${scaler}.step(optimizer)`,
  },
  "made-each-time": {
    code: "training/optimizer-place",
    severity: "error",
    message: (kind) =>
      `A new ${kind} is made for each batch: the means of gradients that it keeps between steps begin anew each time, and no step has those of another. It belongs in front of the loop`,
  },
  spent: {
    code: "training/spent-parameters",
    severity: "error",
    message: (name) =>
      `${name} is an iterator, and the optimizer has read it to its end: nothing is left in it here, and nothing is done. ${name} = list(…)`,
  },
  "half-eps": {
    code: "training/half-optimizer",
    severity: "error",
    message: (kind) =>
      `The parameters are float16, and so are ${kind}'s means, where its eps of 1e-8 is 0: a weight whose gradient was 0 is divided by 0 and becomes NaN at the first step. Keep the parameters in float32 and use torch.autocast with a GradScaler, or bfloat16`,
  },
  "no-warm-up": {
    code: "training/no-warm-up",
    severity: "warning",
    message: (rate) =>
      `This Post-LN stack is trained with a learning rate of ${rate} from the first step on, and nothing in the file warms it up: so deep, Adam stalls at the loss of the tokens' frequencies. A linear warm-up of some hundred steps, a smaller rate, or norms in front of the sublayers`,
  },
  "graph-kept": {
    code: "training/graph-kept",
    severity: "warning",
    message: (name) =>
      `${name} gets the loss as a tensor, and with it the graph of each batch, which stays in memory as long as ${name} does. loss.item(), or loss.detach()`,
  },
  "loss-anew": {
    code: "training/loss-anew",
    severity: "error",
    message: (made) =>
      `${made} is a new tensor, of which no weight knows: backward() gives it a gradient and no parameter any. The loss goes into backward() as it was computed`,
  },
  softened: {
    code: "loss/double-softmax",
    severity: "error",
    message: () =>
      "The loop gives the result of softmax to a cross-entropy, which takes logits and applies softmax itself: the loss stays high however sure the model is, and gradients are small. Give it the logits",
  },
  "log-twice": {
    code: "loss/log-twice",
    severity: "information",
    message: () =>
      "The loop gives the result of log_softmax to a cross-entropy, which takes logits and applies it again: nothing changes by it. Give it the logits, or use nll_loss",
  },
  replaced: {
    code: "training/replaced-parameters",
    severity: "error",
    message: (target) =>
      `${target} is made anew behind the optimizer, which got the parameters of before: the new ones are never trained. Make the optimizer last`,
  },
};

/** The training session of one tracer, in the runtime's worker. */
import { invariant } from "../errors.ts";
import type { Device } from "../protocol/engine.ts";
import type { ProviderChoice } from "../runtime/providers.ts";
import { openTraining, type TrainingSession } from "../runtime/training.ts";
import type { TrainingAnswers, TrainingQuestion } from "./trainingQuestion.ts";

export const isTraining = (question: { readonly kind: string }): question is TrainingQuestion =>
  question.kind.includes("train");

export function trainingAnswerer(choose: (device: Device) => Promise<ProviderChoice>) {
  let session: TrainingSession | null = null;

  return async (question: TrainingQuestion): Promise<TrainingAnswers[TrainingQuestion["kind"]]> => {
    if (question.kind === "open-training") {
      const { provider, passedOver } = await choose(question.device);
      const start = performance.now();
      session = await openTraining(question.models, provider, question);
      const device = { requested: question.device, provider, passedOver };
      return { device, sessionMs: performance.now() - start };
    }
    if (question.kind === "training-provider") {
      const { provider } = await choose(question.device);
      return provider;
    }
    invariant(session, "training has begun");
    if (question.kind === "train") return session.take(question.steps, question.watched);
    if (question.kind === "training-state") return session.state();
    await session.release();
    session = null;
    return null;
  };
}

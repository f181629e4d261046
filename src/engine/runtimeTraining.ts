/** The training session of one tracer, in the runtime's worker. */
import { invariant } from "../errors.ts";
import type { Numbers } from "../graph/tensor.ts";
import type { Device } from "../protocol/engine.ts";
import type { ProviderChoice } from "../runtime/providers.ts";
import { openTraining, type TrainingSession } from "../runtime/training.ts";
import type { TrainingAnswers, TrainingQuestion } from "./trainingQuestion.ts";

export const isTraining = (question: { readonly kind: string }): question is TrainingQuestion =>
  question.kind.includes("train");

export function trainingAnswerer(choose: (device: Device) => Promise<ProviderChoice>) {
  let session: TrainingSession | null = null;

  async function train(
    question: Extract<TrainingQuestion, { kind: "train" }>,
  ): Promise<TrainingAnswers["train"]> {
    invariant(session, "training has begun");
    const done: (readonly ReadonlyMap<number, Numbers>[])[] = [];
    for (const { batches, coefficients } of question.steps) {
      const results = await session.step(batches, coefficients);
      done.push(results);
      const allFinite = results.every((of) =>
        question.watched.every((id) => of.get(id)?.every(Number.isFinite) ?? true),
      );
      if (!allFinite) return { steps: done, isFinite: false };
      session.commit();
    }
    return { steps: done, isFinite: true };
  }

  return async (question: TrainingQuestion): Promise<TrainingAnswers[TrainingQuestion["kind"]]> => {
    if (question.kind === "open-training") {
      const { provider, passedOver } = await choose(question.device);
      const start = performance.now();
      session = await openTraining(question.models, provider, question);
      const device = { requested: question.device, provider, passedOver };
      return { device, sessionMs: performance.now() - start };
    }
    if (question.kind === "train") return train(question);
    invariant(session, "training has begun");
    if (question.kind === "training-state") return session.state();
    await session.release();
    session = null;
    return null;
  };
}

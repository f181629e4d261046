/** The worker that holds ONNX Runtime: `session.run` blocks its thread and no other. */
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../errors.ts";
import type { Device } from "../protocol/engine.ts";
import { chooseProvider, type ProviderChoice } from "../runtime/providers.ts";
import { createRuntime } from "../runtime/run.ts";
import type { RuntimeAnswer, RuntimeQuestion } from "./runtimeQuestion.ts";
import { answerSync, type SyncPort } from "./syncPort.ts";

const runtime = createRuntime((workerData as { readonly threads?: number }) ?? {});
const chosen = new Map<Device, Promise<ProviderChoice>>();

/** Trying a provider takes a process of its own: once for each device. */
function choose(device: Device): Promise<ProviderChoice> {
  const known = chosen.get(device) ?? chooseProvider(device);
  chosen.set(device, known);
  known.catch(() => chosen.delete(device));
  return known;
}

async function answer({ model, device }: RuntimeQuestion): Promise<RuntimeAnswer> {
  const { provider, passedOver } = await choose(device);
  const start = performance.now();
  const session = await runtime.openSession(model, provider);
  const opened = performance.now();
  try {
    const results = await session.run();
    return {
      results,
      device: { requested: device, provider, passedOver },
      sessionMs: opened - start,
      runMs: performance.now() - opened,
    };
  } finally {
    await session.release();
  }
}

invariant(parentPort, "the runtime runs in a worker");
parentPort.on("message", (port: SyncPort) => answerSync(port, answer));

/** What the workers of the bench share: Python with a tracer, and steps that are timed. */
import type { MessagePort } from "node:worker_threads";
import type { TracerData } from "../src/engine/tracerWorker.ts";
import { startPython } from "../src/trace/python/boot.ts";
import { loaded } from "../src/trace/python/tracerPool.ts";
import { createTracer } from "../src/trace/traceScript.ts";

/** Milliseconds: by the clock, and of all processors together. */
export interface StepTime {
  readonly wall: number;
  readonly cpu: number;
}

export async function startTracing({ assets }: TracerData) {
  const tracer = createTracer({
    evaluate: () => {
      throw new Error("the bench's models ask for no numbers");
    },
  });
  const host = tracer.host as never;
  return { tracer, python: await startPython({ assets, host }) };
}

/** Says that it is loaded, and takes one step per message. */
export function serveSteps(port: MessagePort, step: () => Promise<void>): void {
  port.on("message", async () => {
    const cpu = process.cpuUsage();
    const start = performance.now();
    await step();
    const wall = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    port.postMessage({ wall, cpu: (user + system) / 1000 } satisfies StepTime);
  });
  port.postMessage(loaded);
}

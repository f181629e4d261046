/** Requests that several engines share, each process with its own memory. */
import { availableParallelism, freemem } from "node:os";
import type { Engine } from "./engineClient.ts";

/** Python, the runtime and a small model. */
const bytesOfEngine = 700e6;

/** How many engines work at once where nobody says it: as many as there are processors and memory for. */
export const jobsThatFit = (): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / bytesOfEngine)));

export interface JobEngines {
  readonly jobs: number;
  /** Of one worker. */
  start(): Engine;
  /** When nothing is left for it. */
  end(engine: Engine): Promise<void>;
}

/**
 * Each engine takes the next item when it is done with one. Where `work` rejects, nothing more is
 * begun; rejects with the first error when all have ended.
 */
export async function shareOut<Item>(
  items: readonly Item[],
  { jobs, start, end }: JobEngines,
  work: (item: Item, engine: Engine) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    const engine = start();
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
        await work(item, engine);
    } catch (error) {
      waiting.length = 0;
      throw error;
    } finally {
      await end(engine);
    }
  };
  const workers = Array.from({ length: Math.min(jobs, items.length) }, worker);
  const ended = await Promise.allSettled(workers);
  const failed = ended.find((it) => it.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

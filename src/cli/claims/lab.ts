/** Runs of the bundled lab model for the claims, several at once. */
import type { Engine } from "../../client/engineClient.ts";
import { initRequest, type Lab, trainRequest } from "../../present/claims/lab.ts";

export interface LabOptions {
  readonly modelsFolder: string;
  readonly jobs: number;
  readonly newEngine: () => Engine;
  readonly told: () => void;
}

/** `end` ends the engines. */
export function createLab(options: LabOptions): Lab & { end(): Promise<void> } {
  const { modelsFolder, jobs, newEngine, told } = options;
  const engines = Array.from({ length: jobs }, newEngine);

  async function each<T, R>(all: readonly T[], work: (engine: Engine, one: T) => Promise<R>) {
    const waiting = [...all.entries()];
    const results: R[] = [];
    const worker = async (engine: Engine): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        results[next[0]] = await work(engine, next[1]);
        told();
      }
    };
    await Promise.all(engines.map(worker));
    return results;
  }

  return {
    init: (models) => each(models, (engine, model) => engine.run(initRequest(modelsFolder, model))),
    train: (runs) => each(runs, (engine, run) => engine.train(trainRequest(modelsFolder, run))),
    async end() {
      await Promise.all(engines.map((engine) => engine.dispose()));
    },
  };
}

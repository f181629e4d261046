/** The engine process of this window: started when it is first needed, ended with the window. */
import type { LogOutputChannel } from "vscode";
import { type Engine, startEngine } from "../client/engineClient.ts";

export interface EngineOnDemand {
  get(): Engine;
  /** The process is killed before this returns its promise. */
  dispose(): Promise<void>;
}

export function engineOnDemand(enginePath: string, log: LogOutputChannel): EngineOnDemand {
  let started: Engine | null = null;
  return {
    get() {
      if (started === null) {
        log.info(`engine: start ${enginePath}`);
        started = startEngine({ enginePath });
      }
      return started;
    },
    async dispose() {
      await started?.dispose();
    },
  };
}

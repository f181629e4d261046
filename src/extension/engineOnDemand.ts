/** The engine process of this window: started when it is first needed, ended with the window. */
import { type LogOutputChannel, workspace } from "vscode";
import { type Engine, startEngine } from "../client/engineClient.ts";

export interface EngineOnDemand {
  get(): Engine;
  restart(): Promise<void>;
  /** The process is killed before this returns its promise. */
  dispose(): Promise<void>;
}

export function engineOnDemand(enginePath: string, log: LogOutputChannel): EngineOnDemand {
  let started: Engine | null = null;
  return {
    get() {
      if (started === null) {
        log.info(`engine: start ${enginePath}`);
        started = startEngine({ enginePath, workspaces: trustedFolders });
      }
      return started;
    },
    async restart() {
      const last = started;
      started = null;
      await last?.dispose();
    },
    async dispose() {
      await started?.dispose();
    },
  };
}

/** Libraries of a workspace that is not trusted are not loaded. */
const trustedFolders = (): string[] =>
  workspace.isTrusted ? (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath) : [];

/** The engine process of this window: started when it is first needed, ended with the window. */
import { type LogOutputChannel, workspace } from "vscode";
import { type Engine, startEngine } from "../client/engineClient.ts";

export interface EngineOnDemand {
  get(): Engine;
  /** One more, beside that of the window; whoever asked for it ends it, or the window does. */
  another(): Engine;
  restart(): Promise<void>;
  /** The process is killed before this returns its promise. */
  dispose(): Promise<void>;
}

export function engineOnDemand(enginePath: string, log: LogOutputChannel): EngineOnDemand {
  let started: Engine | null = null;
  const others = new Set<Engine>();
  const start = () => startEngine({ enginePath, workspaces: trustedFolders });
  return {
    get() {
      if (started === null) {
        log.info(`engine: start ${enginePath}`);
        started = start();
      }
      return started;
    },
    another() {
      log.info("engine: start one more");
      const engine = start();
      const own: Engine = {
        ...engine,
        dispose() {
          others.delete(own);
          return engine.dispose();
        },
      };
      others.add(own);
      return own;
    },
    async restart() {
      const last = started;
      started = null;
      await last?.dispose();
    },
    async dispose() {
      await Promise.all([started, ...others].map((engine) => engine?.dispose()));
    },
  };
}

/** Libraries of a workspace that is not trusted are not loaded. */
const trustedFolders = (): string[] =>
  workspace.isTrusted ? (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath) : [];

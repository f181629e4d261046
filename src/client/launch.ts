/** One engine process: its connection, and what is known when it ends. */
import { type ChildProcess, fork } from "node:child_process";
import process from "node:process";
import {
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
} from "vscode-jsonrpc/node";
import { engineEnded, engineGarbled, type NormscopeError } from "../errors.ts";
import { engineEnvironment } from "../runtime/engineEnvironment.ts";

export interface EngineProcess {
  readonly connection: MessageConnection;
  /** Rejects when no more answers will come, with the reason. */
  readonly ended: Promise<never>;
  /** Resolves when the operating system has forgotten the process. */
  readonly gone: Promise<void>;
  /** Kills the process; pending requests see `reason`. */
  end(reason: NormscopeError): void;
}

export function launchEngine(
  enginePath: string,
  env: Readonly<Record<string, string>>,
  workspaces: readonly string[],
): EngineProcess {
  const given = { ...process.env, ...env };
  const child = fork(enginePath, [], {
    serialization: "advanced",
    // Inspector flags of the parent would make both processes listen on one port.
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      ...given,
      ...engineEnvironment(given, enginePath, workspaces),
      ELECTRON_RUN_AS_NODE: "1",
    },
  });
  let fail: (reason: NormscopeError) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever waits for an answer also waits for this; with nobody waiting it is no error.
  ended.catch(() => undefined);
  const end = (reason: NormscopeError) => {
    fail(reason);
    child.kill("SIGKILL");
  };
  const connection = connect(child, (detail) => end(engineGarbled(detail)));
  const errorOutput = lastOutput(child);
  const gone = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      fail(engineEnded(error.message, null));
      resolve();
    });
    child.once("close", (code, signal) => {
      fail(engineEnded(describeExit(code, signal), lastWords(errorOutput())));
      connection.dispose();
      resolve();
    });
  });
  return { connection, ended, gone, end };
}

function connect(child: ChildProcess, onGarbage: (detail: string) => void): MessageConnection {
  const quiet = () => undefined;
  const logger = { error: onGarbage, warn: quiet, info: quiet, log: quiet };
  const reader = new IPCMessageReader(child);
  const connection = createMessageConnection(reader, new IPCMessageWriter(child), logger);
  // Writing to a process that is about to be reported as ended.
  connection.onError(quiet);
  connection.onUnhandledNotification(({ method }) => onGarbage(`a notification '${method}'`));
  connection.listen();
  return connection;
}

/** Follows the child's stderr, so that its pipe never fills, and keeps the end of it. */
function lastOutput(child: ChildProcess): () => string {
  const keptCharacters = 4000;
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-keptCharacters);
  });
  return () => text;
}

/** How a process ended, as a clause: "it was killed (SIGKILL), …". */
export function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === "SIGKILL") return "it was killed (SIGKILL), most often because memory ran out";
  if (signal !== null) return `it crashed (${signal})`;
  return `it stopped with exit code ${code}`;
}

/** The line of an error output that says most: the last that names an error, else the last. */
export function lastWords(output: string): string | null {
  const lines = output.split("\n").map((line) => line.trim());
  const spoken = lines.filter((line) => line !== "" && !/^(at |Node\.js v)/.test(line));
  const line = spoken.findLast((text) => /error/i.test(text)) ?? spoken.at(-1);
  return line === undefined ? null : line.slice(0, 200);
}

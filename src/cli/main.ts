/** The process behind `normscope`: streams, signals, and the engine's life. */
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { type Engine, startEngine } from "../client/engineClient.ts";
import { commandLine } from "./commandLine.ts";
import { outputTo } from "./output.ts";
import { outputFiles } from "./outputFiles.ts";

const enginePath = fileURLToPath(new URL("./engine.mjs", import.meta.url));
const modelsFolder = fileURLToPath(new URL("../models", import.meta.url));
const files = outputFiles();
const engine = engineOnDemand();
const interrupts = interruptsOnce();

const exitCodeOfSignal = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [signal, code] of Object.entries(exitCodeOfSignal)) {
  process.on(signal, () => {
    if (signal === "SIGINT" && interrupts.handle()) return;
    void engine.dispose();
    files.discard();
    process.exit(code);
  });
}

// The reader of a pipe has seen enough: `normscope run … | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  void engine.dispose();
  process.exit(0);
});

process.exitCode = await commandLine(process.argv.slice(2), {
  out: outputTo(process.stdout),
  err: outputTo(process.stderr),
  cwd: process.cwd(),
  modelsFolder,
  files,
  isDebug: Boolean(process.env["NORMSCOPE_DEBUG"]),
  confirm,
  engine: engine.get,
  newEngine: engine.another,
  ownCommand: [process.execPath, process.argv[1] ?? ""],
  onInterrupt: interrupts.on,
});
await engine.dispose();

/** One Ctrl-C at most is taken by somebody who wants to end in order. */
function interruptsOnce() {
  let waiting: (() => void) | null = null;
  return {
    on(stop: () => void): () => void {
      waiting = stop;
      return () => {
        waiting = null;
      };
    },
    handle(): boolean {
      const stop = waiting;
      waiting = null;
      stop?.();
      return stop !== null;
    },
  };
}

async function confirm(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

function engineOnDemand() {
  let started: Engine | null = null;
  const others: Engine[] = [];
  return {
    another(): Engine {
      const made = startEngine({ enginePath });
      others.push(made);
      return made;
    },
    get(): Engine {
      started ??= startEngine({ enginePath, workspaces: () => [process.cwd()] });
      return started;
    },
    /** The process is killed before this returns its promise. */
    async dispose(): Promise<void> {
      await Promise.all([started, ...others].map((one) => one?.dispose()));
    },
  };
}

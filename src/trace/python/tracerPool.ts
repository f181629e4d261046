/** The workers that Python runs in: one script each, a spare loaded beforehand, ended by force. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";

export interface TracerPool {
  /** A worker that has loaded Python and run nothing yet. The caller ends it after one script. */
  take(): Promise<Worker>;
  /** Starts loading the next worker; to be called when the machine has nothing better to do. */
  prepare(): void;
  /** Ends the spare. */
  dispose(): Promise<void>;
}

/** What a worker posts first, once it has loaded Python. */
export const loaded = "loaded";

/** Deep recursion in Python needs a deep stack here: Python's own limit must come first. */
const stackSizeMb = 64;

interface Spare {
  readonly worker: Worker;
  readonly ready: Promise<Worker>;
}

/** `entry` is the worker's file, `workerData` what it needs to start Python. */
export function tracerPool(entry: string, workerData: unknown): TracerPool {
  let spare: Spare | null = null;
  const next = () => {
    spare ??= startTracer(entry, workerData);
    return spare;
  };
  return {
    prepare() {
      next();
    },
    async take() {
      const { ready } = next();
      spare = null;
      return await ready;
    },
    async dispose() {
      await spare?.worker.terminate();
      spare = null;
    },
  };
}

/** What compilePython made, for the life of the process. */
const compiled: WebAssembly.Module[] = [];

/**
 * Compiles Python once for all tracers of this process: threads that compile the same bytes share the
 * machine code of what any of them has called before, as long as somebody holds a module of it.
 */
export async function compilePython(assets: string): Promise<void> {
  setFlags();
  const bytes = await readFile(join(assets, "pyodide.asm.wasm"));
  compiled.push(await WebAssembly.compile(new Uint8Array(bytes)));
}

/** To be called before what they hold for. */
function setFlags(): void {
  // Holds for contexts made from now on: the worker's own realm makes no code from strings either.
  setFlagsFromString("--disallow-code-generation-from-strings");
  // Checks each function of Python's 10 MB when it is called first.
  setFlagsFromString("--wasm-lazy-validation");
}

function startTracer(entry: string, workerData: unknown): Spare {
  setFlags();
  const worker = new Worker(entry, { workerData, env: {}, resourceLimits: { stackSizeMb } });
  const ready = new Promise<Worker>((resolve, reject) => {
    const stopListening = () => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    };
    const onMessage = (message: unknown) => {
      if (message !== loaded) return;
      stopListening();
      resolve(worker);
    };
    const onError = (error: Error) => {
      stopListening();
      reject(error);
    };
    const onExit = () => onError(new Error("internal: the tracer ended while it was loading"));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
  // Whoever takes it sees the error; a spare that nobody takes may fail in silence.
  ready.catch(() => undefined);
  return { worker, ready };
}

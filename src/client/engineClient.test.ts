import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { NormscopeError } from "../errors.ts";
import type { RunRequest, Stage } from "../protocol/engine.ts";
import { type Engine, startEngine } from "./engineClient.ts";

const enginePath = fileURLToPath(new URL("../../test/fixtures/engines/fake.mjs", import.meta.url));
const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.dispose())));

function start(): Engine {
  const engine = startEngine({ enginePath, graceMs: 100 });
  engines.push(engine);
  return engine;
}

const request = (file: string): RunRequest => ({
  root: "/models",
  file,
  entry: null,
  set: {},
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  packages: null,
  device: "auto",
});

/** What the fake engine answers is no report: it tells about itself. */
const ask = async (engine: Engine, file: string, options?: Parameters<Engine["run"]>[1]) =>
  (await engine.run(request(file), options)) as unknown as Record<string, unknown>;

const refusal = async (promise: Promise<unknown>): Promise<NormscopeError> => {
  const reason = await promise.catch((error: unknown) => error);
  if (reason instanceof NormscopeError) return reason;
  throw new Error(`expected a refusal, got ${JSON.stringify(reason)}`);
};

const isAlive = (pid: unknown): boolean => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

test("answers, tells the stages, and keeps one process for all requests", async () => {
  const engine = start();
  const stages: Stage[] = [];
  const first = await ask(engine, "echo.py", { onStage: (stage) => stages.push(stage) });
  const second = await ask(engine, "echo.py");
  expect(first).toMatchObject({ request: { file: "echo.py" }, answered: 1, tf32: "0" });
  expect(second).toMatchObject({ pid: first["pid"], answered: 2 });
  expect(stages).toEqual(["trace"]);
});

test("typed arrays cross as they are", async () => {
  expect(await ask(start(), "bytes.py")).toEqual({ bytes: new Float32Array([1, 2, 3]) });
});

test("an error of the engine keeps its place and hint", async () => {
  const error = await refusal(ask(start(), "fail.py"));
  expect(error).toMatchObject({
    code: "trace/python",
    message: "no",
    place: { file: "fail.py", line: 3 },
    hint: "try",
  });
});

test("a crash rejects with how it ended and what it last said; the next run works", async () => {
  const engine = start();
  const error = await refusal(ask(engine, "crash.py"));
  expect(error.message).toBe("The engine ended during the run: it stopped with exit code 3");
  expect(error.hint).toBe("RuntimeError: out of luck; the next run starts a new engine");
  expect(await ask(engine, "echo.py")).toMatchObject({ answered: 1 });
});

test("a killed engine is told apart from a crash", async () => {
  const error = await refusal(ask(start(), "killed.py"));
  expect(error.message).toBe(
    "The engine ended during the run: it was killed (SIGKILL), most often because memory ran out",
  );
});

test("garbage instead of a message ends the engine; the next run works", async () => {
  const engine = start();
  const error = await refusal(ask(engine, "garbage.py"));
  expect(error.code).toBe("engine/garbled");
  expect(await ask(engine, "echo.py")).toMatchObject({ answered: 1 });
});

test("cancelling a request that hangs rejects at once and ends the process", async () => {
  const engine = start();
  const { pid } = await ask(engine, "echo.py");
  const abort = new AbortController();
  const hanging = refusal(ask(engine, "hang.py", { signal: abort.signal }));
  abort.abort();
  expect((await hanging).code).toBe("engine/cancelled");
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await ask(engine, "echo.py")).toMatchObject({ answered: 1 });
});

test("cancelling a request that stops by itself keeps the process", async () => {
  const engine = start();
  const { pid } = await ask(engine, "echo.py");
  const abort = new AbortController();
  const stopping = refusal(ask(engine, "obedient.py", { signal: abort.signal }));
  setTimeout(() => abort.abort(), 20);
  expect((await stopping).code).toBe("engine/cancelled");
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await ask(engine, "echo.py")).toMatchObject({ pid, answered: 2 });
});

test("a request that waits behind a cancelled one is sent again", async () => {
  const engine = start();
  const abort = new AbortController();
  const hanging = refusal(ask(engine, "hang.py", { signal: abort.signal }));
  const waiting = ask(engine, "echo.py");
  setTimeout(() => abort.abort(), 20);
  expect((await hanging).code).toBe("engine/cancelled");
  expect(await waiting).toMatchObject({ answered: 1 });
});

test("dispose leaves no process and rejects what is pending", async () => {
  const engine = start();
  const { pid } = await ask(engine, "echo.py");
  const pending = refusal(ask(engine, "hang.py"));
  await engine.dispose();
  expect(isAlive(pid)).toBe(false);
  expect((await pending).code).toBe("engine/disposed");
  expect((await refusal(ask(engine, "echo.py"))).code).toBe("engine/disposed");
});

test("an engine that is not there is one readable error", async () => {
  const engine = startEngine({ enginePath: "/nowhere/engine.mjs" });
  engines.push(engine);
  const error = await refusal(ask(engine, "echo.py"));
  expect(error.hint).toContain("Cannot find module '/nowhere/engine.mjs'");
});

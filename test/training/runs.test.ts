/** Runs of training from the engine: how they end, go on, and what they refuse. */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import { NormscopeError } from "../../src/errors.ts";
import type { TaskName, TrainRequest, TrainSettings } from "../../src/protocol/training.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
const engine = startEngine({ enginePath: join(root, "dist/engine.mjs") });
const folder = realpathSync(mkdtempSync(join(tmpdir(), "normscope-train-")));
afterAll(async () => {
  await engine.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const task = (name: TaskName) => ({ name, file: null, order: "random", seed: 0 }) as const;

function request(training: Partial<TrainSettings>, more: Partial<TrainRequest> = {}): TrainRequest {
  return {
    root,
    file: "models/lab.py",
    entry: "LabDecoder",
    set: { n_layers: "2", d_model: "16", d_ff: "32" },
    inputs: [],
    loss: null,
    seed: 0,
    mode: "train",
    packages: null,
    device: "cpu",
    ...more,
    training: {
      steps: 8,
      batch: 2,
      seq: 8,
      task: task("markov"),
      optimizer: { name: "adam" },
      schedule: { name: "constant", lr: 1e-2, warmup: 0 },
      clip: null,
      accumulate: 1,
      directory: null,
      saveEvery: 4,
      resume: false,
      threads: 1,
      ...training,
    },
  };
}

const contentOf = (directory: string) =>
  readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "base64")]);

const matches = (error: unknown, { code, message }: { code: string; message: RegExp }): boolean =>
  error instanceof NormscopeError && error.code === code && message.test(error.message);

test("a run that goes on gives what one without a break gives", async () => {
  const whole = await engine.train(request({ directory: join(folder, "whole") }));
  const directory = join(folder, "parts");
  await engine.train(request({ directory, steps: 4 }));
  const { steps } = await engine.train(request({ directory, resume: true }));
  expect(steps).toEqual(whole.steps);
});

test("a state of other settings is refused, and stays", async () => {
  const directory = join(folder, "whole");
  const other = { directory, resume: true, clip: 1 } as const;
  const before = contentOf(directory);
  const refused = { code: "train/resume", message: /another run: clip was null and is 1$/ };
  await expect(engine.train(request(other))).rejects.toSatisfy((error) => matches(error, refused));
  const larger = request({ directory, resume: true, batch: 3 });
  const reason = { code: "train/resume", message: /another run: a step computes something else/ };
  await expect(engine.train(larger)).rejects.toSatisfy((error) => matches(error, reason));
  expect(contentOf(directory)).toEqual(before);
});

test("a state that is damaged or cut short is refused, and the history stays", async () => {
  const whole = readFileSync(join(folder, "whole/state.bin"));
  const changed = Buffer.from(whole);
  changed.writeUInt8(changed.readUInt8(changed.length - 100) ^ 1, changed.length - 100);
  const directory = join(folder, "damaged");
  cpSync(join(folder, "whole"), directory, { recursive: true });
  for (const bytes of [changed, whole.subarray(0, -40), whole.subarray(0, 3), Buffer.alloc(0)]) {
    writeFileSync(join(directory, "state.bin"), bytes);
    const before = contentOf(directory);
    const refused = { code: "train/resume", message: /state\.bin is damaged or cut short$/ };
    const again = engine.train(request({ directory, resume: true, steps: 9 }));
    await expect(again).rejects.toSatisfy((error) => matches(error, refused));
    expect(contentOf(directory)).toEqual(before);
  }
});

test("a schedule that another count of steps stretches is told", async () => {
  const directory = join(folder, "stretched");
  const schedule = { name: "cosine", lr: 1e-2, warmup: 0 } as const;
  const first = await engine.train(request({ directory, steps: 4, schedule }));
  expect(first.notes.join()).not.toContain("schedule");
  const { notes } = await engine.train(request({ directory, schedule, resume: true }));
  expect(notes.join()).toContain(
    "followed a cosine schedule of another length: step 4 had the rate 0.00146, and has 0.00691 in one of 8 steps",
  );
  const again = await engine.train(request({ directory, schedule, resume: true }));
  expect(again.notes.join()).not.toContain("schedule");
});

test("a run that begins anew leaves no state of the run before", async () => {
  const directory = join(folder, "anew");
  cpSync(join(folder, "whole"), directory, { recursive: true });
  await engine.train(request({ directory, steps: 2, saveEvery: 4 }));
  const { steps } = await engine.train(request({ directory, steps: 8, resume: true }));
  expect(steps.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("steps that a history lacks are told", async () => {
  const directory = join(folder, "lacking");
  cpSync(join(folder, "whole"), directory, { recursive: true });
  rmSync(join(directory, "history.jsonl"));
  const { notes, steps } = await engine.train(request({ directory, steps: 9, resume: true }));
  expect(steps.map(({ step }) => step)).toEqual([9]);
  expect(notes.join()).toContain("The history of 8 steps before");
});

test("a run that is stopped has what it came to, and goes on", async () => {
  const directory = join(folder, "stopped");
  const stop = new AbortController();
  const settings = { directory, steps: 100_000 };
  const first = await engine.train(request(settings), {
    stop: stop.signal,
    onEvent: ({ kind }) => kind === "steps" && stop.abort(),
  });
  expect(first.end.reason).toBe("stopped");
  expect(first.steps.at(-1)?.step).toBe(first.end.step);
  const more = { directory, steps: first.end.step + 2, resume: true };
  const second = await engine.train(request(more));
  expect(second.end).toMatchObject({ reason: "done", step: first.end.step + 2 });
});

test("a loss that is not finite ends the run at its line", async () => {
  const schedule = { name: "constant", lr: 1e30, warmup: 0 } as const;
  const { end, steps } = await engine.train(request({ optimizer: { name: "sgd" }, schedule }));
  expect(end.reason).toBe("not-finite");
  expect(end.step).toBe(steps.length);
  expect(end.origin).toMatchObject({ file: "models/lab.py", pass: "forward" });
  expect(end.origin?.report?.values.length).toBeGreaterThan(10);
});

test("masked targets are left out: copying is learnt from its second half", async () => {
  const schedule = { name: "constant", lr: 1e-2, warmup: 0 } as const;
  const copying = { task: task("copy"), steps: 60, batch: 16, schedule };
  const { steps } = await engine.train(request(copying));
  const [first, last] = [steps[0], steps.at(-1)].map((step) => Number(step?.loss));
  expect(first).toBeGreaterThan(2.5);
  expect(last).toBeLessThan(2.4);
});

test("a graph that depends on the batch is made anew for each, but not for accumulated ones", async () => {
  const reading = { file: "test/training/reading_tokens.py", entry: "ReadingTokens", set: {} };
  const { steps, notes, end } = await engine.train(request({}, reading));
  expect(end).toMatchObject({ reason: "done", step: steps.length });
  expect(notes.join()).toContain("at test/training/reading_tokens.py:13");
  await expect(engine.train(request({ accumulate: 2 }, reading))).rejects.toMatchObject({
    code: "train/depends-on-data",
    place: { file: "test/training/reading_tokens.py", line: 13 },
  });
});

test("parameters that share their memory are not trained apart", async () => {
  const shared = { file: "test/semantics/modules/one_memory_of_two.py", entry: null, set: {} };
  const refused = {
    code: "trace/unsupported-call",
    message: /training of ways\.0\.table\.weight, which shares its memory .* is not supported/,
  };
  const training = engine.train(request({ task: null }, shared));
  await expect(training).rejects.toSatisfy((error) => matches(error, refused));
});

test("a task with too many symbols is refused", async () => {
  await expect(engine.train(request({ task: task("text") }))).rejects.toMatchObject({
    code: "train/vocabulary",
  });
});

const ways = ["edits", "looks", "copies", "edits_a_part", "rebinds", "edits_an_attribute"];
test.each([...ways, "counts_in_python"])(
  "a count that forward keeps begins at one: %s",
  async (way) => {
    const counting = {
      file: "test/training/counting.py",
      entry: "Counting",
      set: { way: `'${way}'` },
    };
    const { steps } = await engine.train(request({ steps: 4 }, counting));
    expect(steps.map(({ loss }) => loss)).toEqual([1, 2, 3, 4]);
  },
);

test("what was taken for granted is told", async () => {
  const own = { file: "test/training/trains_itself.py", entry: "TrainsItself", set: {} };
  const { notes } = await engine.train(request({ steps: 2 }, own));
  expect(notes.join()).toMatch(/^The file trains here .*passed over.*trains_itself\.py:19\)/);
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { cancelled, NormscopeError } from "../../src/errors.ts";
import { preReport } from "../fixtures/reports.ts";
import { type FakeEditor, startEditor } from "./editor.ts";
import { fake } from "./fake/vscode.ts";

const model =
  "class PreLNTransformer(nn.Module):\n    def __init__(self, n_layers: int = 4): ...\n";

let it: FakeEditor;
beforeEach(() => {
  it = startEditor(model);
});
afterEach(() => it.dispose());

const sweep = (more: object = {}) =>
  Promise.resolve(
    fake.commands.get("normscope.sweep")?.({
      uri: it.document.uri.toString(),
      entry: "PreLNTransformer",
      ...more,
    }),
  );

test("without axes the command opens the form", async () => {
  expect(await sweep()).toBeUndefined();
  expect(it.opened).toEqual(["sweep"]);
  expect(it.ctx.sweeps.current).toBeNull();
});

test("every combination of what the axes name is run, with every seed", async () => {
  const asked: unknown[] = [];
  it.engine.answer = async () => {
    const { set, seed, source } = it.engine.last ?? {};
    expect(source).toBe(model);
    asked.push([set?.["n_layers"], set?.["norm"], seed]);
    return preReport();
  };
  const over = [
    { name: "n_layers", values: ["2", "4"] },
    { name: "norm", values: ["rms", "'layer'"] },
  ];
  const shown = await sweep({ over, seeds: 2 });
  expect(asked).toEqual([
    ["2", "'rms'", 0],
    ["2", "'rms'", 1],
    ["2", "'layer'", 0],
    ["2", "'layer'", 1],
    ["4", "'rms'", 0],
    ["4", "'rms'", 1],
    ["4", "'layer'", 0],
    ["4", "'layer'", 1],
  ]);
  expect(shown).toMatchObject({ subject: "pre.py:PreLNTransformer", axes: ["n_layers", "norm"] });
  expect(it.ctx.runs.heads()).toEqual([]);
  const { outcomes = [], isRunning } = it.ctx.sweeps.current ?? {};
  expect(isRunning).toBe(false);
  expect(outcomes.map(({ result }) => Object.keys(result?.measures ?? {})[0])).toEqual(
    Array(8).fill("loss"),
  );
});

test("a run that fails is told and the others go on; what was stopped goes on, in another window too", async () => {
  it.engine.answer = async () => {
    if (it.engine.requests === 1) throw new NormscopeError("trace/python", "odd heads");
    if (it.engine.requests === 3) throw cancelled();
    return preReport();
  };
  const over = { name: "n_heads", values: ["3", "4", "8"] };
  expect(await sweep({ over, seeds: 1 })).toBeUndefined();
  expect(it.ctx.sweeps.current).toMatchObject({
    failures: ["n_heads=3 seed=0: odd heads"],
    outcomes: [{ result: null }, { result: { placement: "Pre-LN" } }, { result: null }],
    isRunning: false,
  });

  const another = it.anotherWindow().sweeps;
  await another.load();
  expect(another.current?.outcomes).toEqual(it.ctx.sweeps.current?.outcomes);
  const asked: unknown[] = [];
  it.engine.answer = async () => {
    asked.push(it.engine.last?.set["n_heads"]);
    return preReport();
  };
  const ended = await another.proceed();
  expect(asked).toEqual(["3", "8"]);
  expect(ended?.failures).toEqual([]);
  expect(ended?.outcomes.every(({ result }) => result?.placement === "Pre-LN")).toBe(true);
  expect(await another.proceed()).toBeNull();
});

test("a setting of training is measured after it", async () => {
  const rates: unknown[] = [];
  it.engine.train = async ({ training, mode, seed }) => {
    expect(mode).toBe("train");
    rates.push([training.schedule.lr, training.steps, training.task?.seed, seed]);
    throw new NormscopeError("train/vocabulary", "too few symbols");
  };
  const over = { name: "lr", values: ["1e-3", "1e-2"] };
  const shown = await sweep({ over, seeds: 2, training: { steps: 7 } });
  expect(shown).toMatchObject({ measure: "train" });
  expect(rates).toEqual([
    [0.001, 7, 0, 0],
    [0.001, 7, 1, 1],
    [0.01, 7, 0, 0],
    [0.01, 7, 1, 1],
  ]);
  expect(it.ctx.sweeps.current?.failures[0]).toBe("lr=1e-3 seed=0: too few symbols");
});

test("several engines share the runs, and are ended with them", async () => {
  it.engine.jobs = 3;
  let now = 0;
  let most = 0;
  it.engine.answer = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now--;
    return preReport();
  };
  await sweep({ over: { name: "n_layers", values: ["2", "4"] }, seeds: 4 });
  expect(most).toBe(3);
  expect(it.engine).toMatchObject({ requests: 8, started: 2, ended: 2 });
  const { outcomes = [] } = it.ctx.sweeps.current ?? {};
  expect(outcomes.every(({ result }) => result !== null)).toBe(true);
  expect(outcomes.map(({ run }) => run.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test("stopping ends the runs on all engines", async () => {
  it.engine.jobs = 2;
  it.engine.answer = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(cancelled())));
  const ended = sweep({ over: { name: "n_layers", values: ["2", "4", "8"] }, seeds: 1 });
  while (it.engine.requests < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  it.ctx.runs.cancel();
  expect(await ended).toBeUndefined();
  expect(it.engine).toMatchObject({ requests: 2, started: 1, ended: 1 });
  expect(it.ctx.sweeps.current).toMatchObject({ isRunning: false, failures: [] });
});

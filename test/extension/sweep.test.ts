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

test("a sweep asks for an argument and its values, and runs each with three seeds", async () => {
  const asked: unknown[] = [];
  it.engine.answer = async () => {
    asked.push([it.engine.last?.set["n_layers"], it.engine.last?.seed]);
    return preReport();
  };
  fake.answers.push({ field: { name: "n_layers", default: "4", choices: [] } }, "2, 4");
  const shown = await sweep();
  expect(asked).toEqual([
    ["2", 0],
    ["2", 1],
    ["2", 2],
    ["4", 0],
    ["4", 1],
    ["4", 2],
  ]);
  expect(shown).toMatchObject({ subject: "pre.py:PreLNTransformer", axis: "n_layers" });
  expect(it.opened).toEqual(["compare"]);
  expect(it.ctx.runs.heads()).toEqual([]);
  const { outcomes = [], isRunning } = it.ctx.sweeps.current ?? {};
  expect(isRunning).toBe(false);
  expect(outcomes.map(({ result }) => Object.keys(result?.measures ?? {})[0])).toEqual(
    Array(6).fill("loss"),
  );
});

test("a run that fails is told and the others go on; cancelling keeps what was run", async () => {
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
});

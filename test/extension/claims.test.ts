import { afterEach, beforeEach, expect, test } from "vitest";
import { cancelled } from "../../src/errors.ts";
import type { TrainReport, TrainRequest } from "../../src/protocol/training.ts";
import { type FakeEditor, startEditor } from "./editor.ts";
import { fake } from "./fake/vscode.ts";

let it: FakeEditor;
beforeEach(() => {
  it = startEditor("class Model: ...\n");
});
afterEach(() => it.dispose());

const claims = (argument?: object) =>
  Promise.resolve(fake.commands.get("normscope.claims")?.(argument));

/** A run that ends at this loss. */
const ending = (loss: number, parameters: number): TrainReport => {
  const step = { step: 10, loss, lr: 0.01, gradient: 1 };
  return {
    steps: [{ ...step, layerGradients: [], updateRatios: [], streamRms: [] }],
    ...{ reference: { unigram: null, floor: null }, graph: { parameters } },
    timing: { trainMs: 10, trained: 10 },
  } as unknown as TrainReport;
};

test("the command opens the page, and runs nothing", async () => {
  await claims();
  expect(it.opened).toEqual(["claims"]);
  expect(it.ctx.claims.shown.results).toEqual({});
});

test("an experiment runs on the bundled model, and what it gave is kept", async () => {
  const asked: TrainRequest[] = [];
  it.engine.train = async (request) => {
    asked.push(request);
    expect(it.ctx.claims.shown.running).toEqual({ name: "rmsnorm", done: asked.length - 1 });
    return ending(1.4 + asked.length / 100, asked.length === 1 ? 1000 : 584);
  };
  await claims({ only: ["rmsnorm"] });
  expect(asked.map(({ root, file, set }) => [root, file, set["norm"]])).toEqual([
    ["/extension/models", "lab.py", '"LayerNorm"'],
    ["/extension/models", "lab.py", '"RMSNorm"'],
  ]);
  expect(it.ctx.claims.shown.running).toBeNull();
  const [claim] = it.ctx.claims.shown.results.rmsnorm ?? [];
  expect(claim?.numbers.map(({ measured }) => measured)).toEqual([
    ...[expect.closeTo(0.01, 9), 416, 1],
  ]);
  const another = it.anotherWindow().claims;
  await another.load();
  expect(another.shown.results).toEqual(it.ctx.claims.shown.results);
});

test("what is cancelled leaves what was there", async () => {
  it.engine.train = async () => {
    throw cancelled();
  };
  expect(await claims({ only: ["warm-up"] })).toBeUndefined();
  expect(it.ctx.claims.shown).toEqual({ results: {}, running: null });
});

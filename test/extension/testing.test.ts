import { afterEach, beforeEach, expect, test } from "vitest";
import { NormscopeError } from "../../src/errors.ts";
import { preReport } from "../fixtures/reports.ts";
import { type FakeEditor, startEditor } from "./editor.ts";
import { fakeTests } from "./fake/tests.ts";
import { fake } from "./fake/vscode.ts";

const model =
  "class PreLNTransformer(nn.Module):\n    def __init__(self, n_layers: int = 4): ...\n";

let it: FakeEditor;
beforeEach(() => {
  it = startEditor(model);
});
afterEach(() => it.dispose());

const token = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};
const found = { file: "pre.py", module: null, evidence: { ratio: 4.1 } } as const;
const withFindings = async () => ({
  ...preReport(),
  findings: [
    { ...found, code: "NS101", severity: "warning", message: "It grows", line: 2 } as const,
    { ...found, code: "NS102", severity: "information", message: "It is so", line: 1 } as const,
    { ...found, code: "NS103", severity: "error", message: "All of it", line: null } as const,
  ],
});
const labels = () => fakeTests.items.all().map(({ label }) => label);
const told = () => fakeTests.told.map(({ state, label }) => `${state} ${label}`);

test("a model of an open file can be run before it has been; without findings it passes", async () => {
  expect(labels()).toEqual(["pre.py:PreLNTransformer"]);
  it.engine.answer = async () => ({ ...preReport(), findings: [], gaps: [], branches: [] });
  await fakeTests.run({}, token);
  expect(told()).toEqual(["started pre.py:PreLNTransformer", "passed pre.py:PreLNTransformer"]);
});

test("findings from a warning on fail, with their message and their line", async () => {
  it.engine.answer = withFindings;
  await fakeTests.run({}, token);
  expect(told().slice(1)).toEqual(["failed NS101", "passed NS102", "failed NS103"]);
  const [, grows] = fakeTests.told;
  expect(grows?.message?.message).toBe("It grows (ratio 4.10)");
  expect(grows?.message?.location).toMatchObject({
    uri: { path: "/models/pre.py" },
    range: { start: { line: 1 } },
  });
});

test("a run from elsewhere lists its findings, and a finding runs its model", async () => {
  it.engine.answer = withFindings;
  await it.run();
  const [item] = fakeTests.items.all();
  expect(item?.children.all().map(({ label }) => label)).toEqual(["NS101", "NS102", "NS103"]);
  expect(fakeTests.told).toEqual([]);
  await fakeTests.run({ include: item?.children.all() }, token);
  expect(told()[0]).toBe("started pre.py:PreLNTransformer");
  expect(it.engine.requests).toBe(2);
});

test("silenced rules are not listed, and a failure is no finding", async () => {
  fake.set("findings.silenced", ["NS101", "NS103"]);
  it.engine.answer = withFindings;
  await fakeTests.run({}, token);
  expect(told().slice(1)).toEqual(["passed NS102"]);
  it.engine.answer = async () => {
    throw new NormscopeError("trace/python", "no such name");
  };
  await fakeTests.run({}, token);
  expect(fakeTests.told.at(-1)).toMatchObject({
    state: "errored",
    message: { message: "no such name" },
  });
});

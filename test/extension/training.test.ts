import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NormscopeError } from "../../src/errors.ts";
import type { TrainEvent, TrainReport, TrainStep } from "../../src/protocol/training.ts";
import { defaultTraining } from "../../src/protocol/trainingPage.ts";
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

const step = (number: number, loss: TrainStep["loss"] = 2): TrainStep => ({
  step: number,
  loss,
  lr: 0.01,
  gradient: 1,
  layerGradients: [0.5, 0.25],
  updateRatios: [0.01, 0.02],
  streamRms: [1],
});
const begin = {
  kind: "begin",
  layers: ["embed", "blocks.0"],
  blocks: ["blocks.0"],
  firstStep: 1,
  reference: { unigram: 2.588, floor: 1.394 },
} satisfies TrainEvent;

/** What an engine gives that took these steps. */
function reportOf(steps: readonly TrainStep[], end: TrainReport["end"]): TrainReport {
  const { source, device, normscope } = preReport();
  return {
    ...{
      schema: 1,
      normscope,
      source,
      device,
      plan: null,
      lossRule: "",
      notes: [],
      findings: [],
      files: [],
      steps,
      end,
    },
    ...{ layers: begin.layers, blocks: begin.blocks, reference: begin.reference },
    ...{ parameters: [], parameterGradients: [], graph: { nodes: 1, parameters: 1, sha256: "" } },
    timing: { traceMs: 1, buildMs: 1, sessionMs: 1, trainMs: 1, trained: steps.length },
    settings: {} as TrainReport["settings"],
  };
}

const train = (training: object) =>
  Promise.resolve(
    fake.commands.get("normscope.train")?.({
      uri: it.document.uri.toString(),
      entry: "PreLNTransformer",
      training,
    }),
  );
const trainings = () => it.ctx.trainings.all();

test("without settings the command opens the form", async () => {
  const target = { uri: it.document.uri.toString(), entry: "PreLNTransformer" };
  await fake.commands.get("normscope.train")?.(target);
  expect(it.opened).toEqual(["train"]);
  expect(trainings()).toEqual([]);
});

test("a run of training takes what is left out from the defaults, and is kept", async () => {
  fake.edit(it.document, `${model}# not saved\n`);
  it.engine.train = async ({ training, source, mode }, { onEvent }) => {
    expect(source).toContain("# not saved");
    expect(mode).toBe("train");
    expect(training).toMatchObject({ steps: 2, batch: 8, seq: 16, clip: null, resume: false });
    expect(training.task).toMatchObject({ name: "markov", seed: 0 });
    expect(training.schedule).toMatchObject({ lr: 0.01, warmup: 100 });
    onEvent?.(begin);
    onEvent?.({ kind: "steps", steps: [step(1)] });
    await expect.poll(() => fake.statusItem["text"]).toContain("step 1 of 2, loss 2.00");
    onEvent?.({ kind: "saved", step: 2 });
    return reportOf([step(1), step(2, 1)], { reason: "done", step: 2, origin: null });
  };
  expect(await train({ steps: 2 })).toMatchObject({ state: "done", step: 2, loss: 1.5 });
  expect(trainings()).toMatchObject([{ state: "done", total: 2, savedStep: 2 }]);
  expect(it.ctx.runs.progress).toBeNull();
});

test("cancelling stops after a step and keeps it; going on takes the steps that are left", async () => {
  it.engine.train = async (_, { onEvent, stop, signal }) => {
    onEvent?.(begin);
    onEvent?.({ kind: "steps", steps: [step(1)] });
    onEvent?.({ kind: "saved", step: 1 });
    fake.commands.get("normscope.cancel")?.();
    expect([stop?.aborted, signal?.aborted]).toEqual([true, false]);
    return reportOf([step(1)], { reason: "stopped", step: 1, origin: null });
  };
  expect(await train({ steps: 3 })).toMatchObject({ state: "stopped", step: 1, canContinue: true });
  it.engine.train = async ({ training }) => {
    expect(training).toMatchObject({ steps: 3, resume: true });
    const steps = [step(1), step(2), step(3)];
    return reportOf(steps, { reason: "done", step: 3, origin: null });
  };
  const [first] = trainings();
  await it.ctx.trainings.proceed(first?.id ?? "");
  expect(trainings()).toMatchObject([{ id: first?.id, state: "done", total: 3 }]);
});

test("a run that ends at NaN tells the line", async () => {
  it.engine.train = async () => {
    const origin = { file: "pre.py", line: 2, op: "matmul", module: "blocks.0" } as const;
    const end = { reason: "not-finite", step: 1, origin: { ...origin, pass: "forward" } } as const;
    return reportOf([step(1, "NaN")], { ...end, origin: { ...end.origin, report: null } });
  };
  expect(await train({})).toMatchObject({
    state: "not-finite",
    message: "pre.py:2 matmul in blocks.0, forward",
    place: { file: "pre.py", line: 2 },
    canContinue: false,
    loss: "NaN",
  });
});

test("a failure is told, kept with the run, and settings outside of their range are none", async () => {
  it.engine.train = async () => {
    throw new NormscopeError("train/task-too-large", "The vocabulary is too small");
  };
  expect(await train({ task: "markov" })).toBeUndefined();
  expect(fake.messages).toContain("The vocabulary is too small");
  expect(trainings()).toMatchObject([{ state: "failed", message: "The vocabulary is too small" }]);
  await train({ steps: -1 });
  expect(trainings()).toHaveLength(1);
  await it.ctx.trainings.remove(trainings()[0]?.id ?? "");
  expect(trainings()).toEqual([]);
});

test("the form starts from what was trained with last", async () => {
  it.engine.train = async () => reportOf([], { reason: "done", step: 0, origin: null });
  await train({ lr: 0.003 });
  await train({ warmup: 0 });
  expect(trainings()[0]?.choice).toEqual({ ...defaultTraining, lr: 0.003, warmup: 0 });
});

test("findings stand in Problems while the text is the one that was trained", async () => {
  const finding = {
    code: "training/small-updates",
    kind: "measured",
    severity: "warning",
    message: "Weights hardly move",
    module: "blocks.0",
    evidence: { limit: 1e-5 },
  } as const;
  it.engine.train = async () => ({
    ...reportOf([step(1, 3)], { reason: "done", step: 1, origin: null }),
    findings: [
      { ...finding, file: "pre.py", line: 2 },
      { ...finding, file: "parts/block.py", line: 1 },
    ],
  });
  await train({ steps: 1 });
  const listed = () =>
    (fake.diagnostics.get(it.document.uri.fsPath) ?? []) as { code: { value: string } }[];
  await vi.waitFor(() => {
    expect(listed().map(({ code }) => code.value)).toEqual(["training/small-updates"]);
  });
  expect(trainings()[0]?.findings).toHaveLength(2);
  fake.edit(it.document, `# another\n${model}`);
  await vi.waitFor(() => expect(listed()).toEqual([]));
});

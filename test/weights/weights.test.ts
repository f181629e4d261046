/** Checkpoints that PyTorch, safetensors and NumPy wrote, in the engine as it is built. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import type { RunRequest, WeightsRequest } from "../../src/protocol/engine.ts";
import type { RunReport } from "../../src/protocol/report.ts";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));
const engine = startEngine({
  enginePath: fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url)),
});
afterAll(() => engine.dispose());

const request: RunRequest = {
  root: fixtures,
  file: "tiny.py",
  entry: "Tiny",
  set: {},
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  packages: null,
  device: "cpu",
};

const runWith = (file: string, weights: Partial<WeightsRequest> = {}): Promise<RunReport> =>
  engine.run({
    ...request,
    weights: { file: join(fixtures, file), strict: true, prefix: "", ...weights },
  });

interface Recorded {
  readonly loss: number;
  readonly parameters: Readonly<
    Record<string, { readonly rms: number; readonly gradient: number }>
  >;
}

const recorded: Readonly<Record<string, Recorded>> = JSON.parse(
  readFileSync(join(fixtures, "expected.json"), "utf8"),
);

const expectClose = (a: number, b = Number.NaN): void =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-4 * Math.abs(b) + 2e-6);

function expectRecorded(report: RunReport, name: string): void {
  const wanted = recorded[name];
  if (wanted === undefined) throw new Error(`${name} is not recorded`);
  expectClose(Number(report.loss), wanted.loss);
  expect(report.parameters.map((it) => it.name)).toEqual(Object.keys(wanted.parameters));
  for (const { name: parameter, value, gradient } of report.parameters) {
    const { rms, gradient: wantedGradient } = wanted.parameters[parameter] ?? {};
    expectClose(Number(value.rms), rms);
    expectClose(Number(gradient?.rms), wantedGradient);
  }
}

test.each([
  ["tiny.safetensors", "float32", "safetensors", ""],
  ["float64.safetensors", "float32", "safetensors", ""],
  ["bfloat16.safetensors", "bfloat16", "safetensors", ""],
  ["float16.safetensors", "float16", "safetensors", ""],
  ["int8.safetensors", "int8", "safetensors", ""],
  ["sharded", "float32", "safetensors", ""],
  ["tiny.pt", "float32", "PyTorch", ""],
  ["nested.pt", "float32", "PyTorch", "['model']"],
  ["strided.pt", "float32", "PyTorch", ""],
  ["old.pt", "float32", "PyTorch (before 1.6)", ""],
  ["tiny.npz", "float32", "NumPy", ""],
  ["compressed.npz", "float32", "NumPy", ""],
])("%s gives the numbers of PyTorch", async (file, name, format, key) => {
  const report = await runWith(file);
  expectRecorded(report, name);
  expect(report.source.weights).toMatchObject({ format, key, missing: [], unexpected: [] });
  expect(report.source.weights?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(report.plan).toContain("model.load_state_dict(state");
});

test("a script may load checkpoints of its workspace by itself", async () => {
  const report = await engine.run({ ...request, file: "loads.py", entry: null });
  expectRecorded(report, "script");
  expect(report.source.weights).toBeUndefined();
});

test("names are checked both ways, and a prefix is proposed", async () => {
  const error = await runWith("wrapped.pt").catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: "weights/names",
    place: null,
    hint: "Names in the file begin with 'module.': give --weights-prefix module.",
  });
  expect((error as Error).message).toContain("names are 15 missing, 15 unexpected");
  expect((error as Error).message).toContain("(the nearest is 'module.blocks.0.norm.weight')");
  expectRecorded(await runWith("wrapped.pt", { prefix: "module." }), "float32");
});

test("what does not agree is an error, or is told", async () => {
  const three = { ...request, set: { n_layers: "3" } };
  const weights = { file: join(fixtures, "tiny.pt"), strict: true, prefix: "" };
  await expect(engine.run({ ...three, weights })).rejects.toThrow("names are 6 missing");
  const report = await engine.run({ ...three, weights: { ...weights, strict: false } });
  expect(report.source.weights?.missing).toHaveLength(6);
  expect(report.source.weights?.missing[0]).toBe("blocks.2.norm.weight");
  const wide = engine.run({ ...request, set: { width: "16" }, weights });
  await expect(wide).rejects.toThrow(
    "another shape: tok.weight: copying a param with shape torch.Size([16, 8]) from checkpoint",
  );
});

test("a pickle that names a function is refused by that function's name", async () => {
  await expect(runWith("hostile.pt")).rejects.toMatchObject({
    code: "weights/refused-global",
    message: expect.stringMatching(/hostile\.pt' name '(?:posix|nt)\.system'/),
  });
});

test("a file that is not there is named", async () => {
  await expect(runWith("none.pt")).rejects.toMatchObject({
    code: "weights/unreadable",
    message: expect.stringMatching(/none\.pt' cannot be read: there is no such file$/),
  });
});

test("a script reads no checkpoint outside of its workspace", async () => {
  const root = mkdtempSync(join(tmpdir(), "normscope-outside-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(fixtures, "tiny.pt");
  symlinkSync(path, join(root, "link.pt"));
  for (const call of [
    `torch.load("${path}")`,
    'torch.load("link.pt")',
    `torch._host.host.open_checkpoint("${path}")`,
    "torch._host.host.open_given_checkpoint()",
  ]) {
    writeFileSync(join(root, "a.py"), `import torch\ndef build():\n    ${call}\nstep = build\n`);
    const script = engine.run({ ...request, root, file: "a.py", entry: null });
    await expect(script).rejects.toThrow(
      /No such file|Permission|outside of the workspace|names a checkpoint/,
    );
  }
});

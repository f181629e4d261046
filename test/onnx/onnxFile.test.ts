/** ONNX files run as models do: with gradients, and with the lines that they carry. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, startEngine } from "../../src/client/engineClient.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
let engine: Engine;
let folder: string;

const model = {
  entry: null,
  set: {},
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  packages: null,
} as const;

beforeAll(async () => {
  engine = startEngine({ enginePath: join(repository, "dist/engine.mjs") });
  folder = mkdtempSync(join(tmpdir(), "normscope-onnx-"));
  for (const storage of ["inside", "external"] as const)
    await engine.export({
      ...model,
      root: repository,
      file: "models/pre_ln.py",
      entry: "PreLNTransformer",
      set: { n_layers: "2", d_model: "32" },
      directory: folder,
      name: `${storage}.onnx`,
      storage,
      dynamic: false,
      backward: false,
      statistics: false,
    });
});

afterAll(async () => {
  await engine.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const run = (file: string) => engine.run({ ...model, root: folder, file, device: "cpu" });

test("a file that was exported runs with gradients, at the lines of its source", async () => {
  const report = await run("inside.onnx");
  expect(report.lossRule).toBe("mean of squares");
  const linear = report.values.find(({ op }) => op === "linear");
  const source = readFileSync(join(repository, "models/pre_ln.py"), "utf8").split("\n");
  expect(source[(linear?.line ?? 0) - 1]).toContain("self.");
  expect(Number(linear?.gradient?.rms)).toBeGreaterThan(0);
  expect(report.parameters.every(({ gradient }) => gradient !== null)).toBe(true);
});

test("weights beside the file are read, and give the same", async () => {
  const [inside, external] = [await run("inside.onnx"), await run("external.onnx")];
  expect(external.loss).toBe(inside.loss);
});

test("a file that is cut, and one without its weights, are refused", async () => {
  const bytes = readFileSync(join(folder, "inside.onnx"));
  writeFileSync(join(folder, "cut.onnx"), bytes.subarray(0, bytes.length / 2));
  await expect(run("cut.onnx")).rejects.toMatchObject({ code: "decode/not-onnx" });
  rmSync(join(folder, "external.onnx.data"));
  await expect(run("external.onnx")).rejects.toMatchObject({ code: "decode/no-external-data" });
});

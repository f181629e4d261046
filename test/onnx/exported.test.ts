/** Files that PyTorch's exporters wrote run with PyTorch's loss and gradients, at their source lines. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const root = join(repository, "test/fixtures/onnx");
const engine = startEngine({ enginePath: join(repository, "dist/engine.mjs") });
afterAll(() => engine.dispose());

const golden = JSON.parse(readFileSync(join(root, "golden.json"), "utf8")) as {
  readonly loss: number;
  readonly gradients: Readonly<Record<string, number>>;
};
const source = readFileSync(join(repository, "models/pre_ln.py"), "utf8").split("\n");

const run = (file: string) =>
  engine.run({
    ...{ root, file, entry: null, set: {}, inputs: [], loss: null, seed: 0, mode: null },
    ...{ packages: null, device: "cpu" },
  });

const files = ["export_inside", "export_external", "script_plain", "script_lines"] as const;

test.each(files)("%s.onnx has PyTorch's loss and gradients", async (name) => {
  const report = await run(`${name}.onnx`);
  expect(Math.abs(Number(report.loss) - golden.loss)).toBeLessThan(1e-5 * golden.loss);
  const largest = Math.max(...Object.values(golden.gradients));
  const near = (a: number, b: number) => Math.abs(a - b) <= 1e-4 * b + 2e-6 * largest;
  const found = report.parameters.map((one) => [one.name, Number(one.gradient?.l2)] as const);
  const named = found.filter(([parameter]) => parameter in golden.gradients);
  expect(named.length).toBeGreaterThan(20);
  const off = named.filter(([parameter, l2]) => !near(l2, golden.gradients[parameter] ?? 0));
  expect(off).toEqual([]);
  // Weights that an exporter has turned have lost their names.
  const lost = Object.entries(golden.gradients).filter(([key]) => !found.some(([k]) => k === key));
  const missing = lost.filter(([, b]) => !found.some(([, a]) => near(a, b)));
  expect(missing.map(([key]) => key)).toEqual([]);
});

test.each(["export_inside", "script_lines"])("%s.onnx shows its lines", async (name) => {
  const { values } = await run(`${name}.onnx`);
  const attention = values.find(({ module }) => module === "blocks.0.attn.q_proj");
  expect(attention?.file).toBe("/repository/models/pre_ln.py");
  expect(source[(attention?.line ?? 0) - 1]).toContain("self.q_proj(x)");
  const placed = values.filter(({ file }) => file === "/repository/models/pre_ln.py");
  expect(placed.length).toBeGreaterThan(values.length / 2);
});

test("a node of a file without lines has its number in the file", async () => {
  const { values } = await run("script_plain.onnx");
  expect(new Set(values.map(({ file }) => file))).toEqual(new Set(["script_plain.onnx"]));
});

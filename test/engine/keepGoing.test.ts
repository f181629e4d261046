/** A step that ends at a call that is not supported, from the engine as it is built. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import type { RunRequest } from "../../src/protocol/engine.ts";

const engine = startEngine({
  enginePath: fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url)),
});
const root = mkdtempSync(join(tmpdir(), "normscope-gap-"));
afterAll(async () => {
  await engine.dispose();
  rmSync(root, { recursive: true });
});

const source = (refused: string) => `import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.first = nn.Linear(dim, dim)
        self.second = nn.Linear(dim, dim)

    def forward(self, x):
        x = torch.relu(self.first(x))
        y = ${refused}
        return self.second(y)

def build():
    return Net()

def step(model):
    return model(torch.ones(2, 8)).sum()
`;

function run(refused: string, entry: string | null, keepGoing = true) {
  writeFileSync(join(root, "model.py"), source(refused));
  const inputs = [{ name: "x", dtype: "float32", shape: [2, 8], below: null }];
  const request: RunRequest = {
    ...{ root, file: "model.py", entry, keepGoing, device: "cpu", packages: null },
    ...{ set: {}, inputs: entry === null ? [] : inputs, loss: null, seed: 0, mode: null },
  };
  return engine.run(request);
}

test.each([null, "Net"])("what comes before the line is told (entry %s)", async (entry) => {
  const report = await run("torch.lobpcg(x)", entry);
  expect(report.gaps).toEqual([
    {
      file: "model.py",
      line: 12,
      code: "trace/gap",
      message: "The run ended here: torch.lobpcg is not supported",
    },
  ]);
  expect(report.values.map(({ op, line }) => `${op} ${line}`)).toContain("relu 11");
  expect(report.values.filter(({ line }) => line === 12 || line === 13)).toEqual([]);
  expect(report.modules.filter(({ calls }) => calls.length > 0).map(({ path }) => path)).toEqual([
    "first",
  ]);
});

test("without a loss there is no gradient, and the report says so", async () => {
  const report = await run("torch.lobpcg(x)", "Net");
  expect(report.loss).toBe("NaN");
  expect(report.lossRule).toBe("none: the step ended at a gap");
  expect(report.values.every(({ gradient }) => gradient === null)).toBe(true);
  expect(report.inputs.map(({ rule }) => rule)).toEqual(["torch.randn(2, 8)"]);
});

test("an error of the file's own is no gap", async () => {
  await expect(run("x @ torch.ones(3)", "Net")).rejects.toMatchObject({
    pythonType: "RuntimeError",
  });
});

test("without --keep-going the line is an error", async () => {
  await expect(run("torch.lobpcg(x)", "Net", false)).rejects.toMatchObject({
    code: "trace/unsupported-call",
    place: { file: "model.py", line: 12 },
  });
});

/** What a run would hold, told before it, is what the run then tells. */
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import type { RunRequest } from "../../src/protocol/engine.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const engine = startEngine({ enginePath: pathOf("dist/engine.mjs") });
afterAll(() => engine.dispose());

const request: RunRequest = {
  root: pathOf("models"),
  file: "pre_ln.py",
  entry: "PreLNTransformer",
  set: { n_layers: "2", d_model: "32", d_ff: "64", vocab_size: "64" },
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  packages: null,
  device: "cpu",
};

test("an estimate has the numbers of the run", async () => {
  const { wouldFit, freeBytes, ...estimate } = await engine.memory(request);
  expect(wouldFit).toBeNull();
  expect(freeBytes).toBeGreaterThan(estimate.neededBytes);
  const { memory } = await engine.run(request);
  expect(memory).toMatchObject({ ...estimate, measuredBytes: memory?.measuredBytes });
});

/** A thousand numbers and more, each ten million times. */
const source = `import torch
from torch import nn


class Wide(nn.Module):
    def __init__(self, d_model: int = 16):
        super().__init__()
        self.fc = nn.Linear(d_model, d_model)

    def forward(self, x):
        y = self.fc(x).unsqueeze(-1)
        return torch.exp(y.expand(*y.shape[:-1], 10_000_000))
`;

test("of a run that would be refused the estimate says what would fit", async () => {
  const wide = { ...request, file: "wide.py", entry: "Wide", set: {}, source };
  const estimate = await engine.memory(wide);
  expect(estimate.neededBytes).toBeGreaterThan(5e11);
  expect(estimate.wouldFit).toMatch(/in place of|% of the layers/);
  await expect(engine.run(wide)).rejects.toMatchObject({ code: "runtime/does-not-fit" });
});

test("a mistake of the model is the estimate's failure too", async () => {
  const wrong = { ...request, set: { n_heads: "5" } };
  await expect(engine.memory(wrong)).rejects.toMatchObject({ code: "trace/python" });
});

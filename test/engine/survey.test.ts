/** What is said of a file without running it, from the engine as it is built. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";

const engine = startEngine({
  enginePath: fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url)),
});
const root = mkdtempSync(join(tmpdir(), "normscope-survey-"));
afterAll(async () => {
  await engine.dispose();
  rmSync(root, { recursive: true });
});

function survey(source: string) {
  writeFileSync(join(root, "model.py"), source);
  return engine.survey({ root, file: "model.py", packages: null });
}

test("names calls that are not supported, and the nearest that are", async () => {
  const { calls } = await survey(`import torch
import torch.nn as nn
from torch.nn import functional as F
x = F.gelu(torch.lobpcg(x).view(3))
y = x.sspaddmm(x, x).view(2) + nn.Nothing(3)
raise SystemExit("is not run")
`);
  const nearest = ["addmm", "addmm_", "addbmm"];
  expect(calls).toEqual([
    { name: "torch.lobpcg", state: "unsupported", nearest: [], lines: [4] },
    { name: "torch.nn.Nothing", state: "unknown", nearest: [], lines: [5] },
    { name: "Tensor.sspaddmm", state: "unsupported", nearest, lines: [5] },
    { name: "torch.nn.functional.gelu", state: "supported", nearest: [], lines: [4] },
    { name: "Tensor.view", state: "supported", nearest: [], lines: [4, 5] },
  ]);
});

test("says of each import where it comes from", async () => {
  writeFileSync(join(root, "helpers.py"), "raise SystemExit\n");
  const { imports } = await survey(`import math, helpers
from . import absent
from torch.utils.checkpoint import checkpoint
try:
    import flash_attn
except ImportError:
    flash_attn = None
import wandb
`);
  expect(
    imports.map(({ name, kind, guarded }) => `${name} ${kind}${guarded ? " guarded" : ""}`),
  ).toMatchInlineSnapshot(`
      [
        "math standard",
        "helpers local",
        ".absent missing",
        "torch.utils.checkpoint stand-in",
        "flash_attn missing guarded",
        "wandb missing",
      ]
    `);
});

test("says what a constructor needs", async () => {
  const { classes, isScript } = await survey(`from dataclasses import dataclass
from torch import nn
@dataclass
class Conf:
    dim: int = 3
class Base(nn.Module):
    def __init__(self, config: Conf, width, kind, *, depth=2):
        super().__init__()
    def forward(self, x):
        return x
class Net(Base):
    pass
class Plain:
    pass
`);
  expect(isScript).toBe(false);
  expect(classes.map(({ name, line, hasForward }) => [name, line, hasForward])).toEqual([
    ["Base", 6, true],
    ["Net", 11, true],
  ]);
  expect(classes[1]?.arguments).toEqual([
    { name: "config", default: null, madeUp: null, config: "Conf" },
    { name: "width", default: null, madeUp: "64", config: null },
    { name: "kind", default: null, madeUp: null, config: null },
    { name: "depth", default: "2", madeUp: null, config: null },
  ]);
});

test("says where a file is no Python", async () => {
  const { syntaxError } = await survey("x = 1\ndef broken(:\n");
  expect(syntaxError).toEqual({ line: 2, message: "invalid syntax" });
});

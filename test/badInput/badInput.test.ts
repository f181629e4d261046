/** Files that cannot be run: one readable error each, at its line, and the next run works. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, startEngine } from "../../src/client/engineClient.ts";
import { NormscopeError } from "../../src/errors.ts";

const enginePath = fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url));
let engine: Engine;
let root: string;

beforeAll(() => {
  engine = startEngine({ enginePath });
  root = mkdtempSync(join(tmpdir(), "normscope-bad-"));
});

afterAll(async () => {
  await engine.dispose();
  rmSync(root, { recursive: true, force: true });
});

const model = (init: string, forward: string) => `import torch
from torch import nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)
        ${init}
    def forward(self, x):
        ${forward}
`;

const cases: Readonly<
  Record<string, { source: string; code: string; line: number; text: RegExp }>
> = {
  "a negative row of a table, known only when it is computed": {
    source: model(
      "self.e = nn.Embedding(4, 8)",
      "return self.a(x) + self.e((x.sum(-1) * 0 - 2).long())",
    ),
    code: "runtime/index-out-of-range",
    line: 9,
    text: /^index out of range in self/,
  },
  "a syntax error": {
    source: "import torch\nclass M(:\n    pass\n",
    code: "trace/python",
    line: 2,
    text: /^SyntaxError: invalid syntax/,
  },
  "an exception in the constructor": {
    source: model('raise ValueError("no heads")', "return x"),
    code: "trace/python",
    line: 7,
    text: /^ValueError: no heads$/,
  },
  "an exception in forward": {
    source: model("pass", 'raise KeyError("rope")'),
    code: "trace/python",
    line: 9,
    text: /Error/,
  },
  "shapes that do not fit": {
    source: model("self.b = nn.Linear(4, 4)", "return self.b(self.a(x))"),
    code: "trace/python",
    line: 9,
    text: /cannot be multiplied/,
  },
  "shapes that do not broadcast": {
    source: model("pass", "return self.a(x) + torch.zeros(3, 8)[:, :7]"),
    code: "trace/shape-mismatch",
    line: 9,
    text: /^The size of tensor a \(8\) must match the size of tensor b \(7\) at non-singleton dimension \d: Add of shapes \[/,
  },
  "a cache that nothing has filled": {
    source: model("self.cache = None", "return torch.cat([x, self.cache], 1)"),
    code: "trace/python",
    line: 9,
    text: /^(TypeError: )?expected Tensor as element 1 in argument 0, but got NoneType$/,
  },
  "an unknown import": {
    source: model("import nothing_like_it; nothing_like_it.go()", "return x"),
    code: "trace/missing-package",
    line: 7,
    text: /nothing_like_it/,
  },
  "an unsupported call": {
    source: model("pass", "return torch.lobpcg(self.a(x))"),
    code: "trace/unsupported-call",
    line: 9,
    text: /torch\.lobpcg is not supported/,
  },
  "running products of complex numbers as real ones": {
    source: model(
      "pass",
      "return torch.complex(self.a(x), self.a(x)).cumprod(0, dtype=torch.float32)",
    ),
    code: "trace/unsupported-call",
    line: 9,
    text: /^the gradient of torch\.cumprod of complex numbers .* is not supported/,
  },
  "an edit of memory that two parameters share": {
    source: model(
      "self.a = nn.Linear(4, 4); self.b = nn.Linear(4, 4); self.b.weight.data = self.a.weight.data",
      "with torch.no_grad(): self.a.weight.mul_(2)\n        return self.b(self.a(x))",
    ),
    code: "trace/unsupported-call",
    line: 9,
    text: /^editing memory of which a leaf shows a part .* is not supported/,
  },
  "an edit of memory of which a parameter is a part": {
    source: model(
      "flat = torch.zeros(8); self.w = nn.Parameter(flat[:4]); flat.add_(1)",
      "return x",
    ),
    code: "trace/unsupported-call",
    line: 7,
    text: /^editing memory of which a leaf shows a part .* is not supported/,
  },
  "a tensor of 64 GiB": {
    source: model("self.w = torch.empty(65536, 262144)", "return x"),
    code: "trace/python",
    line: 7,
    text: /64\.0 GiB/,
  },
  "endless recursion": {
    source: model("pass", "return self.forward(x)"),
    code: "trace/python",
    line: 9,
    text: /^RecursionError/,
  },
  "no such class": {
    source: "import torch\n",
    code: "plan/no-class",
    line: 1,
    text: /There is no class 'M'/,
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, code, line, text }) => {
  const error = await run(source).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NormscopeError);
  expect((error as NormscopeError).message).toMatch(text);
  expect((error as NormscopeError).message.length).toBeLessThan(400);
  expect(error).toMatchObject({ code, place: { file: "model.py", line } });
});

test("an endless loop is ended by cancelling, and the next run works", async () => {
  const cancel = new AbortController();
  const endless = run(model("pass", "while True: pass"), cancel.signal);
  setTimeout(() => cancel.abort(), 3000);
  await expect(endless).rejects.toMatchObject({ code: "engine/cancelled" });
  const report = await run(model("pass", "return self.a(x)"));
  expect(report.parameters).toHaveLength(2);
});

function run(source: string, signal?: AbortSignal) {
  writeFileSync(join(root, "model.py"), source);
  const request = {
    root,
    file: "model.py",
    entry: "M",
    set: {},
    inputs: [],
    loss: null,
    seed: 0,
    mode: null,
    packages: null,
    device: "cpu",
  } as const;
  return engine.run(request, signal ? { signal } : {});
}

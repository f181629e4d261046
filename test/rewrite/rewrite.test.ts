/** Norms moved in a file's own source: what changes, what stays, and what is refused. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import { unifiedDiff } from "../../src/present/unifiedDiff.ts";
import type { RunRequest } from "../../src/protocol/engine.ts";
import type { RewriteTarget } from "../../src/protocol/rewrite.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const engine = startEngine({ enginePath: pathOf("dist/engine.mjs") });
afterAll(() => engine.dispose());

async function rewritten(text: string, to: RewriteTarget, entry: string | null = null) {
  const answer = await engine.rewrite({ text, entry, to });
  if ("refused" in answer) throw new Error(`line ${answer.line}: ${answer.refused}`);
  return answer.text;
}

/** Lines that an edit takes away and puts there. */
async function changes(text: string, to: RewriteTarget): Promise<string[]> {
  const diff = unifiedDiff(text, await rewritten(text, to), "a.py").slice(2);
  return diff.filter((line) => /^[-+]/.test(line)).map((line) => line.replace(/^(.)\s+/, "$1 "));
}

const block = (forward: string, init = "") => `import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ln1 = nn.LayerNorm(d, eps=1e-6)  # the first
        self.attn = nn.Linear(d, d)
        self.drop = nn.Dropout(0.1)
${init}
    def forward(self, x, mask=None):
${forward.replaceAll(/^/gm, "        ")}

class Model(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(2)])
        self.ln_f = nn.LayerNorm(width)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.ln_f(x)
`;

const toPost: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  "one expression": [
    "x = x + self.attn(self.ln1(x))  # kept\nreturn x",
    ["- x = x + self.attn(self.ln1(x))  # kept", "+ x = self.ln1(x + self.attn(x))  # kept"],
  ],
  "the stream on the right, in a return": [
    "return self.drop(self.attn(self.ln1(x))) + x",
    [
      "- return self.drop(self.attn(self.ln1(x))) + x",
      "+ return self.ln1(self.drop(self.attn(x)) + x)",
    ],
  ],
  "a step that is returned with more": [
    "return x + self.attn(self.ln1(x)), mask",
    ["- return x + self.attn(self.ln1(x)), mask", "+ return self.ln1(x + self.attn(x)), mask"],
  ],
  "an edit in place": [
    "x += self.attn(self.ln1(x))\nreturn x",
    ["- x += self.attn(self.ln1(x))", "+ x = self.ln1(x + self.attn(x))"],
  ],
  "a name for what is normed": [
    "h = self.ln1(x)\na, w = self.attn(h), h\nx = x + self.drop(a)\nreturn x",
    ["- h = self.ln1(x)", "+ h = x", "- x = x + self.drop(a)", "+ x = self.ln1(x + self.drop(a))"],
  ],
  "a shortcut that is kept": [
    "shortcut = x\nx = self.ln1(x)\nx = self.attn(x)\nx = x + shortcut\nreturn x",
    ["- x = self.ln1(x)", "- x = x + shortcut", "+ x = self.ln1(x + shortcut)"],
  ],
};

const finalNorm = ["- return self.ln_f(x)", "+ return x"];

test.each(Object.entries(toPost))("Pre-LN to Post-LN and back: %s", async (_name, row) => {
  const [forward, expected] = row;
  const before = block(forward);
  expect(await changes(before, "post")).toEqual([...expected, ...finalNorm]);
  const after = await rewritten(before, "post");
  const back = await rewritten(after, "pre");
  expect(await rewritten(back, "post")).toBe(after);
});

test("Post-LN to Pre-LN: statements, and a stream that is read often", async () => {
  const forward =
    "a = self.attn(x) + self.attn(\n    x\n)\nx = x + self.drop(a)\nx = self.ln1(x)\nreturn x";
  expect(await changes(block(forward).replace("self.ln_f(x)", "x"), "pre")).toEqual([
    "- a = self.attn(x) + self.attn(",
    "- x",
    "+ normed = self.ln1(x)",
    "+ a = self.attn(normed) + self.attn(",
    "+ normed",
    "- x = self.ln1(x)",
    "- return x",
    "+ return self.ln_f(x)",
  ]);
});

test("a final norm that is not there is made in the words of its class", async () => {
  const text = block("return self.ln1(x + self.attn(x))")
    .replace("        self.ln_f = nn.LayerNorm(width)\n", "")
    .replace("self.ln_f(x)", "x");
  expect(await changes(text, "pre")).toEqual([
    "- return self.ln1(x + self.attn(x))",
    "+ return x + self.attn(self.ln1(x))",
    "+ self.ln_f = nn.LayerNorm(width, eps=1e-6)",
    "- return x",
    "+ return self.ln_f(x)",
  ]);
});

test("peri-norm has a second norm, made as the first, and loses it on the way back", async () => {
  const text = block("return x + self.attn(self.ln1(x))");
  expect(await changes(text, "peri")).toEqual([
    "+ self.ln1_post = nn.LayerNorm(d, eps=1e-6)",
    "- return x + self.attn(self.ln1(x))",
    "+ return x + self.ln1_post(self.attn(self.ln1(x)))",
  ]);
  expect(await rewritten(await rewritten(text, "peri"), "pre")).toBe(text);
});

test("RMSNorm keeps the eps of LayerNorm", async () => {
  expect(await changes(block("return x + self.attn(self.ln1(x))"), "rms")).toEqual([
    "- self.ln1 = nn.LayerNorm(d, eps=1e-6)  # the first",
    "+ self.ln1 = nn.RMSNorm(d, eps=1e-6)  # the first",
    "- self.ln_f = nn.LayerNorm(width)",
    "+ self.ln_f = nn.RMSNorm(width, eps=1e-05)",
  ]);
});

test.each([
  [
    "return x + self.attn(self.ln1(x)) + self.own(self.drop(x))",
    12,
    "one has a norm of its own",
    "        self.own = nn.LayerNorm(d)\n",
  ],
  ["return x + self.attn(self.ln1(x)) * x", 12, "with its norm and without"],
  ["return self.ln1(x + self.attn(self.ln1(x)))", 12, "before the branch and one after the sum"],
  ["return x + self.attn(x)", 1, "no line adds a branch"],
  ["x = x + self.attn(self.ln1(x))\nreturn self.ln1(x + self.attn(x))", 13, "is Post-LN, and that"],
  ["return self.ln1(x + self.attn(x))", 12, "the blocks are Post-LN already"],
])("nothing is edited: %s", async (forward, line, reason, init = "") => {
  const answer = await engine.rewrite({ text: block(forward, init), entry: null, to: "post" });
  const moved = init === "" ? 0 : 1;
  expect(answer).toMatchObject({ line: line + moved, refused: expect.stringContaining(reason) });
});

test("what is no Python is told with its line", async () => {
  const answer = await engine.rewrite({ text: "x = 1\nclass A(:\n", entry: null, to: "post" });
  expect(answer).toMatchObject({ line: 2 });
});

test("Pre-LN to Post-LN and back gives the numbers of before", async () => {
  const text = readFileSync(pathOf("models/pre_ln.py"), "utf8");
  const post = await rewritten(text, "post", "PreLNTransformer");
  const request: RunRequest = {
    root: pathOf("models"),
    file: "pre_ln.py",
    entry: "PreLNTransformer",
    set: { n_layers: "2", d_model: "32", d_ff: "64" },
    inputs: [],
    loss: null,
    seed: 0,
    mode: null,
    packages: null,
    device: "cpu",
  };
  const [before, between, after] = [
    await engine.run(request),
    await engine.run({ ...request, source: post }),
    await engine.run({ ...request, source: await rewritten(post, "pre") }),
  ];
  expect(between.loss).not.toBe(before.loss);
  expect(after.loss).toBe(before.loss);
  expect(after.parameters.map(({ gradient }) => gradient)).toEqual(
    before.parameters.map(({ gradient }) => gradient),
  );
});

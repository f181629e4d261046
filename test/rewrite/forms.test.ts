/** Blocks whose norms stand in other forms: parallel, on the branch, within sublayers, of torch.nn. */
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import { unifiedDiff } from "../../src/present/unifiedDiff.ts";
import type { RunReport } from "../../src/protocol/report.ts";
import type { RewriteTarget } from "../../src/protocol/rewrite.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const engine = startEngine({ enginePath: pathOf("dist/engine.mjs") });
afterAll(() => engine.dispose());

async function rewritten(text: string, to: RewriteTarget): Promise<string> {
  const answer = await engine.rewrite({ text, entry: null, to });
  if ("refused" in answer) throw new Error(`line ${answer.line}: ${answer.refused}`);
  return answer.text;
}

const changes = (before: string, after: string): string[] =>
  unifiedDiff(before, after, "a.py")
    .slice(2)
    .filter((line) => /^[-+]/.test(line))
    .map((line) => line.replace(/^(.)\s+/, "$1 "));

const run = (source: string): Promise<RunReport> =>
  engine.run({
    ...{ root: pathOf("models"), file: "forms.py", entry: "Model", source, set: {}, inputs: [] },
    ...{ loss: null, seed: 0, mode: null, packages: null, device: "cpu" },
  });

const placements = ({ blocks }: RunReport) => [...new Set(blocks.map((it) => it.placement))];

/** The norms stand where the names say, before and between, and the way back gives the loss of before. */
async function thereAndBack(
  text: string,
  moved: string,
  back: RewriteTarget,
  names: readonly [before: string, between: string],
) {
  const [before, between, after] = [
    await run(text),
    await run(moved),
    await run(await rewritten(moved, back)),
  ];
  expect([placements(before), placements(between)]).toEqual(names.map((name) => [name]));
  expect(after.loss).toBe(before.loss);
  return { before, between };
}

const head = `import torch
from torch import nn


class Mlp(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, d), nn.GELU())

    def forward(self, x):
        return self.net(x)


class Mixer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        x = self.norm(x)
        return self.fc(x)


class PreNorm(nn.Module):
    def __init__(self, d, fn):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(self.norm(x), **kwargs)
`;

const blocks = (init: string, forward: string) => `
class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ln = nn.LayerNorm(d)
        self.a = nn.Linear(d, d)
        self.b = nn.Linear(d, d)
${init}
    def forward(self, x):
        ${forward}


class Model(nn.Module):
    def __init__(self, d_model=16):
        super().__init__()
        self.layers = nn.ModuleList([Block(d_model) for _ in range(2)])
        self.ln_f = nn.LayerNorm(d_model)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.ln_f(x)
`;

const lists = (row: string) => `
class Model(nn.Module):
    def __init__(self, d_model=16):
        super().__init__()
        self.ln_f = nn.LayerNorm(d_model)
        self.layers = nn.ModuleList([])
        for _ in range(2):
            self.layers.append(nn.ModuleList([${row}]))

    def forward(self, x):
        for mix, mlp in self.layers:
            x = mix(x) + x
            x = mlp(x) + x
        return self.ln_f(x)
`;

const forms: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  "parallel branches behind one norm": [
    head + blocks("", "return x + self.a(self.ln(x)) + self.b(self.ln(x))"),
    [
      "- return x + self.a(self.ln(x)) + self.b(self.ln(x))",
      "+ return self.ln(x + self.a(x) + self.b(x))",
      "- return self.ln_f(x)",
      "+ return x",
    ],
  ],
  "sublayers that begin with their norm": [
    head + lists("Mixer(d_model), Mlp(d_model)"),
    [
      "- return self.net(x)",
      "+ return self.net[1:](x)",
      "- x = self.norm(x)",
      "- x = mix(x) + x",
      "- x = mlp(x) + x",
      "- return self.ln_f(x)",
      "+ x = mix.norm(mix(x) + x)",
      "+ x = mlp.net[0](mlp(x) + x)",
      "+ return x",
    ],
  ],
  "a wrapper that norms": [
    head + lists("PreNorm(d_model, nn.Linear(d_model, d_model)), PreNorm(d_model, nn.GELU())"),
    [
      "- return self.fn(self.norm(x), **kwargs)",
      "+ return self.fn(x, **kwargs)",
      "- x = mix(x) + x",
      "- x = mlp(x) + x",
      "- return self.ln_f(x)",
      "+ x = mix.norm(mix(x) + x)",
      "+ x = mlp.norm(mlp(x) + x)",
      "+ return x",
    ],
  ],
};

test.each(Object.entries(forms))("%s, to Post-LN and back", async (_name, [text, expected]) => {
  const post = await rewritten(text, "post");
  expect(changes(text, post)).toEqual(expected);
  const { before, between } = await thereAndBack(text, post, "pre", ["Pre-LN", "Post-LN"]);
  expect(between.loss).not.toBe(before.loss);
});

test("a norm on the branch alone goes before it, or behind the sum", async () => {
  const text = head + blocks("", "return x + self.ln(self.b(self.a(x)))");
  const pre = await rewritten(text, "pre");
  expect(changes(text, pre)).toEqual([
    "- return x + self.ln(self.b(self.a(x)))",
    "+ return x + self.b(self.a(self.ln(x)))",
  ]);
  expect(placements(await run(text))).toEqual(["Res-Post-LN"]);
  expect(placements(await run(pre))).toEqual(["Pre-LN"]);
  expect(placements(await run(await rewritten(text, "post")))).toEqual(["Post-LN"]);
});

const ready = (layer: string, stack: string) => `from torch import nn


class Model(nn.Module):
    def __init__(self, d_model=16):
        super().__init__()
        layer = nn.TransformerEncoderLayer(${layer})  # kept
        self.encoder = nn.TransformerEncoder(${stack})

    def forward(self, x):
        return self.encoder(x)
`;

test("blocks of torch.nn have an argument, and a norm behind them", async () => {
  const text = ready("d_model, 2, 32, dropout=0.0", "layer, 2");
  const pre = await rewritten(text, "pre");
  expect(changes(text, pre)).toEqual([
    "- layer = nn.TransformerEncoderLayer(d_model, 2, 32, dropout=0.0)  # kept",
    "- self.encoder = nn.TransformerEncoder(layer, 2)",
    "+ layer = nn.TransformerEncoderLayer(d_model, 2, 32, dropout=0.0, norm_first=True)  # kept",
    "+ self.encoder = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(d_model))",
  ]);
  await thereAndBack(text, pre, "post", ["Post-LN", "Pre-LN"]);
});

const closing = `
class AddNorm(nn.Module):
    def __init__(self, d_in, d_out, eps):
        super().__init__()
        self.dense = nn.Linear(d_in, d_out)
        self.norm = nn.LayerNorm(d_out, eps=eps)

    def forward(self, hidden, given):
        hidden = self.dense(hidden)
        hidden = self.norm(hidden + given)
        return hidden


class Layer(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.mix = nn.Linear(width, width)
        self.output = AddNorm(width, width, eps)

    def forward(self, x):
        mixed = self.mix(x)
        return self.output(mixed, x)


class Model(nn.Module):
    def __init__(self, d_model=16, eps=1e-6):
        super().__init__()
        self.layers = nn.ModuleList([Layer(d_model, eps) for _ in range(2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
`;

test("a class of its own that adds and norms, to Pre-LN and back", async () => {
  const text = `from torch import nn\n\n${closing}`;
  const pre = await rewritten(text, "pre");
  expect(changes(text, pre)).toEqual([
    "- hidden = self.norm(hidden + given)",
    "+ hidden = hidden + given",
    "- mixed = self.mix(x)",
    "+ mixed = self.mix(self.output.norm(x))",
    "+ self.final_norm = nn.LayerNorm(d_model, eps=eps)",
    "- return x",
    "+ return self.final_norm(x)",
  ]);
  await thereAndBack(text, pre, "post", ["Post-LN", "Pre-LN"]);
});

const switched = `
class Switched(nn.Module):
    def __init__(self, d, first=True):
        super().__init__()
        self.ln = nn.LayerNorm(d)
        self.fc = nn.Linear(d, d)
        self.first = first

    def early(self, x):
        return x + self.fc(self.ln(x))

    def late(self, x):
        return self.ln(x + self.fc(x))

    def forward(self, x):
        if self.first:
            return self.early(x)
        return self.late(x)
`;

test.each([
  [head + switched, 45, "'self.first' of line 48 chooses, so set that instead"],
  [
    head + lists("Mixer(d_model), Mlp(d_model)").replace("ln_f = nn.LayerNorm", "more = Mixer"),
    37,
    "'Mixer' has the norm of a step, and is used here otherwise",
  ],
  [ready("d_model, 2, norm_first=first", "layer, 2"), 7, "norm_first is 'first': set that"],
  [ready("**sizes", "layer, 2"), 7, "its arguments are unpacked"],
])("nothing is edited where it cannot be proven (%#)", async (text, line, reason) => {
  const answer = await engine.rewrite({ text, entry: null, to: "post" });
  expect(answer).toMatchObject({ line, refused: expect.stringContaining(reason) });
});

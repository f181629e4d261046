/** What is made up for classes that are run as they are: arguments, inputs, loss. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

interface Case {
  readonly source: string;
  readonly set?: Readonly<Record<string, string>>;
  /** Text of the script that the class became. */
  readonly plan?: readonly string[];
  readonly lossRule?: string;
  readonly error?: RegExp;
}

const head = "import torch\nfrom torch import nn\n";

const cases: Readonly<Record<string, Case>> = {
  "a product that does not fit is told, and not met by as many tokens as it wants": {
    source: `${head}
class M(nn.Module):
    def __init__(self, vocab_size=50, n_embd=24):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size)

    def forward(self, idx):
        x = self.table(idx)
        return self.head(x @ x)
`,
    error: /Expected size for first two dimensions of batch2 tensor/,
  },
  "a config whose class is nowhere is made up of the fields that are asked for": {
    source: `${head}
class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.table = nn.Embedding(config.vocab_size, config.n_embd)
        self.head = nn.Linear(config.n_embd, config.vocab_size, bias=getattr(config, "bias", True))

    def forward(self, idx):
        return self.head(self.table(idx))
`,
    plan: [
      "from types import SimpleNamespace",
      "M(config=SimpleNamespace(vocab_size=256, n_embd=64))",
      "torch.randint(0, 256, (4, 64))",
    ],
    lossRule: "next-token cross-entropy",
  },
  "a config that is a dict; --set gives a field of it": {
    source: `${head}
class M(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.a = nn.Linear(cfg["emb_dim"], cfg["n_heads"])

    def forward(self, x):
        return self.a(x)
`,
    set: { emb_dim: "8" },
    plan: ["M(cfg={'emb_dim': 8, 'n_heads': 4})", "x = torch.randn(4, 64, 8)"],
  },
  "a field that no value can be made up for is asked for": {
    source: `${head}
class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(len({"a": 1}[config.quux]), 3)
`,
    error: /'M' needs the argument 'quux'/,
  },
  "what the file itself constructs, where no name tells": {
    source: `${head}
class M(nn.Module):
    def __init__(self, quux):
        super().__init__()
        self.a = nn.Linear(quux, 3)

    def forward(self, x):
        return self.a(x)

if __name__ == "__main__":
    size = 5
    model = M(quux=size + 1)
`,
    plan: ["M(quux=6)", "x = torch.randn(4, 64, 6)"],
  },
  "what the file itself makes and calls, in its main block": {
    source: `${head}
class M(nn.Module):
    def __init__(self, quux, size=3):
        super().__init__()
        self.a = nn.Linear(quux, size)

    def forward(self, x, mask=None):
        return self.a(x) * mask

if __name__ == "__main__":
    rows = 2
    unused = open("nowhere")
    net = M(quux=5).cuda()
    mask = torch.ones(rows, 7, 1)
    mask[:, 3:] = 0
    for _ in range(3):
        y = net(torch.randn(rows, 7, 5), mask=mask)
    print(y.shape)
`,
    set: { size: "4" },
    plan: [
      "    return M(quux=5, size=4)\n",
      "def step(net):\n    rows = 2\n    mask = torch.ones(rows, 7, 1)\n    mask[:, 3:] = 0\n",
      "    input_1 = torch.randn(rows, 7, 5)\n    output = net(input_1, mask=mask)\n",
    ],
  },
  "a docstring's example": {
    source: `${head}
class M(nn.Module):
    """
    >>> m = M(6)
    >>> y = m(torch.ones(2, 6))
    """
    def __init__(self, quux):
        super().__init__()
        self.a = nn.Linear(quux, 3)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["return M(6)", "input_1 = torch.ones(2, 6)\n    output = m(input_1)"],
  },
  "modules, classes and sequences by how the constructor uses them": {
    source: `${head}
class MyAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a = nn.Linear(dim, dim)

    def forward(self, x):
        return self.a(x)

class M(nn.Module):
    def __init__(self, dim, attention, act_layer, fn, quuxes):
        super().__init__()
        self.attention, self.act = attention, act_layer()
        self.attention = attention
        self.fn = fn
        self.all = nn.ModuleList([nn.Linear(dim, dim) for _ in quuxes])

    def forward(self, x):
        for one in self.all:
            x = one(x)
        return self.fn(self.act(self.attention(x)))
`,
    plan: [
      "from torch import nn",
      "from model import M, MyAttention",
      "M(dim=64, attention=MyAttention(dim=64), act_layer=nn.GELU, fn=nn.Identity(), quuxes=(4, 4))",
    ],
  },
  "what assertions and errors of the constructor tell": {
    source: `${head}
class M(nn.Module):
    def __init__(self, depth, dim=6, window=None, *, heads):
        super().__init__()
        assert isinstance(depth, tuple), "one for each stage"
        assert window is not None
        assert dim % heads == 0
        self.a = nn.Linear(dim, len(depth) + window - window)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(depth=(2, 2), heads=2, window=64)"],
  },
  "what errors tell of inputs": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(2, 6, 3)

    def forward(self, x, scale=None):
        b, c, t, h, w = x.shape
        x = self.a(x.transpose(1, 2).flatten(0, 1)).mean((1, 2, 3)).reshape(b, t)
        return x.sum() * scale.mean()
`,
    plan: ["x = torch.randn(4, 2, 8, 32, 32)", "output = model(x, scale=scale)"],
  },
  "the image whose features fit, and a list of modules": {
    source: `${head}
class MyLayer(nn.Module):
    def forward(self, x):
        return x

class M(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.first = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.MaxPool2d(4))
        self.last = nn.Linear(7 * 7 * 8, 10)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.last(self.first(x).flatten(1))
`,
    plan: ["M(layers=[MyLayer()])", "x = torch.randn(4, 1, 28, 28)"],
  },
  "time series: the past, what the decoder continues, and their marks": {
    source: `${head}
class M(nn.Module):
    def __init__(self, seq_len=12, label_len=4, pred_len=6, enc_in=3, dec_in=3):
        super().__init__()
        self.seq_len, self.label_len, self.pred_len = seq_len, label_len, pred_len
        self.enc_in = enc_in
        self.a = nn.Linear(enc_in, 1)
        self.b = nn.Linear(4, 1)

    def forward(self, x_enc, x_mark_enc, x_dec, x_mark_dec):
        past, ahead = self.a(x_enc) + self.b(x_mark_enc), self.a(x_dec) + self.b(x_mark_dec)
        return past.sum(1, keepdim=True) + ahead[:, -self.pred_len :]
`,
    plan: ["x_enc = torch.randn(4, 12, 3)", "x_mark_dec = torch.rand((4, 10, 4))"],
  },
  "a file that reads itself and parses no arguments, where it is imported": {
    source: `${head}
import argparse, sys
with open(sys.argv[0]) as file:
    code = file.read()
args = argparse.ArgumentParser().parse_args()

class M(nn.Linear):
    def __init__(self, dim=len(code) > 10 and 8):
        super().__init__(dim, 4)
`,
    plan: ["torch.randn(4, 64, 8)"],
  },
  "images where the constructor takes their size": {
    source: `${head}
class M(nn.Module):
    def __init__(self, *, image_size, patch_size, dim, channels=3):
        super().__init__()
        self.size = patch_size
        self.embed = nn.Linear(channels * patch_size**2, dim)

    def forward(self, x):
        b, c, h, w = x.shape
        p = self.size
        x = x.reshape(b, c, h // p, p, w // p, p).permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2)
        return self.embed(x)
`,
    plan: ["torch.randn(4, 3, 32, 32)"],
  },
  "images, steps and classes by their names": {
    source: `${head}
class M(nn.Module):
    def __init__(self, in_channels=4, num_classes=7):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, 8, 3, padding=1)
        self.steps = nn.Embedding(1000, 8)
        self.classes = nn.Embedding(num_classes, 8)

    def forward(self, image, t, y):
        return self.conv(image) + (self.steps(t) + self.classes(y))[:, :, None, None]
`,
    plan: [
      "torch.randn(4, 4, 32, 32)",
      "t = torch.randint(0, 1000, (4,))",
      "y = torch.randint(0, 7, (4,))",
    ],
  },
  "heads and a mask that has to be one": {
    source: `${head}
class M(nn.Module):
    def __init__(self, n_heads=2):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(n_heads, 1, 16))

    def forward(self, q, k, mask):
        b, h, t, d = q.shape
        scores = (q * self.scale) @ k.transpose(-2, -1)
        return scores.masked_fill(mask.unsqueeze(0) == 0, -1e9).softmax(-1)
`,
    plan: ["torch.randn(4, 2, 64, 16)", "torch.full((64, 64), True)"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, set, plan, lossRule, error }) => {
  const report = runFiles({ "model.py": source }, "model.py", "M", set);
  if (error !== undefined) return await expect(report).rejects.toThrow(error);
  const made = await report;
  for (const text of plan ?? []) expect(made.plan).toContain(text);
  if (lossRule !== undefined) expect(made.lossRule).toBe(lossRule);
});

const block = `${head}
class B(nn.Linear):
    pass
`;

const model = (imports: string) => `${imports}
from torch import nn

class M(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.b = B(d_model, d_model)

    def forward(self, x):
        return self.b(x)
`;

test.each([
  ["its package", "from .block import B", "from pkg.model import M"],
  ["its package by name", "from pkg.block import B", "from pkg.model import M"],
  ["a folder beside its own", "from layers.block import B", "from model import M"],
  ["a folder that a file of its name hides", "from utils.block import B", "from model import M"],
  ["a file within a folder of its name", "from tools import B", "from model import M"],
])("a file that imports from %s", async (_name, imports, wanted) => {
  const files = {
    "pkg/__init__.py": "raise ImportError('wants more than there is')",
    "pkg/block.py": block,
    "layers/block.py": block,
    "utils/block.py": block,
    "nets/utils.py": "B = None",
    "tools/__init__.py": "",
    "tools/tools.py": block,
    [wanted.includes("pkg") ? "pkg/model.py" : "nets/model.py"]: model(imports),
  };
  const file = wanted.includes("pkg") ? "pkg/model.py" : "nets/model.py";
  const { plan } = await runFiles(files, file, "M");
  expect(plan).toContain(wanted);
});

test("a model that is made after others were tried has its own weights", async () => {
  const source = `
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, thing):
        super().__init__()
        self.thing = thing
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        assert self.thing == 64
        return self.norm(x)
`;
  const { parameters } = await runFiles({ "net.py": source }, "net.py", "Net");
  expect(parameters.find(({ name }) => name === "norm.weight")?.value.mean).toBe(1);
});

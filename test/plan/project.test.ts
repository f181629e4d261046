/** What the rest of a project says of a class: its settings, its variants, the classes beside it. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

interface Case {
  readonly files: Readonly<Record<string, string>>;
  /** Text of the script that the class became. */
  readonly plan: readonly string[];
  /** "M" unless said otherwise. */
  readonly entry?: string;
}

const head = "import torch\nfrom torch import nn\n";

const cases: Readonly<Record<string, Case>> = {
  "defaults of a command line, YAML and JSON, where no name tells": {
    files: {
      "model.py": `${head}
class M(nn.Module):
    def __init__(self, opt):
        super().__init__()
        self.a = nn.Linear(opt.quux, opt.frobs)
        self.b = nn.Linear(opt.frobs, sum(opt.zots))

    def forward(self, x):
        return self.b(self.a(x))
`,
      "train.py": `import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--quux", type=int, default=12)
parser.add_argument("--zots", default="[2, 3]")
raise SystemExit("only read")
`,
      "settings/small.yaml": "model:\n  frobs: 6 # narrow\n",
    },
    plan: ["M(opt=SimpleNamespace(quux=12, frobs=6, zots=[2, 3]))", "torch.randn(4, 64, 12)"],
  },
  "the class that a training script hands to a wrapper": {
    files: {
      "model.py": `${head}
from torch.nn import functional as F

class M(nn.Module):
    def __init__(self, net, pad=0):
        super().__init__()
        self.net = net

    def forward(self, x):
        logits = self.net(x[:, :-1])
        return F.cross_entropy(logits.mT, x[:, 1:])
`,
      "nets/words.py": `${head}
class Words(nn.Module):
    def __init__(self, num_tokens, dim):
        super().__init__()
        self.words, self.out = nn.Embedding(num_tokens, dim), nn.Linear(dim, num_tokens)

    def forward(self, x):
        return self.out(self.words(x))
`,
      "train.py": `from model import M
from nets.words import Words
net = Words(1000, 512)
net = M(net, pad=1)
raise SystemExit("only read")
`,
    },
    plan: [
      "from nets.words import Words",
      "M(net=Words(num_tokens=256, dim=64))",
      "x = torch.randint(0, 256, (4, 64))",
    ],
  },
  "of classes that carry an argument's name, that of the owner": {
    files: {
      "model.py": `${head}
class LayerScale(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a = nn.Linear(dim, dim)

    def forward(self, x):
        return self.a(x)

class DecoderLayer(LayerScale):
    def forward(self, x, memory):
        return self.a(x) + memory

class Decoder(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x, memory):
        for layer in self.layers:
            x = layer(x, memory=memory)
        return x
`,
    },
    plan: ["Decoder(layers=[DecoderLayer(dim=64)])"],
    entry: "Decoder",
  },
  "a field that is compared with texts": {
    files: {
      "model.py": `${head}
class M(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        if cfg.frobber == "plain":
            self.a = nn.Linear(8, 8)
        else:
            raise ValueError(cfg.frobber)

    def forward(self, x):
        return self.a(x)
`,
    },
    plan: ["M(cfg=SimpleNamespace(frobber='plain'))"],
  },
  "a field of a config in a config, and one that divides": {
    files: {
      "model.py": `${head}
class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        part = config.zork
        self.a = nn.Linear(part.n_embd, config.n_embd)
        self.b = nn.GroupNorm(32, part.quux)

    def forward(self, x):
        return self.a(x)
`,
    },
    plan: ["M(config=SimpleNamespace(zork=SimpleNamespace(n_embd=64, quux=64), n_embd=64))"],
  },
  "fields of the file's own config that nothing tells of; what forward returns is no config": {
    files: {
      "model.py": `${head}
from dataclasses import dataclass

@dataclass
class ModelOutput:
    logits: torch.Tensor

@dataclass
class Settings:
    quux: int
    mode: str

class M(nn.Module):
    def __init__(self, config: Settings):
        super().__init__()
        if config.mode in ("first", "last"):
            self.a = nn.Linear(config.quux, 3)

    def forward(self, x):
        return ModelOutput(self.a(x))
`,
    },
    plan: ["M(config=Settings(quux=4, mode='first'))", "torch.randn(4, 64, 4)", "output.logits"],
  },
  "the variant that a function of the file makes, with its defaults": {
    files: {
      "model.py": `${head}
DEPTHS = {"tiny": [1, 2]}

class M(nn.Module):
    def __init__(self, stages=None, norm=None, width=8):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(width, width) for _ in range(sum(stages["depths"]))])
        self.norm = norm(width)

    def forward(self, x):
        for a in self.a:
            x = a(x)
        return self.norm(x)

def tiny(width=12, pretrained=False, **kwargs):
    stages = {"depths": DEPTHS["tiny"]}
    model = M(stages=stages, norm=nn.LayerNorm, width=width, **kwargs)
    return model
`,
    },
    plan: ["from model import M, nn", "M(stages={'depths': [1, 2]}, norm=nn.LayerNorm, width=12)"],
  },
  "a class beside the model's file, by the name of the argument": {
    files: {
      "model.py": `${head}
class M(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, x):
        return self.encoder(x, 2)
`,
      "encoder.py": `${head}
class Encoder(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a = nn.Linear(d_model, d_model)

    def forward(self, x, scale):
        return self.a(x) * scale
`,
    },
    plan: [
      "from encoder import Encoder",
      "M(encoder=Encoder(d_model=64))",
      "torch.randn(4, 64, 64)",
    ],
  },
  "a module of which nothing is known gives the first of what it takes": {
    files: {
      "model.py": `${head}
class M(nn.Module):
    def __init__(self, frobber, width=8):
        super().__init__()
        self.frobber = frobber
        self.a = nn.Linear(width, width)

    def forward(self, x):
        return self.frobber(self.a(x), None, scale=2)
`,
    },
    plan: [
      'type("First", (nn.Identity,), {"forward": lambda self, *args, **kwargs: [*args, *kwargs.values()][0]})()',
    ],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { files, plan, entry = "M" }) => {
  const made = await runFiles(files, "model.py", entry);
  for (const text of plan) expect(made.plan).toContain(text);
});

test("a variant that is tried after other inputs has its own initialisation", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self, widths=(4, 6)):
        super().__init__()
        self.a, self.b = (nn.Linear(8, width) for width in widths)

    def forward(self, x):
        return self.a(x) + self.b(x)

def _create(name, **kwargs):
    return M(**kwargs)

def tiny(pretrained=False, **kwargs):
    return _create("tiny", **dict(dict(widths=(6, 6)), **kwargs))
`;
  const { plan, parameters } = await runFiles({ "model.py": source }, "model.py", "M");
  expect(plan).toContain("return tiny()");
  expect(parameters.map(({ value }) => value.rms)).not.toContain(0);
});

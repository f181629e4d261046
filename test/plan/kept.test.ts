/** Settings of a class that its own file keeps, or whose parts need settings themselves. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const head = "import torch\nfrom torch import nn\n";

interface Case {
  readonly source: string;
  readonly plan: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  "the first of the file's settings that does, where made-up ones do not": {
    source: `${head}
class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.see = nn.Conv2d(3, config.width, config.patches["size"], config.patches["size"])
        if config.classifier not in ("token", "mean"):
            raise ValueError(config.classifier)

    def forward(self, x):
        return self.see(x)

class Settings(dict):
    __getattr__ = dict.get

SIZES = {"width": 3}
CONFIGS = {
    "broken": Settings(width=-1, patches=Settings(size=(8, 8)), classifier="token"),
    "base": Settings(width=24, patches=Settings(size=(8, 8)), classifier="token"),
    "large": Settings(width=48, patches=Settings(size=(8, 8)), classifier="token"),
}
`,
    plan: ["from model import M, CONFIGS", "M(config=CONFIGS['base'])"],
  },
  "a part's settings that the config takes as a dict": {
    source: `${head}
class PartConfig:
    def __init__(self, hidden_size, num_layers, scale=2.0):
        self.hidden_size, self.num_layers, self.scale = hidden_size, num_layers, scale

class ModelConfig:
    def __init__(self, part_config=None, scale=1.0):
        self.part = PartConfig(**part_config, scale=scale)

class M(nn.Module):
    def __init__(self, config: ModelConfig):
        super().__init__()
        size = config.part.hidden_size
        self.layers = nn.ModuleList(nn.Linear(size, size) for _ in range(config.part.num_layers))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
`,
    plan: ["ModelConfig(part_config={'hidden_size': 64, 'num_layers': 2})"],
  },
  "names of the file that only its main block gives": {
    source: `${head}
def make_batch():
    return torch.arange(length) % words

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.head = nn.Embedding(words, width), nn.Linear(width, words)

    def forward(self, idx):
        return self.head(self.table(idx))

if __name__ == "__main__":
    vocabulary = {"a": 0, "b": 1}
    for at, word in enumerate(["c"]):
        vocabulary[word] = at + 2
    words = len(vocabulary)
    width = 8
    length = 5
    model = M()
    batch = make_batch()
    for epoch in range(20):
        output = model(batch)
`,
    plan: [
      "    import model as file",
      "    vars(file).update(length=length, width=width, words=words)",
      "        vocabulary[word] = at + 2",
      "    batch = make_batch()",
    ],
  },
  "a setting of the project that is of another kind than the argument": {
    source: `${head}
SETTINGS = {"zz": ["a", "b"]}

class M(nn.Module):
    def __init__(self, zz: int):
        super().__init__()
        self.a = nn.Linear(zz, zz)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(zz=4)"],
  },
  "a video whose frames come before its channels": {
    source: `${head}
class M(nn.Module):
    def __init__(self, num_frames=8, image_size=16):
        super().__init__()
        self.num_frames, self.image_size, self.a = num_frames, image_size, nn.Linear(48, 8)

    def forward(self, video):
        b, f, c, h, w = video.shape
        patches = video.unflatten(4, (w // 4, 4)).unflatten(3, (h // 4, 4))
        return self.a(patches.permute(0, 1, 3, 5, 4, 6, 2).flatten(4))
`,
    plan: ["video = torch.randn(4, 8, 3, 16, 16)"],
  },
  "a config whose class asks for more than has a default": {
    source: `${head}
class SizesConfig:
    def __init__(self, vocab_size, hidden_size=24):
        self.vocab_size, self.hidden_size = vocab_size, hidden_size

class M(nn.Module):
    config_class = SizesConfig

    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.hidden_size, config.vocab_size)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(config=SizesConfig(vocab_size=256))"],
  },
  "settings that are asked for by texts, of a name that tells nothing": {
    source: `${head}
class M(nn.Module):
    def __init__(self, spec=None):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Linear(spec["WIDTH"], spec["WIDTH"]) for _ in range(spec["DEPTH"])
        )

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
`,
    plan: ["M(spec={'DEPTH': 2, 'WIDTH': 64})"],
  },
  "series whose last axis are the channels that a convolution takes": {
    source: `${head}
class M(nn.Module):
    def __init__(self, d_model=32, channels=7):
        super().__init__()
        self.a, self.b = nn.Conv1d(channels, d_model, 3), nn.Linear(d_model, d_model)

    def forward(self, x):
        return self.b(self.a(x.permute(0, 2, 1)).transpose(1, 2))
`,
    plan: ["x = torch.randn(4, 64, 7)"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, plan }) => {
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

test("a file whose name is none of Python's", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(width, width)

    def forward(self, x):
        return self.a(x)

if __name__ == "__main__":
    width = 4
    m = M()
    x = torch.randn(2, 4)
    m(x)
`;
  const { plan } = await runFiles({ "model-(1).py": source }, "model-(1).py", "M");
  expect(plan).toContain("file = importlib.import_module('model-(1)')\nM = file.M\n");
});

test("what another file of the project makes without arguments, where made-up settings do not", async () => {
  const model = `from torch import nn

class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.cfg = config
        self.a = nn.Linear(self.cfg.BODY.WIDTH, self.cfg.HEAD.WIDTH)

    def forward(self, x):
        return self.a(x)
`;
  const defaults = `from yacs.config import CfgNode

_C = CfgNode()
_C.BODY = CfgNode({"WIDTH": 24})
_C.HEAD = CfgNode({"WIDTH": 8})

def get_config(path):
    raise FileNotFoundError(path)

def get_cfg():
    return _C.clone()
`;
  const files = { "models/m.py": model, "settings/defaults.py": defaults };
  const { plan } = await runFiles(files, "models/m.py", "M");
  expect(plan).toContain("from settings.defaults import get_cfg");
  expect(plan).toContain("M(config=get_cfg())");
});

/** What is made up where a file says little: small configs, modules that are handed on, inputs nobody requires. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

interface Case {
  readonly source: string;
  /** Text of the script that the class became. */
  readonly plan: readonly string[];
}

const head = "import torch\nfrom dataclasses import dataclass\nfrom torch import nn\n";
const embeds = `
        self.words = nn.Embedding(config.vocab_size, config.dim)
        self.rest = nn.ModuleList(nn.Linear(config.dim, config.dim) for _ in range(config.n_layers))

    def forward(self, ids):
        return self.words(ids)
`;

const cases: Readonly<Record<string, Case>> = {
  "numbers that must be even": {
    source: `${head}
class Angles(nn.Module):
    def __init__(self, dim):
        super().__init__()
        assert dim % 2 == 0, "Angles requires dim to be even"
        self.map = nn.Linear(dim, dim)

    def forward(self, x):
        return self.map(x)

class M(nn.Module):
    def __init__(self, in_channels, out_features):
        super().__init__()
        self.angles = Angles(in_channels)
        self.map = nn.Linear(in_channels, out_features)

    def forward(self, x):
        return self.map(self.angles(x))
`,
    plan: ["M(in_channels=4, out_features=64)"],
  },
  "a config of a model that no desk could hold": {
    source: `${head}
@dataclass
class Config:
    dim: int = 8192
    n_layers: int = 80
    vocab_size: int = 128000
    eps: float = 1e-5

class M(nn.Module):
    def __init__(self, config: Config):
        super().__init__()${embeds}`,
    plan: ["M(config=Config(dim=64, n_layers=2, vocab_size=256))"],
  },
  "the same, of constants that keywords replace": {
    source: `${head}
class Config:
    dim = 8192
    n_layers = 80
    vocab_size = 128000

    def __init__(self, **kwargs):
        vars(self).update(kwargs)

class M(nn.Module):
    def __init__(self, config):
        super().__init__()${embeds}`,
    plan: ["M(config=Config(dim=64, n_layers=2, vocab_size=256))"],
  },
  "the config class that a model of transformers names": {
    source: `${head}
from transformers import GPT2Config, PreTrainedModel

class M(PreTrainedModel):
    config_class = GPT2Config

    def __init__(self, config):
        super().__init__(config)
        self.words = nn.Embedding(config.n_ctx, config.hidden_size)

    def forward(self, input_ids):
        return self.words(input_ids)
`,
    plan: ["n_embd=64", "n_ctx=64"],
  },
  "a field with a default that does not do": {
    source: `${head}
@dataclass
class Config:
    dim: int = 12
    n_heads: int | None = None

class M(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.a = nn.Linear(config.dim, config.dim // config.n_heads)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(config=Config(n_heads=4))"],
  },
  "what any keywords have to hold": {
    source: `${head}
class M(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.a = nn.Linear(options["dim"], 3)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(dim=64)"],
  },
  "a module that is handed on to the one that calls it": {
    source: `${head}
class Inner(nn.Module):
    def __init__(self, d, rff):
        super().__init__()
        self.a, self.rff = nn.Linear(d, d), rff

    def forward(self, x):
        return self.a(x) + self.rff(x)

class M(nn.Module):
    def __init__(self, d, rff1):
        super().__init__()
        self.inner = Inner(d, rff1)

    def forward(self, x):
        return self.inner(x)
`,
    plan: ["rff1=nn.Identity()"],
  },
  "modules of a sequence that begins with them": {
    source: `${head}
class Body(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a = nn.Linear(dim, dim)

    def forward(self, x):
        return [self.a(x), self.a(x)]

class Place(nn.Module):
    def forward(self, x):
        return x.cumsum(1)

class M(nn.Sequential):
    def __init__(self, body, place):
        super().__init__(body, place)

    def forward(self, x):
        return [self[1](it) for it in self[0](x)]
`,
    plan: ["M(body=Body(dim=64), place=Place())"],
  },
  "a module of an annotated class, and one that a loop gives another name": {
    source: `${head}
from abc import ABC, abstractmethod

class Base(nn.Module, ABC):
    @abstractmethod
    def forward(self, x, mask): ...

class Layer(Base):
    def __init__(self, d_model):
        super().__init__()
        self.a = nn.Linear(d_model, d_model)

    def forward(self, x, mask):
        return self.a(x)

class M(nn.Module):
    def __init__(self, top: Base, layer: nn.Module):
        super().__init__()
        self.top = top
        self.layers = nn.ModuleList([layer])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x, mask=None)
        return self.top(x, mask=None)
`,
    plan: ["top=Layer(d_model=64)", "layer=Layer(d_model=64)"],
  },
  "an assertion of what is handed on under another name": {
    source: `${head}
class Inner(nn.Module):
    def __init__(self, keeps=False):
        super().__init__()
        assert keeps
        self.a = nn.Linear(8, 8)

    def forward(self, x):
        return self.a(x)

class M(nn.Module):
    def __init__(self, keeps_all=False):
        super().__init__()
        self.inner = Inner(keeps=keeps_all)

    def forward(self, x):
        return self.inner(x)
`,
    plan: ["M(keeps_all=True)"],
  },
  "images and texts that forward could do without, and a learnt scale that is no loss": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.see = nn.Conv2d(3, 8, 16, 16)
        self.places = nn.Parameter(torch.zeros(10, 8))
        self.words = nn.Embedding(30, 8)
        self.spots = nn.Parameter(torch.zeros(7, 8))
        self.logit_scale = nn.Parameter(torch.ones([]))

    def forward(self, image=None, text=None):
        seen = None if image is None else self.see(image).flatten(2).mT
        if seen is not None:
            seen = torch.cat((seen[:, :1], seen), 1) + self.places
        read = None if text is None else self.words(text) + self.spots
        return {"logit_scale": self.logit_scale.exp(), "seen": seen, "read": read}
`,
    plan: ["image = torch.randn(4, 3, 48, 48)", "(4, 7))", "output['seen']"],
  },
  "the rows and columns of patches": {
    source: `${head}
class M(nn.Module):
    def __init__(self, patch_size=4):
        super().__init__()
        self.patch_size, self.a = patch_size, nn.Linear(12, 12)

    def forward(self, x, im_size):
        rows, columns = (it // self.patch_size for it in im_size)
        return self.a(x).unflatten(1, (rows, columns))
`,
    plan: ["im_size = (32, 32)"],
  },
  "trained vectors that there may be none of": {
    source: `${head}
class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.embedding_pretrained is not None:
            self.words = nn.Embedding.from_pretrained(config.embedding_pretrained)
        else:
            self.words = nn.Embedding(config.n_vocab, config.embed)

    def forward(self, ids):
        return self.words(ids)
`,
    plan: ["embedding_pretrained=None"],
  },
  "frames before channels": {
    source: `${head}
class M(nn.Module):
    def __init__(self, num_frames=8, img_size=32):
        super().__init__()
        self.num_frames, self.img_size = num_frames, img_size
        self.a = nn.Conv3d(3, 8, (2, 4, 4), (2, 4, 4))

    def forward(self, x):
        b, t, c, h, w = x.shape
        return self.a(x.transpose(1, 2))
`,
    plan: ["torch.randn(4, 8, 3, 32, 32)"],
  },
  "sizes that a function of the file knows, where the defaults are none": {
    source: `${head}
class M(nn.Module):
    def __init__(self, num_classes=10, depths=None, widths=None):
        super().__init__()
        self.a = nn.Sequential(*(nn.Linear(8, 8) for _ in range(depths[0])), nn.Linear(8, widths["last"]))

    def forward(self, x):
        return self.a(x)

def small(num_classes):
    return M(num_classes, [2, 3], {"last": 16})
`,
    plan: ["small(num_classes=10)"],
  },
  "times that are no whole numbers": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(3, 8, 3), nn.Linear(1, 8)

    def forward(self, x, t):
        return self.a(x) + self.b(t[:, None])[..., None, None]
`,
    plan: ["t = torch.full((4,), 0.5)"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, plan }) => {
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

/** What comparisons, assertions and the size of the model say of arguments; losses of models that begin at zero. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

interface Case {
  readonly source: string;
  /** Text of the script that the class became. */
  readonly plan: readonly string[];
}

const head = "import torch\nfrom torch import nn\n";

const cases: Readonly<Record<string, Case>> = {
  "whole numbers of which a field is one": {
    source: `${head}
class M(nn.Module):
    def __init__(self, configs):
        super().__init__()
        if configs.embed_kind == 3:
            self.a = nn.Linear(configs.d_model, 5)
        elif configs.embed_kind == 7:
            self.a = nn.Linear(configs.d_model, 6)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["embed_kind=3"],
  },
  "the first text of several in the order of the lines": {
    source: `${head}
class M(nn.Module):
    def __init__(self, configs):
        super().__init__()
        self.task = configs.task
        if self.task == "ahead" or self.task == "far":
            self.a = nn.Linear(configs.d_model, 5)
        if self.task == "filled":
            self.a = nn.Linear(configs.d_model, 6)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["task='ahead'"],
  },
  "the class that an assertion asks for": {
    source: `${head}
class Layers(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(dim, dim) for _ in range(depth)])

    def forward(self, x):
        for a in self.a:
            x = x + a(x)
        return x

class M(nn.Module):
    def __init__(self, num_tokens, stack):
        super().__init__()
        assert isinstance(stack, Layers), "one of Layers is needed"
        self.words, self.stack = nn.Embedding(num_tokens, 64), stack

    def forward(self, ids):
        return self.stack(self.words(ids))
`,
    plan: ["stack=Layers(dim=64, depth=2)"],
  },
  "the class that an assertion asks for, of which sizes are read": {
    source: `${head}
class Coder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a, self.size, self.count = nn.Linear(dim, dim), dim, 3

    def forward(self, x):
        return self.a(x)

class M(nn.Module):
    def __init__(self, coder):
        super().__init__()
        assert isinstance(coder, Coder)
        self.coder, self.b = coder, nn.Linear(coder.size, coder.count)

    def forward(self, x):
        return self.b(self.coder(x))
`,
    plan: ["M(coder=Coder(dim=64))"],
  },
  "the id of padding, where forward compares tokens with it": {
    source: `${head}
class M(nn.Module):
    def __init__(self, vocab_size, pad_idx=None):
        super().__init__()
        self.words, self.pad_idx = nn.Embedding(vocab_size, 8), pad_idx

    def forward(self, ids):
        return self.words(ids).masked_fill((ids == self.pad_idx).unsqueeze(-1), 0.0)
`,
    plan: ["M(vocab_size=256, pad_idx=0)"],
  },
  "what has to be set": {
    source: `${head}
class M(nn.Module):
    def __init__(self, num_head_channels=-1):
        super().__init__()
        assert num_head_channels != -1
        self.a = nn.Linear(num_head_channels, 5)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(num_head_channels=16)"],
  },
  "small sizes in place of those that no desk could hold": {
    source: `${head}
class M(nn.Module):
    def __init__(self, hidden_size=16384, depth=9):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(hidden_size, hidden_size) for _ in range(depth)])

    def forward(self, x):
        return self.a[0](x)
`,
    plan: ["M(hidden_size=64, depth=2)"],
  },
  "as many of each, where images are large": {
    source: `${head}
class M(nn.Module):
    def __init__(self, img_size=96, dim=12):
        super().__init__()
        self.see = nn.Conv2d(3, dim, 32, 32)
        self.times = nn.Embedding(100, dim)

    def forward(self, x, timesteps):
        return torch.cat((self.times(timesteps)[:, None], self.see(x).flatten(2).mT), 1)
`,
    plan: ["x = torch.randn(2, 3, 96, 96)", "timesteps = torch.randint(0, 100, (2,))"],
  },
  "rows beside others, as many as there are places": {
    source: `${head}
class M(nn.Module):
    def __init__(self, img_size=32, dim=12):
        super().__init__()
        self.see = nn.Conv2d(3, dim, 8, 8)
        self.text = nn.Linear(dim, dim)
        self.places = nn.Parameter(torch.zeros(1, 16 + 77, dim))

    def forward(self, x, context):
        return torch.cat((self.text(context), self.see(x).flatten(2).mT), 1) + self.places
`,
    plan: ["context = torch.randn(4, 77, 12)"],
  },
  "more layers than two, where the places of layers divide": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim, n_layer):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(dim, dim) for _ in range(n_layer)])
        self.shares = [i / (n_layer - 2) for i in range(n_layer)]

    def forward(self, x):
        return self.a[0](x) * self.shares[1]
`,
    plan: ["n_layer=4"],
  },
  "settings, by what the constructor reads of them": {
    source: `${head}
class M(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.a = nn.Linear(h.hidden_dim, h.n_layer)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(h=SimpleNamespace(hidden_dim=64, n_layer=2))"],
  },
  "settings in settings": {
    source: `${head}
class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config["stack"]["hidden_dim"], config["stack"]["n_layer"])

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(config={'stack': {'hidden_dim': 64, 'n_layer': 2}})"],
  },
  "rows of features, where a matrix takes them": {
    source: `${head}
class M(nn.Module):
    def __init__(self, vocab_size, dim=12):
        super().__init__()
        self.words, self.heard = nn.Embedding(vocab_size, dim), nn.Linear(20, dim)

    def forward(self, words, heard):
        return self.words(words) + self.heard(heard)
`,
    plan: ["words = torch.randint(0, 256, (4, 64))", "heard = torch.randn(4, 64, 20)"],
  },
  "places of the sizes of what they are added to, and rows that are repeated": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.a = nn.Linear(dim, dim)

    def forward(self, src, query_embed, pos_embed):
        b, c, h, w = src.shape
        src = (src + pos_embed).flatten(2).permute(2, 0, 1)
        return self.a(src)[: query_embed.shape[0]] + query_embed.unsqueeze(1).repeat(1, b, 1)
`,
    plan: [
      "src = torch.randn(4, 12, 16, 12)",
      "query_embed = torch.randn(4, 12)",
      "pos_embed = torch.randn(4, 12, 16, 12)",
    ],
  },
  "a map of features, no larger than it need be": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=128):
        super().__init__()
        self.a = nn.Linear(dim, dim)

    def forward(self, src):
        b, c, h, w = src.shape
        return self.a(src.flatten(2).permute(2, 0, 1))
`,
    plan: ["src = torch.randn(4, 128, 16, 16)"],
  },
  "times of a series, as shares of a day and a year": {
    source: `${head}
class M(nn.Module):
    def __init__(self, enc_in, d_model):
        super().__init__()
        self.a, self.hours = nn.Linear(enc_in, d_model), nn.Embedding(24, d_model)

    def forward(self, x_enc, x_mark_enc):
        return self.a(x_enc) + self.hours(x_mark_enc[..., 3].long())
`,
    plan: ["x_mark_enc = torch.rand((4, 64, 4))"],
  },
  "an index that a table has, and the one axis that an assertion speaks of": {
    source: `${head}
class M(nn.Module):
    def __init__(self, channels=3, span=24):
        super().__init__()
        self.a, self.span = nn.Linear(channels, 8), span
        self.register_buffer("table", torch.ones(7, 8))

    def forward(self, x, diffusion_step):
        assert x.shape[-1] == self.span
        return self.a(x.permute(0, 2, 1)) + self.table[diffusion_step][:, None]
`,
    plan: ["x = torch.randn(4, 3, 24)", "diffusion_step = torch.randint(0, 7, (4,))"],
  },
  "as many axes as an assertion asks for, and features that leave room for others": {
    source: `${head}
class M(nn.Module):
    def __init__(self, channels=3, axes=2, dim=12):
        super().__init__()
        self.axes, self.a = axes, nn.Linear(channels + 5, dim)

    def forward(self, data):
        b, *axes, _ = data.shape
        assert len(axes) == self.axes, "another number of axes"
        return self.a(torch.cat((data, data.new_zeros(b, *axes, 5)), -1))
`,
    plan: ["data = torch.randn(4, 8, 8, 3)"],
  },
  "a distance from 1, where the last layer is of zeros": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.out, self.a = nn.Linear(dim, dim), nn.Linear(dim, dim)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x):
        return self.out(self.a(x))
`,
    plan: ["return (output.float() - 1).pow(2).mean()"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, plan }) => {
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

test("a layer is one that takes what it is called with", async () => {
  const source = `${head}
class NormLayer(nn.Module):
    def forward(self, x):
        return x

class DecoderLayer(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a = nn.Linear(d_model, d_model)

    def forward(self, x, cross, x_mask=None):
        return self.a(x) + cross

class M(nn.Module):
    def __init__(self, layers, norm_layer=None):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x, cross, x_mask=None):
        for layer in self.layers:
            x = layer(x, cross, x_mask=x_mask)
        return x
`;
  const { plan } = await runFiles({ "model.py": source }, "model.py", "M");
  expect(plan).toContain("M(layers=[DecoderLayer(d_model=64)])");
});

test("a file in a package of its own name, and parts of torch that are only imported", async () => {
  const files = {
    "thing/models/base.py": `from torch import nn
from torch.distributed.fsdp import FullStateDictConfig

class Base(nn.Module):
    pass
`,
    "thing/models/thing.py": `from torch import nn
from thing.models.base import Base

class M(Base):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)

    def forward(self, x):
        return self.a(x)
`,
  };
  const { plan } = await runFiles(files, "thing/models/thing.py", "M");
  expect(plan).toContain("from thing.models.thing import M");
});

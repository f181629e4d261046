/** Made-up inputs and arguments by what a class reads of them: axes, maps, attributes, choices, methods. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

interface Case {
  readonly source: string;
  /** Text of the script that the class became. */
  readonly plan: readonly string[];
}

const head = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n";

const cases: Readonly<Record<string, Case>> = {
  "axes by the names that forward gives their sizes": {
    source: `${head}
class M(nn.Module):
    def __init__(self, win_size=32):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(16))
        self.register_buffer("distances", torch.ones(win_size, win_size))

    def forward(self, queries, keys, values, sigma, attn_mask):
        B, L, H, E = queries.shape
        _, S, _, D = values.shape
        sigma = sigma.transpose(1, 2).unsqueeze(-1).repeat(1, 1, 1, S)
        assert L == S and H == 4 and attn_mask is None
        weights = torch.einsum("blhe,bshe->bhls", queries, keys).softmax(-1) + sigma.mean()
        return torch.einsum("bhls,bshd->blhd", weights, values) * self.scale[:D]
`,
    plan: [
      "queries = torch.randn(4, 64, 4, 4)",
      "keys = torch.randn(4, 64, 4, 4)",
      "values = torch.randn(4, 64, 4, 4)",
      "sigma = torch.randn(4, 64, 4)",
    ],
  },
  "channels of heads, where those of an image would leave nothing": {
    source: `${head}
class M(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.weights = nn.Parameter(torch.randn(8, in_channels // 8, out_channels // 8, 20))

    def forward(self, q, k, v, mask):
        B, L, H, E = q.shape
        x = torch.einsum("bhex,heox->bhox", q.permute(0, 2, 3, 1)[..., :20], self.weights)
        return x @ k.permute(0, 2, 1, 3)[:, :, :20] + v.mean()
`,
    plan: ["M(in_channels=64, out_channels=64)", "q = torch.randn(4, 64, 8, 8)"],
  },
  "features as the map that is called with them takes them": {
    source: `${head}
class M(nn.Module):
    def __init__(self, state_dim=17, action_dim=6, length=20):
        super().__init__()
        self.times, self.state = nn.Embedding(length, 8), nn.Linear(state_dim, 8)
        self.action, self.returns = nn.Sequential(nn.Linear(action_dim, 8)), nn.Linear(1, 8)

    def forward(self, states, actions, returns_to_go, time_steps):
        t = self.times(time_steps)
        parts = [self.state(states), self.action(actions), self.returns(returns_to_go.unsqueeze(-1))]
        return torch.stack([it + t for it in parts], 1)
`,
    plan: [
      "states = torch.randn(4, 64, 17)",
      "actions = torch.randn(4, 64, 6)",
      "returns_to_go = torch.randn(4, 64)",
      "time_steps = torch.randint(0, 20, (4, 64))",
    ],
  },
  "steps of a layer whose map does not take them as they are": {
    source: `${head}
class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 8)

    def forward(self, t):
        return self.a((t[:, None] * torch.arange(6)).cos())

class M(nn.Module):
    def __init__(self, vocab_size=30):
        super().__init__()
        self.words, self.sigma_map = nn.Embedding(vocab_size, 8), Steps()

    def forward(self, ids, sigma):
        return self.words(ids) + self.sigma_map(sigma)[:, None]
`,
    plan: ["ids = torch.randint(0, 30, (4, 64))", "sigma = torch.randint(0, 100, (4,))"],
  },
  "a vector for each sample, whose map is divided along axis 1, and a dict of none": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.norm, self.modulation = nn.LayerNorm(dim), nn.Sequential(nn.Linear(dim, 2 * dim))

    def forward(self, x, c, conditions):
        shift, scale = self.modulation(c).chunk(2, dim=1)
        x = self.norm(x) * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1)
        for t, value in conditions.items():
            x[:, t] = value
        return x
`,
    plan: ["x = torch.randn(4, 64, 8)", "c = torch.randn(4, 8)", "conditions = {}"],
  },
  "one of the texts that an argument is compared with, and a number that may be none": {
    source: `${head}
from typing import Optional

class M(nn.Module):
    def __init__(self, num_features: int = 7):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(num_features))

    def forward(self, x, mode: str, chunk: Optional[int]):
        assert chunk is None
        if mode == "norm":
            return x / x.std(1, keepdim=True) * self.weight
        elif mode == "denorm":
            return x / self.weight
        raise NotImplementedError
`,
    plan: ["x = torch.randn(4, 64, 7)", "mode = 'norm'", "chunk = None"],
  },
  "a number where the annotation says so, the name of a layer, and options of **kwargs": {
    source: `${head}
class Base(nn.Module):
    def at(self, d):
        return d[0]

class Part(nn.Module):
    def __init__(self, d, qkv_bias=True, num_patches=None):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(int(num_patches**0.5)))

class M(Base):
    def __init__(self, d: int, activation: str, **options):
        super().__init__()
        self.a, self.act = nn.Linear(d, d), getattr(nn, activation)()
        self.part = Part(d, **options)

    def forward(self, x):
        return self.act(self.a(x)) + self.part.bias.sum()
`,
    plan: ["M(d=64, activation='GELU', num_patches=16)"],
  },
  "joints, of which a table has one more than was made up": {
    source: `${head}
class M(nn.Module):
    def __init__(self, joints=17):
        super().__init__()
        self.a, self.table = nn.Linear(3, 8), nn.Parameter(torch.zeros(1, joints, 8))

    def forward(self, x):
        N, M, T, J, C = x.shape
        return self.a(x.reshape(N * M * T, J, C)) + self.table
`,
    plan: ["x = torch.randn(4, 4, 8, 17, 3)"],
  },
  "an object with tensors and dicts of them": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.a = nn.Linear(dim, 4)

    def forward(self, data):
        x = self.a(data.graph["node_feat"])
        start, end = data.graph["edge_index"]
        if "edge_weight" in data.graph:
            x = x * data.graph["edge_weight"]
        return torch.zeros(len(x), 4).index_add(0, end, x[start]) + data.scale
`,
    plan: [
      'data = type("Batch", (), {',
      "'graph': {'node_feat': torch.randn(4, 8), 'edge_index': torch.randint(0, 4, (2, 16))}",
    ],
  },
  "positions of features, a number for each": {
    source: `${head}
class M(nn.Module):
    def __init__(self, input_channels=5, dim=8):
        super().__init__()
        self.a = nn.Linear(input_channels, dim)

    def forward(self, x, input_pos):
        return self.a(torch.cat((x, input_pos / 16.0), dim=-1))
`,
    plan: ["x = torch.randn(4, 64, 4)", "input_pos = torch.randn(4, 64, 1)"],
  },
  "a place in a list of the model's, and lengths that are not needed until they are": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.sizes, self.a = [3, 5], nn.Linear(dim, 4)

    def forward(self, x, patch_index, input_lengths=None):
        seen = torch.arange(x.shape[1]) < (input_lengths - self.sizes[patch_index])[:, None]
        return self.a(x) * seen[..., None]
`,
    plan: [
      "patch_index = 0",
      "input_lengths = torch.full((4,), 64)",
      "model(x, patch_index, input_lengths=input_lengths)",
    ],
  },
  "shares that are a list, and ids of texts": {
    source: `${head}
from typing import Any

class M(nn.Module):
    def __init__(self, n_cls, dropouts, vocab: Any = None, pad_token: str = "<pad>"):
        super().__init__()
        self.words = nn.Embedding(20, 8, padding_idx=vocab[pad_token])
        self.a, self.drops = nn.Linear(8, n_cls), [nn.Dropout(dropouts[0]), nn.Dropout(dropouts[1])]

    def forward(self, ids):
        return self.a(self.drops[1](self.words(ids)))
`,
    plan: ["M(n_cls=10, dropouts=(0.0, 0.0), vocab={'<pad>': 0})"],
  },
  "a module that has the methods that it is called by, or the class that is one of several": {
    source: `${head}
from typing import Any

class Other(nn.Module):
    def forward(self, x):
        return x

class Net(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.width, self.a = dim, nn.Linear(dim, dim)

    def get_representation(self, x):
        return self.a(x)

class M(nn.Module):
    def __init__(self, backbone, vit: dict[str, Any] | Net):
        super().__init__()
        self.backbone, self.vit = backbone, vit
        self.b = nn.Linear(vit.width, 2)

    def forward(self, x):
        return self.b(self.backbone.get_representation(x) + self.vit.get_representation(x))
`,
    plan: ["M(backbone=Net(), vit=Net())", "x = torch.randn(4, 64, 8)"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, plan }) => {
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

/** Made-up sizes that did not do, and what errors, names and unset fields tell of better ones. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

interface Case {
  readonly source: string;
  /** Text of the script that the class became. */
  readonly plan: readonly string[];
}

const head =
  "import torch\nfrom torch import nn\nimport torch.nn.functional as F\nfrom typing import NamedTuple\n";

const cases: Readonly<Record<string, Case>> = {
  "steps that are cut into parts of a length": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim, chunk_size=96):
        super().__init__()
        self.a, self._chunk_size = nn.Linear(dim, 2), chunk_size

    def forward(self, query, key):
        parts = query.chunk(query.shape[1] // self._chunk_size, dim=1)
        return self.a(torch.cat(parts) + key)
`,
    plan: ["query = torch.randn(4, 96, 64)", "key = torch.randn(4, 96, 64)"],
  },
  "steps that windows move along": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a = nn.Linear(dim, 2)

    def forward(self, x):
        return self.a(F.pad(x, (0, 0, 10, 10)).unfold(1, 100, 10).mean(-1))
`,
    plan: ["x = torch.randn(4, 80, 64)"],
  },
  "a layer that forward is handed": {
    source: `${head}
class M(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = nn.LayerNorm(size)

    def forward(self, x, sublayer):
        return x + sublayer(self.norm(x))
`,
    plan: ["x = torch.randn(4, 64, 64)", "sublayer = torch.nn.Identity()"],
  },
  "what forward only asks for whether it is so": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a, self.b = nn.Linear(dim, 2), nn.Linear(dim, 3)

    def forward(self, x, pretrain):
        if not pretrain and self.a is not None:
            return self.a(x)
        return self.b(x)
`,
    plan: ["x = torch.randn(4, 64, 64)", "pretrain = False"],
  },
  "a tensor that is put in a list under its own name; settings that are a field's default": {
    source: `${head}
from dataclasses import dataclass, field

@dataclass
class Part:
    width: int = 6

@dataclass
class Config:
    part: Part = Part()
    other: Part = field(default=Part(2), repr=False)

class M(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(config.part.width, config.other.width) for _ in range(2)])

    def scales(self, x):
        return [x, x.mean(1, keepdim=True)]

    def forward(self, x):
        x = self.scales(x.float())
        return sum(a(one).mean(1) for a, one in zip(self.a, x))
`,
    plan: ["x = torch.randn(4, 64, 6)"],
  },
  "rows that are the places of a grid": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=6, height=12, width=16):
        super().__init__()
        self.a, self.sides = nn.Linear(dim + 1, dim), (height, width)

    def forward(self, x, fx):
        x = self.a(torch.cat((x, fx), -1))
        return x.reshape(4, *self.sides, 6).mean((1, 2))
`,
    plan: ["x = torch.randn(4, 192, 6)", "fx = torch.randn(4, 192, 1)"],
  },
  "ids of places, of which a mask's name may speak; segments are two": {
    source: `${head}
class M(nn.Module):
    def __init__(self, vocab_size=100, max_len=20):
        super().__init__()
        self.words, self.kinds = nn.Embedding(vocab_size, 8), nn.Embedding(2, 8)
        self.a, self.max_len = nn.Linear(8, 3), max_len

    def forward(self, ids, seg, masked_pos):
        x = self.words(ids) + self.kinds(seg)
        return self.a(x.gather(1, masked_pos[:, :, None].expand(-1, -1, 8)))
`,
    plan: [
      "ids = torch.randint(0, 100, (4, 20))",
      "seg = torch.randint(0, 2,",
      "masked_pos = torch.randint(0, 20, (4, 20))",
    ],
  },
  "a number for each pair of places": {
    source: `${head}
class M(nn.Module):
    def __init__(self, item_num=30, spans=6, block_size=12):
        super().__init__()
        self.items, self.spans = nn.Embedding(item_num, 8), nn.Embedding(spans, 8)
        self.block_size = block_size

    def forward(self, log_seqs, time_matrices):
        time_matrices = time_matrices.long()
        q = self.items(log_seqs)
        return (q.unsqueeze(2) * self.spans(time_matrices)).sum(-1).softmax(-1) @ q
`,
    plan: ["time_matrices = torch.randint(0, 6, (4, 12, 12))"],
  },
  "a field of a named tuple that is to be set": {
    source: `${head}
class Config(NamedTuple):
    vocab_size: int = None
    dim: int = 8

class M(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.words = nn.Embedding(cfg.vocab_size, cfg.dim)

    def forward(self, x):
        return self.words(x)
`,
    plan: ["M(cfg=Config(vocab_size=256))", "x = torch.randint(0, 256, (4, 64))"],
  },
  "a width that an odd number of heads divides": {
    source: `${head}
class M(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        options = dict(num_heads=12, batch_first=True)
        width = hidden_size
        self.attn = nn.MultiheadAttention(width, **options)

    def forward(self, x):
        return self.attn(x, x, x)[0]
`,
    plan: ["M(hidden_size=192)", "x = torch.randn(4, 64, 192)"],
  },
  "a length that an assertion asks for": {
    source: `${head}
class M(nn.Module):
    def __init__(self, vocab_size=30, segment=96):
        super().__init__()
        self.segment, self.words = segment, nn.Embedding(vocab_size, 8)

    def forward(self, x):
        total, segment = x.shape[1], self.segment
        assert (total - 1) % segment == 0, "segments and a token"
        return self.words(x[:, :-1])
`,
    plan: ["x = torch.randint(0, 30, (4, 97))"],
  },
  "frames of a video, as many as a table has rows for": {
    source: `${head}
class M(nn.Module):
    def __init__(self, img_size=16, all_times=12):
        super().__init__()
        self.cut = nn.Conv3d(3, 8, (2, 8, 8), stride=(2, 8, 8))
        self.pos = nn.Parameter(torch.zeros(1, all_times // 2 * (img_size // 8) ** 2, 8))

    def forward(self, x):
        B, C, T, H, W = x.shape
        assert H == W == 16
        return self.cut(x).flatten(2).transpose(1, 2) + self.pos
`,
    plan: ["x = torch.randn(2, 3, 12, 16, 16)"],
  },
  "a volume, whose sides the model tells": {
    source: `${head}
class M(nn.Module):
    def __init__(self, img_shape=(8, 16, 24), input_dim=2):
        super().__init__()
        self.a, self.b = nn.Conv3d(input_dim, 4, 8, 8), nn.Parameter(torch.zeros(1, 4, 1, 2, 3))

    def forward(self, x):
        return self.a(x) + self.b
`,
    plan: ["x = torch.randn(2, 2, 8, 16, 24)"],
  },
  "joints of a skeleton in each frame": {
    source: `${head}
class M(nn.Module):
    def __init__(self, num_frame=9, joints=17, num_heads=8):
        super().__init__()
        self.a, self.places = nn.Linear(2, 4), nn.Parameter(torch.zeros(1, joints, 4))
        self.times, self.num_heads = nn.Parameter(torch.zeros(1, num_frame, 4 * joints)), num_heads

    def forward(self, x):
        x = x.permute(0, 3, 1, 2)
        b, _, f, p = x.shape
        x = self.a(x.permute(0, 2, 3, 1).reshape(b * f, p, -1)) + self.places
        return x.view(b, f, -1) + self.times
`,
    plan: ["x = torch.randn(4, 9, 17, 2)"],
  },
};

for (const [name, { source, plan }] of Object.entries(cases))
  test(name, async () => {
    const report = await runFiles({ "model.py": source }, "model.py", "M");
    for (const text of plan) expect(report.plan).toContain(text);
  });

test("where no inputs do, the error of those that came furthest is told", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self, vocab_size=20):
        super().__init__()
        self.words, self.a, self.b = nn.Embedding(vocab_size, 8), nn.Linear(8, 4), nn.Linear(5, 2)

    def forward(self, x):
        return self.b(self.a(self.words(x)).relu())
`;
  const run = runFiles({ "model.py": source }, "model.py", "M");
  await expect(run).rejects.toThrow("mat1 and mat2 shapes cannot be multiplied (256x4 and 5x2)");
});

test("a package above, where one of the same name is nearer and lacks the part", async () => {
  const model = `${head}
from mat.tools.scale import twice

class M(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a = nn.Linear(dim, 2)

    def forward(self, x):
        return twice(self.a(x))
`;
  const files = {
    "mat/tools/scale.py": "def twice(x):\n    return 2 * x\n",
    "mat/parts/mat/core/model.py": model,
  };
  const { loss } = await runFiles(files, "mat/parts/mat/core/model.py", "M");
  expect(loss).toBeGreaterThan(0);
});

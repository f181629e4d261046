/** Inputs by what forward hands on, annotations and errors; other arguments where no inputs do. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

interface Case {
  readonly source: string;
  /** Text of the script that the class became. */
  readonly plan: readonly string[];
}

const head = "import torch\nfrom torch import nn\n";

const cases: Readonly<Record<string, Case>> = {
  "arguments that forward hands on, whole numbers, and sides of an image": {
    source: `${head}
class M(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.a = nn.Linear(d_model, d_model)

    def forward(self, *args, scaled=False):
        return self.inner(*args)

    def inner(self, x, H, W, times: int):
        b, n, c = x.shape
        return self.a(x).view(b, H, W, c) * times
`,
    plan: ["torch.randn(4, 64, 64)", "H = 8", "W = 8", "times = 1", "model(x, H, W, times)"],
  },
  "padded images, with the mask of where they are": {
    source: `${head}
class NestedTensor:
    def __init__(self, tensors, mask):
        self.tensors, self.mask = tensors, mask

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.see = nn.Conv2d(5, 8, 4, 4)

    def forward(self, samples: NestedTensor):
        kept = ~samples.mask[:, ::4, ::4]
        return self.see(samples.tensors) * kept[:, None]
`,
    plan: [
      "from model import M, NestedTensor",
      "samples = NestedTensor(tensors=torch.randn(4, 5, 32, 32), mask=torch.full((4, 32, 32), False))",
    ],
  },
  "what is an index without any embedding, and parts side by side": {
    source: `${head}
class M(nn.Module):
    def __init__(self, d_model, num_classes):
        super().__init__()
        self.a = nn.Linear(2 * d_model, num_classes)
        self.count = num_classes

    def forward(self, x, chosen):
        y = self.a(torch.cat([x, x], dim=-1))
        return y.gather(-1, chosen.unsqueeze(-1))
`,
    plan: ["x = torch.randn(4, 64, 64)", "chosen = torch.randint(0, 10, (4, 64))"],
  },
  "a class for each sample, where the loss of a classifier wants that": {
    source: `${head}
import torch.nn.functional as F


class M(nn.Module):
    def __init__(self, vocab_size=31, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, dim)
        self.head = nn.Linear(dim, 3)

    def forward(self, input_ids, attention_mask, labels=None):
        x = self.emb(input_ids) * attention_mask[..., None]
        logits = self.head(x.sum(1) / attention_mask.sum(1, keepdim=True))
        loss = None if labels is None else F.cross_entropy(logits, labels)
        return loss, logits
`,
    plan: ["labels = torch.randint(0, 3, (4,))", "labels=labels", "return output[0]"],
  },
  "two classes, where the last map of the model is not that of the classes": {
    source: `${head}
import torch.nn.functional as F


class M(nn.Module):
    def __init__(self, vocab_size=31, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, dim)
        self.head = nn.Linear(dim, 2)
        self.mix = nn.Linear(dim, dim)

    def forward(self, input_ids, labels=None):
        return F.cross_entropy(self.head(self.mix(self.emb(input_ids)).mean(1)), labels)
`,
    plan: ["labels = torch.randint(0, 2, (4,))"],
  },
  "an image of the size that stages need": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 16, 16)
        self.b = nn.Parameter(torch.zeros(1, 14 * 14, 8))

    def forward(self, x):
        return self.a(x).flatten(2).transpose(1, 2) + self.b
`,
    plan: ["torch.randn(2, 3, 224, 224)"],
  },
  "as many rows as filters over half a spectrum have": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=8, length=14):
        super().__init__()
        self.filters = nn.Parameter(torch.randn(length // 2 + 1, dim, 2))
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        y = torch.fft.rfft(x, dim=1, norm="ortho") * torch.view_as_complex(self.filters)
        return self.out(torch.fft.irfft(y, n=x.shape[1], dim=1, norm="ortho"))
`,
    plan: ["x = torch.randn(4, 14, 8)"],
  },
  "an image for convolutions that take their channels from it": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.LazyConv2d(4, 3, padding=1)
        self.b = nn.LazyLinear(8)

    def forward(self, x):
        return self.b(self.a(x).mean((2, 3)))
`,
    plan: ["x = torch.randn(4, 3, 32, 32)"],
  },
  "another width where the first one did for the constructor alone": {
    source: `${head}
class M(nn.Module):
    def __init__(self, quux, parts=8):
        super().__init__()
        self.a = nn.Linear(quux, quux)
        self.parts = parts
        self.each = quux // parts

    def forward(self, x):
        b, n, c = x.shape
        return self.a(x).view(b, n, self.parts, self.each)
`,
    plan: ["M(quux=64)", "torch.randn(4, 64, 64)"],
  },
  "the file's own example, where what is made up does for the constructor alone": {
    source: `${head}
class M(nn.Module):
    def __init__(self, depth, dim):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(dim // 2**i, dim // 2**i) for i in range(depth)])
        self.last = nn.Linear(12, 12)

    def forward(self, x):
        for a in self.a:
            x = a(x)[..., ::2]
        return self.last(x)

def small(**options):
    return M(depth=1, dim=24, **options)
`,
    plan: ["M(depth=1, dim=24)", "torch.randn(4, 64, 24)"],
  },
  "what a function of the file makes by others of it": {
    source: `${head}
SIZES = {"base": (24, "3_2"), "tiny": (12, "1_1")}

class M(nn.Module):
    def __init__(self, dim=8, parts=[]):
        super().__init__()
        self.a = nn.Linear(dim, dim)
        self.parts = parts

    def forward(self, x):
        return self.a(x) * self.parts[1]

def made(size, parts):
    return M(size, [int(it) for it in parts.split("_")])

def base(pretrained=False):
    return made(*SIZES["base"])

def tiny(pretrained=False):
    return made(*SIZES["tiny"])
`,
    plan: ["from model import M, tiny", "return tiny()", "torch.randn(4, 64, 12)"],
  },
  "tokens as long as a table of rotations": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(30, 12)
        angles = torch.outer(torch.arange(24).float(), torch.ones(12))
        self.cos, self.sin = angles.cos(), angles.sin()

    def forward(self, ids):
        x = self.words(ids)
        n = ids.shape[1]
        return x * self.cos[:n] + x.roll(1, -1) * self.sin[:n]
`,
    plan: ["torch.randint(0, 30, (4, 24))"],
  },
  "spectrograms, of which forward makes images": {
    source: `${head}
class M(nn.Module):
    def __init__(self, feat=20):
        super().__init__()
        self.a = nn.Conv2d(1, 8, 3, 2)
        self.b = nn.Linear(8 * ((feat - 1) // 2), 12)

    def forward(self, x, lengths):
        x = self.a(x.unsqueeze(1))
        seen = torch.arange(x.shape[2])[None] < lengths[:, None]
        return self.b(x.transpose(1, 2).flatten(2)) * seen.unsqueeze(-1)
`,
    plan: ["torch.randn(4, 64, 20)", "lengths = torch.full((4,), 64)"],
  },
};

test("targets go to the argument of their name, also behind others that are left out", async () => {
  const source = `${head}
import torch.nn.functional as F

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(20, 8), nn.Linear(8, 20)

    def forward(self, input_ids, attention_mask=None, labels=None, **kwargs):
        assert attention_mask is None
        logits = self.out(self.embed(input_ids))
        if labels is None:
            return (logits,)
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten()), logits
`;
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  expect(made.plan).toContain("output = model(input_ids, labels=labels)");
  expect(made.lossRule).toBe("forward's own");
});

test("a mask that forward cannot do without stays at its place; hidden states beside it are no height", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv1d(8, 8, 1)

    def forward(self, x, x_mask, h, h_mask):
        seen = h_mask.unsqueeze(2) * x_mask.unsqueeze(-1)
        return (self.a(x * x_mask).mT @ h).masked_fill(seen[:, 0] == 0, 0.0)
`;
  const { plan } = await runFiles({ "model.py": source }, "model.py", "M");
  expect(plan).toContain("h = torch.randn(4, 8, 64)");
  expect(plan).toContain("output = model(x, x_mask, h, h_mask)");
});

test("tokens that a convolution makes fewer, and steps beside tokens", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.pool = nn.Embedding(20, 8), nn.Conv1d(8, 8, 3, stride=2, padding=1)
        self.positional_emb = nn.Parameter(torch.zeros(1, 34, 8))
        self.time = nn.Linear(1, 8)

    def forward(self, x, timesteps):
        x = self.pool(self.embed(x).mT).mT + self.positional_emb
        return x + self.time(timesteps[:, None].float())[:, None]
`;
  const { plan } = await runFiles({ "model.py": source }, "model.py", "M");
  expect(plan).toContain("x = torch.randint(0, 20, (4, 68))");
  expect(plan).toContain("timesteps = torch.randint(0, 100, (4,))");
});

test("ids of padding that are compared with tokens, masks that are compared, positions of a table", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self, vocab_size, pad_idx=None):
        super().__init__()
        self.embed, self.pad_idx = nn.Embedding(vocab_size, 8), pad_idx

    def forward(self, ids, n, device, attention_mask=None):
        assert torch.all(attention_mask == 1)
        places = torch.arange(n, device=device)
        return self.embed(ids) * (ids == self.pad_idx).logical_not()[..., None] + places[:, None]
`;
  const { plan } = await runFiles({ "model.py": source }, "model.py", "M");
  expect(plan).toContain("M(vocab_size=256, pad_idx=0)");
  expect(plan).toContain("n = 64");
  expect(plan).toContain("attention_mask = torch.full((4, 64), True)");
});

test("an image whose map of features is as large as forward lays it out", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 1, 4, stride=4)

    def forward(self, x):
        return self.a(x).view(len(x), 16, 16)
`;
  const { plan } = await runFiles({ "model.py": source }, "model.py", "M");
  expect(plan).toMatch(/x = torch.randn\(\d, 3, 64, 64\)/);
});

test("noise has the shape of the numbers that it is added to", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 4, 8, stride=8)

    def forward(self, x, noise):
        return self.a(x) + noise
`;
  const { plan } = await runFiles({ "model.py": source }, "model.py", "M");
  expect(plan).toContain("noise = torch.randn(4, 4, 4, 4)");
});

test("a mask that is asked for by its shape hides nothing", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)

    def forward(self, x, mask):
        return self.a(x).masked_fill(~mask[..., None], 0.0)
`;
  const mask = { name: "mask", dtype: "bool", shape: [4, 64], below: null };
  const made = await runFiles({ "model.py": source }, "model.py", "M", {}, [mask]);
  expect(made.plan).toContain("mask = torch.full((4, 64), True)");
});

test.each(Object.entries(cases))("%s", async (_name, { source, plan }) => {
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

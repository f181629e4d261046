/** Made-up inputs of which their use in the class tells, and what an error of them tells. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

interface Case {
  readonly source: string;
  /** Text of the script that the class became. */
  readonly plan: readonly string[];
}

const head = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n";

const cases: Readonly<Record<string, Case>> = {
  "indices of several tables, two of them a number for each pair of places": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.kinds, self.degrees = nn.Embedding(20, 8), nn.Embedding(6, 8)
        self.steps, self.bonds = nn.Embedding(5, 2), nn.Embedding(3, 2)

    def forward(self, nodes, degree, distances, bonds):
        x = self.kinds(nodes) + self.degrees(degree)
        bias = (self.steps(distances) + self.bonds(bonds)).permute(0, 3, 1, 2)
        return (x @ x.mT + bias.sum(1)).softmax(-1) @ x
`,
    plan: [
      "nodes = torch.randint(0, 20, (4, 64))",
      "degree = torch.randint(0, 6, (4, 64))",
      "distances = torch.randint(0, 5, (4, 64, 64))",
      "bonds = torch.randint(0, 3, (4, 64, 64))",
      "return output.float().pow(2).mean()",
    ],
  },
  "sentences of documents": {
    source: `${head}
class M(nn.Module):
    def __init__(self, vocab_size=30):
        super().__init__()
        self.words, self.a = nn.Embedding(vocab_size, 8), nn.Linear(8, 3)

    def forward(self, docs):
        b, s, w = docs.shape
        return self.a(self.words(docs.view(b * s, w)).mean(1).view(b, s, -1))
`,
    plan: ["docs = torch.randint(0, 30, (4, 4, 64))"],
  },
  "categories, counted from where each begins": {
    source: `${head}
class M(nn.Module):
    def __init__(self, categories, num_continuous=3):
        super().__init__()
        self.table = nn.Embedding(sum(categories), 8)
        self.register_buffer("starts", torch.tensor([0, *categories]).cumsum(0)[:-1])
        self.a = nn.Linear(8 * len(categories) + num_continuous, 2)

    def forward(self, x_categ, x_cont):
        return self.a(torch.cat([self.table(x_categ + self.starts).flatten(1), x_cont], 1))
`,
    plan: ["x_categ = torch.randint(0, 4, (4, 3))", "x_cont = torch.randn(4, 3)"],
  },
  "labels of frames are fewer than those, and none is the blank": {
    source: `${head}
class M(nn.Module):
    def __init__(self, input_dim=20, num_classes=12):
        super().__init__()
        self.a = nn.Linear(input_dim, num_classes)

    def forward(self, features, feature_lengths, targets, target_lengths):
        frames = self.a(features).log_softmax(-1).transpose(0, 1)
        return F.ctc_loss(frames, targets, feature_lengths, target_lengths)
`,
    plan: ["targets = torch.randint(1, 12, (4, 16))", "target_lengths = torch.full((4,), 16)"],
  },
  "samples of a sound of which a spectrum is made": {
    source: `${head}
class M(nn.Module):
    def __init__(self, n_fft=16):
        super().__init__()
        self.n_fft, self.a = n_fft, nn.Linear(n_fft // 2 + 1, 4)
        self.register_buffer("window", torch.hann_window(n_fft))

    def forward(self, waveform):
        spectrum = torch.stft(waveform, self.n_fft, 8, window=self.window, return_complex=True)
        return self.a(spectrum.abs().transpose(1, 2))
`,
    plan: ["waveform = torch.randn(4, 256)"],
  },
  "a dict with a mask, which is a tensor": {
    source: `${head}
class M(nn.Module):
    def __init__(self, vocab_size=30):
        super().__init__()
        self.words = nn.Embedding(vocab_size, 8)

    def forward(self, batch):
        unseen = torch.cat([batch["attention_mask"] == 0], 1)
        return self.words(batch["input_ids"]).masked_fill(unseen[..., None], 0)
`,
    plan: ["'attention_mask': torch.full((4, 64), True)"],
  },
  "several cameras, of which one is read at a time": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 4, 8, 8)

    def forward(self, image):
        return sum(self.a(image[:, at]).flatten(1) for at in range(image.shape[1]))
`,
    plan: ["image = torch.randn(4, 2, 3, 32, 32)"],
  },
  "settings that become the fields of an object": {
    source: `${head}
from types import SimpleNamespace

class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = self.c = SimpleNamespace(**config)
        self.a = nn.Linear(c.hidden_dim, c.num_classes)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["config={'hidden_dim': 64, 'num_classes': 10}"],
  },
  "edges of a graph, from rows to rows": {
    source: `${head}
class M(nn.Module):
    def __init__(self, in_dim=8):
        super().__init__()
        self.a = nn.Linear(in_dim, 4)

    def forward(self, x, edge_index):
        rows, width = x.shape
        start, end = edge_index
        return torch.zeros(rows, 4).index_add(0, end, self.a(x)[start])
`,
    plan: ["x = torch.randn(4, 8)", "edge_index = torch.randint(0, 4, (2, 16))"],
  },
  "a named part of the loss is not the loss": {
    source: `${head}
from typing import NamedTuple

class Output(NamedTuple):
    logits: torch.Tensor
    aux_loss: torch.Tensor

class M(nn.Module):
    def __init__(self, vocab_size=30):
        super().__init__()
        self.words, self.head = nn.Embedding(vocab_size, 8), nn.Linear(8, vocab_size)

    def forward(self, ids):
        x = self.words(ids)
        return Output(self.head(x), x.pow(2).mean())
`,
    plan: ["logits = output.logits", "return F.cross_entropy(logits[:, :-1]"],
  },
  "no loss of next time steps": {
    source: `${head}
class M(nn.Module):
    def __init__(self, max_timestep=16, h_dim=16):
        super().__init__()
        self.times, self.a = nn.Embedding(max_timestep, h_dim), nn.Linear(16, h_dim)

    def forward(self, timesteps, states):
        return self.a(states) + self.times(timesteps)
`,
    plan: ["timesteps = torch.randint(0, 16, (4, 64))", "return output.float().pow(2).mean()"],
  },
  "an object of settings that answers for any field": {
    source: `${head}
class Settings(dict):
    __getattr__ = dict.__getitem__

class M(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.rope_settings, self.a = Settings(scale=2.0), nn.Linear(dim, dim)

    def forward(self, x):
        return self.a(x) * self.rope_settings.scale
`,
    plan: ["x = torch.randn(4, 64, 8)"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, plan }) => {
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

/** Made-up lists and dicts of tensors, for forwards that take those. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const head = "import torch\nfrom torch import nn\n";

interface Case {
  readonly source: string;
  readonly plan: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  "maps of features of several levels, their masks and places": {
    source: `${head}
class M(nn.Module):
    def __init__(self, d_model=32, num_feature_levels=3):
        super().__init__()
        self.levels = nn.Parameter(torch.ones(num_feature_levels, d_model))
        self.a = nn.Linear(d_model, d_model)

    def share(self, mask):
        return (~mask).sum(1).float() / mask.shape[1]

    def forward(self, srcs, masks, pos_embeds):
        rows = []
        for level, (src, mask, places) in enumerate(zip(srcs, masks, pos_embeds)):
            b, c, h, w = src.shape
            spots = places.flatten(2).transpose(1, 2) + self.levels[level]
            kept = src.flatten(2).transpose(1, 2).masked_fill(mask.flatten(1)[..., None], 0)
            rows.append(self.a(kept + spots) * self.share(mask).mean())
        return torch.cat(rows, 1)
`,
    plan: [
      "srcs = [torch.randn(4, 32, 16, 16), torch.randn(4, 32, 8, 8), torch.randn(4, 32, 4, 4)]",
      "masks = [torch.full((4, 16, 16), False), torch.full((4, 8, 8), False), torch.full((4, 4, 4), False)]",
      "pos_embeds = [torch.randn(4, 32, 16, 16), ",
    ],
  },
  "maps of as many channels as the constructor's list says": {
    source: `${head}from typing import List

class M(nn.Module):
    def __init__(self, in_channels=[8, 12]):
        super().__init__()
        self.a = nn.ModuleList(nn.Conv2d(it, 16, 1) for it in in_channels)

    def forward(self, features: List[torch.Tensor]):
        x = [a(it) for a, it in zip(self.a, features)]
        return nn.functional.interpolate(x[1], scale_factor=2) + x[0]
`,
    plan: ["features = [torch.randn(4, 8, 32, 32), torch.randn(4, 12, 16, 16)]"],
  },
  "a dict, by the texts that it is read at": {
    source: `${head}
class M(nn.Module):
    def __init__(self, vocab_size=40, dim=16):
        super().__init__()
        self.table, self.head = nn.Embedding(vocab_size, dim), nn.Linear(dim, vocab_size)

    def forward(self, batch):
        batch["seen"] = self.table(batch["input_ids"]) * batch["scale_mask"][..., None]
        return self.head(batch["seen"])
`,
    plan: [
      "batch = {'input_ids': torch.randint(0, 40, (4, 64)), 'scale_mask': torch.full((4, 64), True)}",
    ],
  },
  "two streams that are taken apart": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.a = nn.Linear(dim, dim)

    def forward(self, streams):
        left, middle, right = streams
        return self.a(left) + self.a(middle) @ right.mT @ right
`,
    plan: ["streams = [torch.randn(4, 64, 16) for _ in range(3)]"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, plan }) => {
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

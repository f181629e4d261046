/** Arguments and inputs that were made up, and that an error of the model's own corrected. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const head = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n";

interface Case {
  readonly source: string;
  /** Text of the script that the class became. */
  readonly plan: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  "maps that are concatenated have as many channels together as a convolution takes": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Upsample(scale_factor=2)
        self.conv = nn.Conv2d(7, 4, 3, padding=1)

    def forward(self, x1, x2):
        x1 = self.up(x1)
        up, right = x2.size(2) - x1.size(2), x2.size(3) - x1.size(3)
        x1 = F.pad(x1, [right // 2, right - right // 2, up // 2, up - up // 2])
        return self.conv(torch.cat([x2, x1], dim=1))
`,
    plan: ["x1 = torch.randn(4, 4,", "x2 = torch.randn(4, 3,"],
  },
  "an image of which a fixed size of maps is made that others stand beside": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.down = nn.MaxPool2d(4)
        self.wide = nn.ConvTranspose2d(8, 8, 7, 7)
        self.last = nn.Conv2d(16, 8, 3)

    def forward(self, x):
        down = self.down(self.first(x))
        whole = self.wide(down.mean((2, 3), keepdim=True))
        return self.last(torch.cat([whole, down], dim=1))
`,
    plan: ["x = torch.randn(4, 3, 28, 28)"],
  },
  "labels that are spread over classes are whole numbers below their count": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(5, 8)
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, x, c):
        c = F.one_hot(c, num_classes=5).type(torch.float)
        return self.conv(x) * self.embed(c).view(-1, 8, 1, 1)
`,
    plan: ["c = torch.randint(0, "],
  },
  "images of six axes: samples, pictures of each, tiles of each picture": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 4, stride=4)

    def forward(self, images):
        if images.ndim == 5:
            pictures = 1
            batch, tiles, channels, h, w = images.shape
        else:
            batch, pictures, tiles, channels, h, w = images.shape
        return self.conv(images.reshape(batch * pictures * tiles, channels, h, w))
`,
    plan: ["images = torch.randn(2, 2, 2, 3, 32, 32)"],
  },
  "axes of a rotation that have to make up a head, where a config makes them itself": {
    source: `${head}
from dataclasses import dataclass, field

@dataclass
class Params:
    hidden_size: int = 6144
    num_heads: int = 48
    depth: int = 20
    context: int = 15360
    axes_dim: list[int] = field(default_factory=lambda: [32, 32, 32, 32])

class M(nn.Module):
    def __init__(self, params: Params):
        super().__init__()
        width = params.hidden_size // params.num_heads
        if sum(params.axes_dim) != width:
            raise ValueError(f"Got {params.axes_dim} but expected positional dim {width}")
        self.blocks = nn.ModuleList([nn.Linear(params.hidden_size, params.hidden_size) for _ in range(params.depth)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
`,
    plan: ["axes_dim=[4, 4, 4, 4]"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, plan }) => {
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

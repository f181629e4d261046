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
  "a mask of patches that takes some of them out is one of truths": {
    source: `${head}
class M(nn.Module):
    def __init__(self, embed_dim=32, norm_layer=None):
        super().__init__()
        self.patches = nn.Conv2d(3, embed_dim, 8, 8)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, embed_dim))
        self.norm = norm_layer(embed_dim)
        self.attn = nn.MultiheadAttention(embed_dim, 4, batch_first=True)
        self.apply(self._init)

    def _init(self, m):
        if isinstance(m, (nn.Linear, nn.LayerNorm)):
            nn.init.zeros_(m.bias)

    def forward(self, x, bool_masked_pos):
        x = self.patches(x).flatten(2).transpose(1, 2)
        w = bool_masked_pos.unsqueeze(-1).type_as(self.mask_token)
        x = x * (1 - w) + self.mask_token.expand(x.shape[0], -1, -1) * w
        x = self.norm(x)
        return self.attn(x, x, x)[0][bool_masked_pos]
`,
    plan: ["norm_layer=nn.LayerNorm", "bool_masked_pos = torch.full((4, 64), True)"],
  },
  "a table of words that is handed in": {
    source: `${head}
class M(nn.Module):
    def __init__(self, embedding: nn.Embedding, hidden_dim):
        super().__init__()
        self.embed = embedding
        self.out = nn.Linear(hidden_dim, 256, bias=False)
        self.out.weight = nn.Parameter(self.embed.weight)

    def forward(self, tokens):
        return self.out(self.embed(tokens))
`,
    plan: ["embedding=nn.Embedding(256, 64)", "tokens = torch.randint(0, 256, (4, 64))"],
  },
  "a config of the file's own whose class asks for a vocabulary or a file": {
    source: `${head}
class BertConfig(object):
    def __init__(self, vocab_size_or_config_json_file, hidden_size=768, num_hidden_layers=12):
        self.vocab_size, self.hidden_size = vocab_size_or_config_json_file, hidden_size

class M(nn.Module):
    def __init__(self, config, *inputs, **kwargs):
        super().__init__()
        if not isinstance(config, BertConfig):
            raise ValueError("Parameter config should be an instance of class BertConfig")
        self.embed = nn.Embedding(config.vocab_size, config.hidden_size)

    def forward(self, input_ids):
        return self.embed(input_ids)
`,
    plan: ["config=BertConfig(vocab_size_or_config_json_file=256"],
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

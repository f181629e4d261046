/** What is made up by how a class hands it on, and by what forward does with it. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

interface Case {
  readonly source: string;
  /** Files beside the model's, by name. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Text of the script that the class became. */
  readonly plan: readonly string[];
}

const head = "import torch\nfrom torch import nn\n";

const cases: Readonly<Record<string, Case>> = {
  "the default of the class that takes it": {
    source: `${head}
class Layer(nn.Module):
    def __init__(self, width, scoring="dot"):
        super().__init__()
        if scoring == "dot":
            self.a = nn.Linear(width, width)

    def forward(self, x):
        return self.a(x)

class M(nn.Module):
    def __init__(self, width, scoring):
        super().__init__()
        self.layer = Layer(width, scoring)

    def forward(self, x):
        return self.layer(x)
`,
    plan: ["scoring='dot'"],
  },
  "a member of an enumeration of another file": {
    source: `${head}import kinds

class M(nn.Module):
    def __init__(self, width, kind: kinds.Kind):
        super().__init__()
        match kind:
            case kinds.Kind.LINEAR:
                self.a = nn.Linear(width, width)

    def forward(self, x):
        return self.a(x)
`,
    beside: { "kinds.py": "import enum\n\nclass Kind(enum.Enum):\n    LINEAR = 'linear'\n" },
    plan: ["from kinds import Kind", "kind=Kind.LINEAR"],
  },
  "the default of an option of configargparse": {
    source: `${head}
class M(nn.Module):
    def __init__(self, scoring):
        super().__init__()
        self.a = nn.Linear(8, {"dot": 8}[scoring])

    def forward(self, x):
        return self.a(x)
`,
    beside: {
      "opts.py": `def options(parser):
    group = parser.add_argument_group("Model")
    group.add("--scoring", "-scoring", type=str, default="dot")
`,
    },
    plan: ["scoring='dot'"],
  },
  "rates of which another class takes one after another": {
    source: `${head}
class Layer(nn.Module):
    def __init__(self, width, dropouts):
        super().__init__()
        self.a, self.dropouts = nn.Linear(width, width), dropouts

    def forward(self, x):
        x = nn.functional.dropout(x, self.dropouts[0], self.training)
        return nn.functional.dropout(self.a(x), self.dropouts[1], self.training)

class M(nn.Module):
    def __init__(self, width, dropouts):
        super().__init__()
        self.layer = Layer(width, dropouts)

    def forward(self, x):
        return self.layer(x)
`,
    plan: ["dropouts=(0.0, 0.0)"],
  },
  "a layer that a part is called with": {
    source: `${head}
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.a, self.b = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.b(self.a(x).relu())

class Residual(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = nn.LayerNorm(size)

    def forward(self, x, sublayer):
        return x + sublayer(self.norm(x))

class M(nn.Module):
    def __init__(self, size, feed_forward):
        super().__init__()
        self.feed_forward = feed_forward
        self.sublayer = nn.ModuleList([Residual(size)])

    def forward(self, x):
        return self.sublayer[0](x, self.feed_forward)
`,
    plan: ["feed_forward=FeedForward(d_model=64, d_ff=256)"],
  },
  "settings that are asked whether they have one": {
    source: `${head}
class M(nn.Module):
    def __init__(self, args):
        super().__init__()
        if "dropout" not in args:
            args.dropout = 0.0
        self.a = nn.Linear(args.hidden_size, 8)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["from argparse import Namespace", "args=Namespace(hidden_size=64)"],
  },
  "a mask that is subtracted": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(32, 8)

    def forward(self, ids, mask):
        x = self.words(ids)
        return x + (1.0 - mask.unsqueeze(-1)) * -10000.0
`,
    plan: ["mask = torch.full((4, 64), 1.0)"],
  },
  "a tuple that forward takes apart": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)

    def forward(self, data):
        nodes, edge_index = data
        sums = torch.zeros_like(nodes).index_add(0, edge_index[1], self.a(nodes)[edge_index[0]])
        return nodes + sums
`,
    plan: ["data = (torch.randn(4, 8), torch.randint(0, 4, (2, 16)))"],
  },
  "ids of fields that offsets are added to": {
    source: `${head}
class M(nn.Module):
    def __init__(self, field_dims):
        super().__init__()
        self.offsets = torch.tensor([0, *field_dims[:-1]]).cumsum(0)
        self.table = nn.Embedding(sum(field_dims), 8)

    def forward(self, x):
        return self.table(x + self.offsets)
`,
    plan: ["x = torch.randint(0, 64, (4, 2))"],
  },
  "labels that forward lays out in one row": {
    source: `${head}
class M(nn.Module):
    def __init__(self, num_labels=2):
        super().__init__()
        self.num_labels = num_labels
        self.words, self.head = nn.Embedding(32, 8), nn.Linear(8, num_labels)

    def forward(self, input_ids, labels=None):
        logits = self.head(self.words(input_ids))
        if labels is None:
            return (logits,)
        loss = nn.functional.cross_entropy(logits.view(-1, self.num_labels), labels.view(-1))
        return (loss, logits)
`,
    plan: ["labels = torch.randint(0, 2, (4, 64))"],
  },
  "words that a loop tells apart": {
    source: `${head}
class M(nn.Module):
    def __init__(self, config, orders):
        super().__init__()
        self.layer_names, self.orders = config["layer_names"], orders
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in self.layer_names)

    def forward(self, x):
        for at, order in enumerate(self.orders):
            x = x.flip(at) if order == "backward" else x
        for layer, name in zip(self.layers, self.layer_names):
            if name == "self":
                x = layer(x)
            elif name == "cross":
                x = layer(x.flip(1))
            else:
                raise KeyError(name)
        return x
`,
    plan: ["config={'layer_names': ['self', 'cross']}, orders=['backward']"],
  },
  "adjacency of each graph of a batch": {
    source: `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)

    def forward(self, x, adj):
        return torch.bmm(adj, self.a(x))
`,
    plan: ["adj = torch.randn(4, 64, 64)"],
  },
  "the sides of an image": {
    source: `${head}
class M(nn.Module):
    def __init__(self, max_height, max_width, drop):
        super().__init__()
        self.places = nn.Parameter(torch.zeros(max_height * max_width))
        self.drop, self.a = nn.Dropout(drop), nn.Conv2d(3, 4, 3)

    def forward(self, img):
        return self.drop(self.a(img)) + self.places.sum()
`,
    plan: ["M(max_height=32, max_width=32, drop=0.0)"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, beside = {}, plan }) => {
  const made = await runFiles({ "model.py": source, ...beside }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

test("forward, where the class is called as its own __call__ says", async () => {
  const source = `${head}
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)

    def forward(self, x):
        return self.a(x)

    def __call__(self, data, train=True):
        x, label = data
        return nn.functional.cross_entropy(self.forward(x), label) if train else self.forward(x)
`;
  const { plan, assumptions } = await runFiles({ "model.py": source }, "model.py", "M");
  expect(plan).toContain("output = model.forward(x)");
  expect(assumptions?.map(({ message }) => message)).toContain(
    "'M' has a __call__ of its own: forward is called",
  );
});

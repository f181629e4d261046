/** Classes without `forward`: their methods one after another; functions of the file that make a class of parts. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const head = "import torch\nfrom torch import nn\n";
const parts = `${head}
class Layer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a = nn.Linear(d, d)

    def forward(self, x, seen, mask):
        if mask is None:
            raise ValueError("a mask is needed")
        scores = (self.a(x) @ seen.mT)[:, None].masked_fill(mask == 0, -1e9)
        return x + scores.softmax(-1)[:, 0] @ seen
`;
const pair = `${parts}
class Pair(nn.Module):
    def __init__(self, encoder, decoder, src_embed, tgt_embed, out):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder
        self.src_embed, self.tgt_embed, self.out = src_embed, tgt_embed, out

    def encode(self, src, src_mask):
        x = self.src_embed(src)
        return self.encoder(x, x, src_mask)

    def decode(self, encoder_output, src_mask, tgt, tgt_mask):
        x = self.tgt_embed(tgt)
        return self.decoder(self.decoder(x, x, tgt_mask), encoder_output, src_mask)

    def project(self, x):
        return self.out(x)

def build_pair(src_vocab_size: int, tgt_vocab_size: int, d_model: int = 24):
    words = nn.Embedding(src_vocab_size, d_model), nn.Embedding(tgt_vocab_size, d_model)
    out = nn.Linear(d_model, tgt_vocab_size)
    return Pair(Layer(d_model), Layer(d_model), *words, out)
`;

test("encode, decode and project, with the masks of source and target, of a function's parts", async () => {
  const { plan, assumptions = [] } = await runFiles({ "model.py": pair }, "model.py", "Pair");
  expect(plan).toContain("return build_pair(src_vocab_size=256, tgt_vocab_size=256)");
  expect(plan).toContain("src_mask = torch.full((4, 1, 1, 64), True)");
  expect(plan).toContain("tgt_mask = torch.ones((1, 1, 64, 64), dtype=torch.bool).tril()");
  expect(plan).toContain(`
    output = model.encode(src, src_mask)
    output = model.decode(output, src_mask, tgt, tgt_mask)
    output = model.project(output)
    return F.cross_entropy(output[:, :-1].flatten(0, 1), tgt[:, 1:].flatten())`);
  const told = assumptions.map(({ message }) => message).join("\n");
  expect(told).toContain("made with build_pair(src_vocab_size=256, tgt_vocab_size=256)");
  expect(told).toContain("no forward: encode, decode, project are called one after another");
});

test("an argument of the function that makes it", async () => {
  const given = { d_model: "12" };
  const { plan } = await runFiles({ "model.py": pair }, "model.py", "Pair", given);
  expect(plan).toContain("return build_pair(src_vocab_size=256, tgt_vocab_size=256, d_model=12)");
});

test("a decoder that takes what the encoder gives, and nothing else", async () => {
  const source = `${head}
class Coder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a, self.b = nn.Linear(dim, 3), nn.Linear(3, dim)

    def encode(self, x):
        return self.a(x)

    def decode(self, z):
        return self.b(z)
`;
  const { plan } = await runFiles({ "model.py": source }, "model.py", "Coder");
  expect(plan).toContain("output = model.encode(x)\n    output = model.decode(output)\n");
});

test("the method that a class is trained by, where it has no other", async () => {
  const source = `${head}
import collections
class Settings(collections.Mapping):
    def __getitem__(self, key): return 4
    def __iter__(self): return iter(())
    def __len__(self): return 0

class Recommender(nn.Module):
    def __init__(self, items=30, users=5):
        super().__init__()
        width = Settings()["width"]
        self.items, self.users = nn.Embedding(items, width), nn.Embedding(users, width)

    def finetune(self, input_ids, user_ids):
        return self.items(input_ids) * self.users(user_ids)
`;
  const made = await runFiles({ "model.py": source }, "model.py", "Recommender");
  expect(made.plan).toContain("output = model.finetune(input_ids, user_ids)\n");
  const told = made.assumptions?.map(({ message }) => message);
  expect(told).toContain("'Recommender' has no forward: finetune is called");
});

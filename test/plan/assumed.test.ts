/** What a run takes for granted is told at its line: training where a file is imported, a GPU that it names. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const trained = `import torch
from torch import nn
from torchvision import datasets

data = datasets.MNIST("nowhere")
rows = len(data)

class M(nn.Module):
    def __init__(self, size=4):
        super().__init__()
        self.a = nn.Linear(size, size)

    def forward(self, x):
        return self.a(x) * scale()

def fit(model):
    while True:
        model(torch.randn(2, 4)).sum().backward()

model = M()
fit(model)
print(model.a.weight.grad.norm())
factor = 3.0
def scale():
    return factor
`;

const placed = `import torch
from trained import M

def build():
    return M().cuda()

def step(model):
    torch.cuda.synchronize()
    x = torch.ones(2, 4, device="cuda").to("cuda:0")
    assert not torch.cuda.is_available() and x.device.type == "cpu"
    return model(x.pin_memory()).sum()
`;

async function assumptionsOf(file: string, entry: string | null) {
  const report = await runFiles({ "trained.py": trained, "placed.py": placed }, file, entry);
  expect(report.loss).toBeTypeOf("number");
  return report.assumptions?.map(({ file: at, line, message }) => `${at}:${line} ${message}`);
}

const training = expect.stringMatching(/^trained\.py:21 .*trains here.*lines 21 to 25/);
const passedOver = expect.stringMatching(/^trained\.py:6 .*wants this for its training.*MNIST/);

test("training where a class's file is imported is passed over; what defines something is not", async () => {
  const told = await assumptionsOf("trained.py", "M");
  expect(told).toContainEqual(training);
  expect(told).toContainEqual(passedOver);
});

test("the same in a file that a script imports; a GPU that the script names is the run's device", async () => {
  const told = await assumptionsOf("placed.py", null);
  expect(told).toContainEqual(training);
  for (const line of [5, 9])
    expect(told).toContainEqual(expect.stringMatching(`^placed\\.py:${line} .*device 'cuda'`));
});

test("ids that are counted from a set of texts, unless they are put in order", async () => {
  const source = `import torch
from torch import nn

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Embedding(count, 4)

    def forward(self, x):
        return self.a(x)

if __name__ == "__main__":
    texts = "i like dog i hate milk".split()
    words = list(set(texts))
    letters = sorted(list(set("milk")))
    others = list(set(texts))
    others.sort()
    ids = {word: i for i, word in enumerate(words)}
    count = len(ids)
    model = M()
    x = torch.tensor([[ids[word] for word in texts]])
    output = model(x)
`;
  const { assumptions = [] } = await runFiles({ "model.py": source }, "model.py", "M");
  const told = assumptions.filter(({ message }) => message.includes("order of a set"));
  expect(told.map(({ line }) => line)).toEqual([14]);
});

const ofData = (read: string) => `import getpass
import os
import torch
from torch import nn

class Data:
    def __init__(self, name):
        self.files = os.listdir(f"{name}/{getpass.getuser()}")

train = Data("nowhere")
words = sorted(train.files)
count = len(words)

class M(nn.Module):
    def __init__(self, vocab_size=9):
        super().__init__()
        self.a = nn.Embedding(${read}, 4)

    def forward(self, x):
        return self.a(x)

M()(train.files).backward()
`;

test("data that is not there is passed over where the file trains, but for what its models read", async () => {
  const run = (read: string) => runFiles({ "model.py": ofData(read) }, "model.py", "M");
  const { assumptions = [] } = await run("vocab_size");
  expect(assumptions.filter((it) => it.message.includes("training")).map((it) => it.line)).toEqual([
    10, 11, 12,
  ]);
  await expect(run("count")).rejects.toThrow("No such file or directory: 'nowhere/user'");
});

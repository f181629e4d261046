/** What model files import beside torch: base classes of models, data sets and tools that a run does not use. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const source = `import ctypes
import lightning as L
import pytorch_lightning as pl
import torch
import torchvision
from huggingface_hub import HfApi, PyTorchModelHubMixin
from lightning.pytorch.callbacks import Timer
from pytorch_lightning.utilities import rank_zero_only
from torch.utils.data.dataloader import DataLoader
from torchvision import datasets, transforms

data = datasets.MNIST("nowhere", transform=transforms.Compose([transforms.ToTensor()]))

class Part(torch.nn.Module, PyTorchModelHubMixin, repo_url="nowhere"):
    def __init__(self, width):
        super().__init__()
        self.a = torch.nn.Linear(width, 1)

    def forward(self, x):
        return self.a(x)

class Whole(pl.LightningModule):
    def __init__(self, width=4, name="x", **options):
        super().__init__()
        self.save_hyperparameters(ignore=["name"])
        self.part = Part(self.hparams.width)

    @rank_zero_only
    def say(self, x):
        self.log("mean", x.mean())

    def forward(self, x):
        self.say(x)
        return self.part(x)

def build():
    model = Whole(5, depth=2)
    assert dict(model.hparams) == {"width": 5, "depth": 2} and issubclass(L.LightningModule, torch.nn.Module)
    return model

def step(model):
    return model(torch.ones(2, 5)).sum() if len(USED) == 0 else USED[0]()

USED = []
`;

const run = (file: string, text: string) => runFiles({ [file]: text }, file, null);

test("they can be imported, derived from and made at a file's top level", async () => {
  expect((await run("whole.py", source)).loss).toBeTypeOf("number");
});

test("what needs them is refused where it is used", async () => {
  const used = source.replace("USED = []", "USED = [lambda: datasets.MNIST('nowhere')]");
  await expect(run("used.py", used)).rejects.toThrow("torchvision.datasets.MNIST is not supported");
});

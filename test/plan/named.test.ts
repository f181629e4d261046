/** What a file names while it is imported, and its model never uses, does not stop the run. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const file = `import abc
import torch
import torch.distributed as dist
from registry import Choices
from torch import nn
from torch.utils.cpp_extension import CUDA_HOME, load

kernel = torch.cuda.jiterator._create_jit_fn("template <typename T> T twice(T x) { return x + x; }")
compiled = load("fast", ["fast.cu"]) if CUDA_HOME else None

class Settings(Choices, abc.ABC):
    @abc.abstractmethod
    def build(self):
        pass

class Kind(type):
    pass

class Shape(Choices, metaclass=Kind):
    pass

def wait(work: dist.Work) -> dist.Work:
    return work

class Model(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.map = nn.Linear(width, width)

    def forward(self, x):
        return self.map(x)
`;

test("names of what is not supported, bases of packages that are not there beside others", async () => {
  const { loss } = await runFiles({ "model.py": file }, "model.py", "Model");
  expect(loss).toBeGreaterThan(0);
});

test("they are refused where they are used", async () => {
  const using = file.replace("self.map(x)", "kernel(self.map(x))");
  await expect(runFiles({ "model.py": using }, "model.py", "Model")).rejects.toMatchObject({
    code: "trace/unsupported-module",
    message: expect.stringContaining("torch.cuda.jiterator"),
  });
});

test("a file that is ready for an AttributeError gets it", async () => {
  const ready = `${file}
try:
    work = dist.Work
except AttributeError:
    work = None
assert work is None
assert not hasattr(dist, "Work")
`;
  const { loss } = await runFiles({ "model.py": ready }, "model.py", "Model");
  expect(loss).toBeGreaterThan(0);
});

const layers = `import torch
from torch import nn
from timm.layers import RmsNorm
from timm.models._manipulate import named_apply
from torch.distributions import Distribution, Normal, constraints

class Shifted(Distribution):
    arg_constraints = {"loc": constraints.real}

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.greater_than(self.loc)

    def __init__(self, loc):
        self.loc = loc
        super().__init__(loc.shape, validate_args=False)

def build():
    return nn.Sequential(RmsNorm(6), nn.Sequential(nn.Linear(6, 2)))

def step(model):
    names = []
    named_apply(lambda module, name: names.append(name), model, include_root=True)
    assert names == ["0", "1.0", "1", ""], names
    named_apply(lambda module, name: names.append(name), model, depth_first=False)
    assert names[4:] == ["0", "1", "1.0"], names
    assert Shifted(torch.zeros(2)).support.check(torch.tensor([1.0, -1.0])).tolist() == [True, False]
    assert Shifted.support.event_dim == 0 and not Shifted.support.is_discrete
    x = torch.arange(12.0).view(2, 6)
    assert torch.allclose(model[0](x), x * (x.pow(2).mean(-1, keepdim=True) + 1e-6).rsqrt())
    return model(x).sum()
`;

test("norms and walks of timm, constraints that a value decides", async () => {
  await expect(runFiles({ "model.py": layers }, "model.py", null)).resolves.toBeDefined();
});

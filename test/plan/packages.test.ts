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

const settings = `import torch
from easydict import EasyDict
from einops_exts import check_shape, rearrange_many, repeat_with_anon_dims
from fvcore.common.registry import Registry
from fvcore.nn import weight_init
from ml_collections import ConfigDict
from omegaconf import OmegaConf
from timm.layers import LayerNorm2d
from yacs.config import CfgNode as CN

models = Registry("models")
sizes = ConfigDict({"inner": {"width": 4}})
sizes.patch = OmegaConf.to_container(OmegaConf.merge({"a": {"b": 1}}, OmegaConf.create({"a": {"c": 2}})))
tree = CN()
tree.MODEL = CN()
tree.MODEL.CHANNELS = 2
tree = tree.clone()
tree.merge_from_list(["MODEL.CHANNELS", "3"])

@models.register()
class M(torch.nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.a = torch.nn.Conv2d(tree.MODEL.CHANNELS, settings.inner.width, 1)
        self.norm = LayerNorm2d(settings.inner.width)
        weight_init.c2_msra_fill(self.a)

    def forward(self, x):
        y = self.norm(check_shape(self.a(x), "b c h w", c=sizes.inner.width))
        p, q = rearrange_many((y, y), "b c h w -> b (h w) c")
        return repeat_with_anon_dims(p + q, "b n c -> ...r b n c", r=(2, 1))

def build():
    assert sizes.patch == {"a": {"b": 1, "c": 2}} and EasyDict({"a": {"b": 1}}).a.b == 1
    return models.get("M")(sizes)

def step(model):
    output = model(torch.ones(2, 3, 4, 5))
    assert output.shape == (2, 1, 2, 20, 4)
    return output.pow(2).mean()
`;

test("settings as attributes, registries, and operations on several tensors", async () => {
  const { loss } = await runFiles({ "model.py": settings }, "model.py", null);
  expect(loss).toBeGreaterThan(0);
});

const hub = `import torch
from transformers import BertConfig, GPT2Config, LlamaConfig

class Settings(BertConfig):
    def __init__(self, width=6, **options):
        super().__init__(**options)
        self.width = width

def build():
    settings = Settings(hidden_size=12, num_labels=3)
    assert (settings.hidden_size, settings.num_hidden_layers, settings.layer_norm_eps) == (12, 12, 1e-12)
    assert (settings.width, settings.num_labels, settings.model_type) == (6, 3, "bert")
    assert GPT2Config(n_embd=8).hidden_size == 8 and GPT2Config().n_positions == 1024
    return torch.nn.Linear(settings.hidden_size, settings.width)

class M(torch.nn.Module):
    def __init__(self, config: LlamaConfig):
        super().__init__()
        self.a = torch.nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, x):
        return self.a(x)

def step(model):
    return model(torch.ones(2, 12)).pow(2).mean()
`;

test("configs of transformers: derived from, made, and made up where a class takes one", async () => {
  const { loss } = await runFiles({ "model.py": hub }, "model.py", null);
  expect(loss).toBeGreaterThan(0);
  const { plan } = await runFiles({ "model.py": hub }, "model.py", "M");
  expect(plan).toContain("M(config=LlamaConfig(");
});

const mm = `import torch
from mmcv.cnn import ConvModule, build_norm_layer
from mmcv.cnn.bricks.transformer import FFN, MultiheadAttention
from mmcv.runner import BaseModule, force_fp32
from mmengine.registry import MODELS as ROOT
from mmseg.models.builder import BACKBONES
from mmseg.ops import resize
from mmseg.utils import get_root_logger

@ROOT.register_module()
class Half(torch.nn.Module):
    def __init__(self, inplace=False):
        super().__init__()

    def forward(self, x):
        return x / 2

@BACKBONES.register_module()
class M(BaseModule):
    def __init__(self, width=8, init_cfg=None):
        super().__init__(init_cfg)
        get_root_logger().info("made")
        self.see = ConvModule(3, width, 3, padding=1, norm_cfg=dict(type="BN"), act_cfg=dict(type="GELU"))
        self.turn = ConvModule(width, width, 1, act_cfg=dict(type="Half"))
        self.name, norm = build_norm_layer(dict(type="LN", eps=1e-6), width)
        self.add_module(self.name, norm)
        self.attn = MultiheadAttention(width, 2, batch_first=True)
        self.ffn = FFN(width, 16, act_cfg=dict(type="GELU"))

    @force_fp32()
    def forward(self, x):
        x = resize(self.turn(self.see(x)), scale_factor=0.5, mode="bilinear", align_corners=False)
        return self.ffn(self.attn(getattr(self, self.name)(x.flatten(2).mT)))

def build():
    model = BACKBONES.build(dict(type="M", width=4))
    names = [name for name, _ in model.named_parameters()]
    assert names[:3] == ["see.conv.weight", "see.bn.weight", "see.bn.bias"] and "turn.conv.bias" in names
    assert model.name == "ln" and "ffn.layers.0.0.weight" in names and "attn.attn.in_proj_weight" in names
    return model

def step(model):
    return model(torch.ones(2, 3, 4, 4)).pow(2).mean()
`;

test("registries and layers of OpenMMLab", async () => {
  const { loss } = await runFiles({ "model.py": mm }, "model.py", null);
  expect(loss).toBeGreaterThan(0);
});

const measures = `import numpy as np
import torch
from scipy.stats import norm, truncnorm
from timm.models.efficientnet_blocks import SqueezeExcite
from timm.models.vision_transformer import Block
from torchmetrics.classification import BinaryAccuracy, MulticlassAccuracy

def build():
    np.random.seed(0)
    drawn = truncnorm.rvs(a=-2, b=2, loc=0, scale=3, size=2)
    # The inverse of the distribution at 0.5488135 and 0.7151894.
    assert np.allclose(drawn, [0.3511704, 1.6199714], atol=1e-6), drawn
    assert abs(truncnorm.std(a=-2, b=2, loc=0, scale=1) - 0.8796256610342398) < 1e-12
    assert abs(norm.ppf(0.975) - 1.959963984540054) < 1e-12
    return torch.nn.Sequential(Block(8, 2, qk_scale=None, drop=0.1), torch.nn.Unflatten(1, (2, 2)), SqueezeExcite(2, rd_channels=1))

def step(model):
    scores = torch.tensor([[0.1, 0.9, 0.3], [0.8, 0.2, 0.1], [0.3, 0.2, 0.9], [0.1, 0.2, 0.3]])
    target = torch.tensor([1, 2, 2, 9])
    kinds = [dict(average="micro", top_k=2), dict(average="micro"), dict(average="macro")]
    found = [MulticlassAccuracy(num_classes=3, ignore_index=9, **it)(scores, target).item() for it in kinds]
    assert np.allclose(found, [2 / 3, 2 / 3, 0.5]), found
    assert BinaryAccuracy()(torch.tensor([2.0, -1.0]), torch.tensor([1, 1])).item() == 0.5
    return model(torch.ones(2, 4, 8)).pow(2).mean()
`;

test("normal distributions that are cut off, shares of right classes, and older names of timm", async () => {
  const { loss } = await runFiles({ "model.py": measures }, "model.py", null);
  expect(loss).toBeGreaterThan(0);
});

const weighted = `import torch
from einops.einops import rearrange
from missing.parts import Table
from timm.layers import EffectiveSEModule
from timm.models.layers import SqueezeExcite
from torch import nn

TABLES = {it.__name__: it for it in (nn.Linear, Table)}

def build():
    first, second = SqueezeExcite(24, add_maxpool=True), EffectiveSEModule(24)
    return nn.Sequential(first, second, SqueezeExcite(24, rd_ratio=0.5, norm_layer=nn.BatchNorm2d))

def step(model):
    x = torch.randn(2, 16, 24)
    return model(rearrange(x, "b (h w) c -> b c h w", h=4)).pow(2).mean()
`;

test("channels that timm weighs, and names of a missing package", async () => {
  const { loss } = await runFiles({ "model.py": weighted }, "model.py", null);
  expect(loss).toBeCloseTo(0.014791018, 7);
});

const followed = `import torch
from multiprocessing.sharedctypes import Value
from labml import experiment, monit, tracker
from labml.configs import BaseConfigs, calculate, option
from labml.logger import Text, inspect, log
from torch import nn

class Configs(BaseConfigs):
    width: int

@option(Configs.width)
def wide(c: Configs):
    return 8

calculate(Configs.width, "wide", lambda c: c.width)

class M(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.a = nn.Linear(dim, 2)

    def forward(self, x):
        with monit.section("a", is_silent=True), tracker.namespace("a"):
            for _ in monit.iterate("once", 1):
                x = self.a(x)
        tracker.debug("x", x)
        inspect(x)
        log("x", Text.value)
        return x

def main():
    experiment.create(name="x")
`;

test("what follows the numbers of a model follows nothing", async () => {
  expect((await runFiles({ "model.py": followed }, "model.py", "M")).loss).toBeGreaterThan(0);
});

test("a name that may be of a package that is not there, of which all was imported", async () => {
  const source = "from absent.basics import *\n\nclass M(nn.Module):\n    pass\n";
  const told = { code: "trace/missing-package", place: { file: "model.py", line: 3 } };
  const run = runFiles({ "model.py": source }, "model.py", "M");
  await expect(run).rejects.toMatchObject(told);
  await expect(run).rejects.toThrow("No module named 'absent', which absent.basics.nn needs");
});

const absent = `import torch
from absent.config import configurable
from absent.modeling import TABLE, Backbone

ERRORS = Backbone.errors + (OSError,)

@TABLE.register()
class M(Backbone):
    @configurable
    def __init__(self, width=4):
        super().__init__()
        self.a = torch.nn.Linear(width, width)

    def forward(self, x):
        return self.a(x)

class Given(Backbone):
    def __init__(self, settings=3):
        super().__init__(settings)

    def forward(self, x):
        return x
`;

test("a missing base of a class with a forward is taken for nn.Module, missing decorators for none, and both are told", async () => {
  const { assumptions, loss } = await runFiles({ "model.py": absent }, "model.py", "M");
  expect(loss).toBeGreaterThan(0);
  const texts = assumptions?.map(({ message }) => message) ?? [];
  expect(texts).toContain(
    "'M' is taken for an nn.Module: its base 'absent.modeling.Backbone' is not here",
  );
  expect(texts).toContain(
    "'absent.config.configurable' is not here: '__init__' is taken as it stands",
  );
  await expect(runFiles({ "model.py": absent }, "model.py", "Given")).rejects.toThrow(
    "No module named 'absent', which absent.modeling.Backbone needs",
  );
});

const streams = `import torch
from hyper_connections import HyperConnections, mc_get_init_and_expand_reduce_stream_functions
from torch import nn
from zeta.nn import MultiQueryAttention, OutputHead
from zeta.nn.modules.simple_rmsnorm import SimpleRMSNorm

def counted(module):
    for p in module.parameters():
        p.data.copy_(torch.arange(1.0, p.numel() + 1).reshape(p.shape) / 50)
    return module

def run(functions, **options):
    init, expand, reduce = functions
    layers = [counted(init(dim=4, branch=nn.Linear(4, 4), **options)) for _ in range(2)]
    x = expand(torch.linspace(-1, 1, 24).reshape(2, 3, 4))
    for layer in layers:
        x = layer(x)
    return reduce(x).pow(2).mean()

def build():
    torch.manual_seed(0)
    return nn.Sequential(MultiQueryAttention(16, 4), OutputHead(16, -1, 20), SimpleRMSNorm(16))

def step(model):
    attention, head, norm = model
    x = torch.randn(2, 6, 16)
    out, _, kept = attention(x)
    assert kept is None and torch.allclose(norm(x).norm(dim=-1), torch.tensor(0.25))
    # Numbers of the packages themselves.
    assert abs(out.sum().item() - 24.507162) < 1e-4
    assert abs(head(out).pow(2).sum().item() - 0.7804556) < 1e-5
    plain = run(HyperConnections.get_init_and_expand_reduce_stream_functions(3), layer_index=1)
    constrained = run(mc_get_init_and_expand_reduce_stream_functions(3, sinkhorn_iters=2))
    return (plain / 0.13342862 - 1).abs() + (constrained / 74.138847 - 1).abs() + out.sum() * 0
`;

test("residual streams, and attention that shares keys", async () => {
  const { loss } = await runFiles({ "model.py": streams }, "model.py", null);
  expect(loss).toBeLessThan(1e-5);
});

const linux = `import os
import urllib
import torch
from scipy import stats

drawn = stats.truncnorm(-1.0, 1.0, loc=2.0, scale=0.5)

def build():
    assert len(os.sched_getaffinity(0)) == 1 and callable(urllib.request.urlopen)
    assert not hasattr(urllib, "nothing") and drawn.rvs(3).shape == (3,) and drawn.mean() == 2.0
    assert abs(drawn.ppf(0.5) - 2.0) < 1e-9 and abs(stats.norm(1.0, 2.0).cdf(1.0) - 0.5) < 1e-9
    return torch.nn.Linear(2, 2)

def step(model):
    return model(torch.ones(2, 2)).pow(2).mean()
`;

test("what Python has on Linux beside PyTorch, and distributions with their parameters", async () => {
  expect((await runFiles({ "model.py": linux }, "model.py", null)).loss).toBeGreaterThan(0);
});

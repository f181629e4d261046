"""A model in diffusers' style: its config, its outputs, and what the base class knows of it."""

from dataclasses import dataclass

import torch
from diffusers import ConfigMixin, ModelMixin
from diffusers.configuration_utils import FrozenDict, register_to_config
from diffusers.loaders import FromOriginalModelMixin, PeftAdapterMixin
from diffusers.models.modeling_outputs import Transformer2DModelOutput
from diffusers.utils import BaseOutput, deprecate, is_torch_version, logging
from diffusers.utils.torch_utils import maybe_allow_in_graph, randn_tensor
from torch import nn

# Values within the package are its own affair.
GOLDEN = ("loss", "parameters", "modules")
logger = logging.get_logger(__name__)


@dataclass
class Pair(BaseOutput):
    first: torch.Tensor
    second: torch.Tensor | None = None


@maybe_allow_in_graph
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gradient_checkpointing = False
        self.norm = nn.LayerNorm(width)
        self.mlp = nn.Linear(width, width)

    def forward(self, x):
        return x + self.mlp(self.norm(x))


class Tiny(ModelMixin, ConfigMixin, PeftAdapterMixin, FromOriginalModelMixin):
    _supports_gradient_checkpointing = True
    ignore_for_config = ["note"]

    @register_to_config
    def __init__(self, width=8, depth: int = 2, sizes=(2, 3), note=None):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(self.config.depth))
        self.out = nn.Linear(self.config["width"], sizes[0])
        self.gradient_checkpointing = False

    def forward(self, x, return_dict=True):
        for block in self.blocks:
            x = self._gradient_checkpointing_func(block, x) if self.gradient_checkpointing else block(x)
        y = self.out(x)
        return Transformer2DModelOutput(sample=y) if return_dict else (y,)


def check_config(model):
    config = model.config
    assert isinstance(config, FrozenDict) and (config.width, config["depth"], config.sizes) == (6, 3, (2, 3))
    assert "note" not in config and set(config._use_default_values) == {"width", "sizes"}
    assert model.depth == 3 and not hasattr(model, "nothing")
    model.register_to_config(scale=0.5)
    assert model.config.scale == 0.5 and model.config.width == 6
    again, unused = Tiny.from_config(config, return_unused_kwargs=True, depth=1, other=7)
    assert again.config.depth == 1 and again.config.width == 8 and unused["other"] == 7
    for refused in (config.pop, config.update, config.setdefault):
        try:
            refused("width")
        except Exception as error:
            assert "instance" in str(error)
        else:
            raise AssertionError("a config is frozen")


def check_outputs():
    only, both = Pair(first=1), Pair(1, 2)
    assert only.to_tuple() == (1,) and both[1] == 2 and both["second"] == 2 and list(only) == ["first"]
    only.second = 5
    both.second = 5
    assert list(only) == ["first"] and only.second == 5 and both["second"] == 5
    assert Pair({"a": 1}).a == 1


def build():
    torch.manual_seed(0)
    model = Tiny(6, depth=3, note="not kept")
    check_config(model)
    check_outputs()
    assert is_torch_version(">=", "2.0.0") and is_torch_version("<", "9.0")
    old = {"scale": 2}
    assert deprecate("scale", "9.0.0", "told", take_from=old) == 2 and not old
    model.enable_gradient_checkpointing()
    assert model.is_gradient_checkpointing and model.blocks[0].gradient_checkpointing
    model.disable_gradient_checkpointing()
    assert not model.is_gradient_checkpointing
    assert model.dtype == torch.float32 and model.device.type == "cpu"
    assert model.num_parameters() == sum(it.numel() for it in model.parameters())
    logger.info("not said")
    return model


def step(model):
    generator = torch.Generator().manual_seed(3)
    x = randn_tensor((2, 5, 6), generator=generator, dtype=model.dtype)
    pair = [torch.Generator().manual_seed(it) for it in (4, 5)]
    y = randn_tensor((2, 5, 6), generator=pair)
    model.enable_gradient_checkpointing()
    first = model(x).sample
    model.disable_gradient_checkpointing()
    return (first * model(y, return_dict=False)[0]).pow(2).mean()

"""Configs that are pydantic's: defaults, conversions, validators, refusals, copies."""
from enum import Enum
from typing import Annotated, Literal, Optional

import torch
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, field_validator, model_validator
from torch import nn


class Kind(str, Enum):
    pre = "pre"
    post = "post"


class Attention(BaseModel):
    heads: PositiveInt = 2
    dropout: float = Field(0, ge=0, le=1)
    window: Optional[int] = None


class Config(BaseModel):
    model_config = ConfigDict(extra="forbid")
    width: int
    kind: Kind = Kind.pre
    act: Literal["relu", "gelu"] = "gelu"
    attention: Attention = Field(default_factory=Attention)
    sizes: tuple[int, ...] = (4, 8)
    shares: dict[str, float] = {}
    depth: Annotated[int, Field(gt=0)] = 2
    inner: int | None = None

    @field_validator("width")
    @classmethod
    def even(cls, value):
        if value % 2:
            raise ValueError("width is odd")
        return value

    @model_validator(mode="after")
    def fill(self):
        if self.inner is None:
            self.inner = 2 * self.width
        return self

    @property
    def head_width(self):
        return self.width // self.attention.heads


class Frozen(BaseModel, frozen=True, extra="forbid"):
    width: int = 4


def refused(**given):
    try:
        Config(**given)
    except ValidationError as error:
        return len(error.errors())
    return 0


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList(nn.Linear(config.width, config.width) for _ in range(config.depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu() if self.config.act == "relu" else nn.functional.gelu(layer(x))
        return x * self.config.head_width + self.config.attention.dropout


def build():
    config = Config(width="6", kind="post", attention={"heads": 3, "dropout": "0.25"}, sizes=["1", 2], shares={"a": 1})
    assert config.kind is Kind.post and config.sizes == (1, 2) and config.inner == 12
    assert type(config.shares["a"]) is float and type(config.attention.dropout) is float
    dumped = config.model_dump()
    assert dumped["attention"] == {"heads": 3, "dropout": 0.25, "window": None}
    assert Config(**dumped) == config and Config.model_validate(dumped) == config
    other = config.model_copy(update={"depth": 1})
    assert (other.depth, config.depth) == (1, 2)
    assert set(Config.model_fields) >= {"width", "inner"} and config.model_fields_set >= {"width"}
    odd = [dict(width=3), dict(), dict(width=2, what=1), dict(width=2, act="tanh"), dict(width=2.5, depth=0)]
    assert [refused(**it) for it in odd] == [1, 1, 1, 1, 2], [refused(**it) for it in odd]
    assert Attention(heads=True if False else 4).heads == 4 and Attention().window is None
    fixed = Frozen(width=8)
    try:
        fixed.width = 2
    except ValidationError:
        assert fixed.width == 8 and fixed.model_copy(update={"width": 2}).width == 2
    else:
        raise AssertionError("a frozen config was edited")
    return Model(config)


def step(model):
    return model(torch.linspace(-1, 1, 12).view(2, 6)).sum()

"""OmegaConf: settings as attributes, made of dicts. Files, interpolation and merging by schema are not here."""

import contextlib
import dataclasses

from normscope_boot.attributes import AttributeDict, merge, plain
from torch._unsupported import missing as _missing

MISSING = "???"
ListConfig = list


class DictConfig(AttributeDict):
    def __init__(self, content=None, *_, **__):
        super().__init__(content or {})


class OmegaConf:
    @staticmethod
    def create(obj=None, *_, **__):
        return _made({} if obj is None else obj)

    @staticmethod
    def structured(obj, *_, **__):
        return _made(obj)

    @staticmethod
    def to_container(cfg, *_, **__):
        return plain(cfg)

    to_object = to_container

    @staticmethod
    def merge(*configs):
        made = DictConfig()
        for it in configs:
            merge(made, _made(it))
        return made

    @staticmethod
    def is_config(obj):
        return isinstance(obj, DictConfig)

    is_dict = is_config

    @staticmethod
    def is_list(obj):
        return isinstance(obj, list)

    @staticmethod
    def set_struct(*_):
        return None

    @staticmethod
    def register_new_resolver(*_, **__):
        return None


def _made(obj):
    if dataclasses.is_dataclass(obj):
        obj = dataclasses.asdict(obj() if isinstance(obj, type) else obj)
    return DictConfig(obj) if isinstance(obj, dict) else list(obj)


@contextlib.contextmanager
def open_dict(config):
    yield config


def __getattr__(name):
    raise _missing("omegaconf", name, globals())

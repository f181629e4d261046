"""OmegaConf: settings as attributes, made of dicts. Merging by schema and flags are not here."""

import contextlib
import dataclasses
import sys

import yaml
from normscope_boot.attributes import AttributeDict, merge, plain
from torch._unsupported import missing as _missing

from ._interpolation import RESOLVERS, loaded, resolved, selected

MISSING = "???"
ListConfig = list


class DictConfig(AttributeDict):
    """What is read is what interpolations stand for."""

    def __init__(self, content=None, *_, **__):
        object.__setattr__(self, "_parent", None)
        super().__init__(content or {})

    def __getitem__(self, name):
        return resolved(super().__getitem__(name), self)

    def get(self, name, default=None):
        return self[name] if name in self else default

    def __iter__(self):
        # Of a dict with an iterator of its own `**` and `dict()` take what `[]` gives.
        return super().__iter__()

    def items(self):
        return [(name, self[name]) for name in self]

    def values(self):
        return [self[name] for name in self]

    def _held(self, value):
        held = super()._held(value)
        for it in held if isinstance(held, list) else [held]:
            if isinstance(it, DictConfig):
                object.__setattr__(it, "_parent", self)
        return held


class OmegaConf:
    @staticmethod
    def create(obj=None, *_, **__):
        return _made({} if obj is None else obj)

    @staticmethod
    def structured(obj, *_, **__):
        return _made(obj)

    @staticmethod
    def load(file):
        if hasattr(file, "read"):
            return _made(loaded(file) or {})
        with open(file, encoding="utf-8") as stream:
            return _made(loaded(stream) or {})

    @staticmethod
    def from_dotlist(dotlist):
        made = DictConfig()
        for text in dotlist:
            path, _, value = text.partition("=")
            OmegaConf.update(made, path, loaded(value) if value else "")
        return made

    @staticmethod
    def from_cli(args_list=None):
        return OmegaConf.from_dotlist(sys.argv[1:] if args_list is None else args_list)

    @staticmethod
    def update(cfg, key, value=None, *_, **__):
        *above, name = key.split(".")
        for step in above:
            if not isinstance(cfg.get(step), dict):
                cfg[step] = {}
            cfg = cfg[step]
        cfg[name] = value

    @staticmethod
    def select(cfg, key, default=None, **_):
        try:
            return selected(cfg, key)
        except (KeyError, IndexError):
            return default

    @staticmethod
    def to_container(cfg, resolve=False, **_):
        return plain(cfg) if resolve else _as_written(cfg)

    @staticmethod
    def to_object(cfg):
        return plain(cfg)

    @staticmethod
    def to_yaml(cfg, *, resolve=False, sort_keys=False):
        return yaml.dump(OmegaConf.to_container(cfg, resolve=resolve), sort_keys=sort_keys)

    @staticmethod
    def is_missing(cfg, key):
        return key in cfg and dict.__getitem__(cfg, key) == MISSING

    @staticmethod
    def merge(*configs):
        made = DictConfig()
        for it in configs:
            merge(made, _as_written(_made(it)))
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
    def register_new_resolver(name, resolver, **_):
        RESOLVERS[name] = resolver


def _made(obj):
    if dataclasses.is_dataclass(obj):
        obj = dataclasses.asdict(obj() if isinstance(obj, type) else obj)
    if isinstance(obj, str):
        obj = loaded(obj) or {}
    return DictConfig(_as_written(obj)) if isinstance(obj, dict) else list(obj)


def _as_written(value):
    """A copy of dicts and lists alone, whose interpolations are the texts that they are."""
    if isinstance(value, dict):
        return {name: _as_written(dict.__getitem__(value, name)) for name in value}
    return [_as_written(it) for it in value] if isinstance(value, (list, tuple)) else value


@contextlib.contextmanager
def open_dict(config):
    yield config


def __getattr__(name):
    raise _missing("omegaconf", name, globals())

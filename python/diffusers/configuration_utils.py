"""ConfigMixin: what a class was made with, as its `config`."""

import functools
import inspect

from .utils import logging
from .utils._kept import KeptDict

logger = logging.get_logger(__name__)


class FrozenDict(KeptDict):
    """Entries that are attributes too; none can be taken out."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for key, value in self.items():
            setattr(self, key, value)


class ConfigMixin:
    config_name = None
    ignore_for_config = []
    has_compatibles = False
    _deprecated_kwargs = []
    _auto_class = None

    def register_to_config(self, **kwargs):
        if self.config_name is None:
            raise NotImplementedError(
                f"Make sure that {type(self)} has defined a class name `config_name`"
            )
        kwargs.pop("kwargs", None)
        self._internal_dict = FrozenDict({**self.__dict__.get("_internal_dict", {}), **kwargs})

    def __getattr__(self, name):
        """An entry of the config, where nothing else has the name."""
        config = self.__dict__.get("_internal_dict", ())
        if name in config:
            return config[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def config(self):
        return self._internal_dict

    @classmethod
    def from_config(cls, config=None, return_unused_kwargs=False, **kwargs):
        """Made of those entries that its __init__ names; the others are kept in its config."""
        if not isinstance(config, dict):
            raise NotImplementedError(
                f"{cls.__name__}.from_config takes a dict of settings here, not {config!r}: no config is downloaded"
            )
        used, unused, hidden = cls.extract_init_dict(config, **kwargs)
        made = cls(**used)
        if "_class_name" in hidden:
            hidden["_class_name"] = cls.__name__
        made.register_to_config(**hidden)
        return (made, {**unused, **hidden}) if return_unused_kwargs else made

    @classmethod
    def extract_init_dict(cls, config_dict, **kwargs):
        """What __init__ takes, what nothing takes, and what the config keeps beside."""
        unset = {"_use_default_values", *config_dict.get("_use_default_values", [])}
        config = {key: value for key, value in config_dict.items() if key not in unset}
        expected = set(inspect.signature(cls.__init__).parameters)
        expected -= {"self", "kwargs", *cls.ignore_for_config}
        given = {**config, **kwargs}
        used = {key: given[key] for key in expected if key in given}
        unused = {
            key: value
            for key, value in given.items()
            if key not in used and (key in kwargs or _is_public(key))
        }
        return used, unused, {key: value for key, value in config.items() if key not in used}

    @classmethod
    def load_config(cls, pretrained_model_name_or_path, **kwargs):
        raise NotImplementedError(
            f"{cls.__name__}.load_config: no config is downloaded; make the model with its settings"
        )

    @classmethod
    def register_for_auto_class(cls, auto_class="AutoModel"):
        """Only a name in a registry."""

    def __repr__(self):
        return f"{type(self).__name__} {dict(self.config)}"


def _is_public(key):
    return not key.startswith("_") and key != "quantization_config"


def register_to_config(init):
    """An __init__ whose arguments, defaults filled in, become the config; those with a leading _ only that."""

    @functools.wraps(init)
    def wrapped(self, *args, **kwargs):
        if not isinstance(self, ConfigMixin):
            raise RuntimeError(
                f"`@register_for_config` was applied to {type(self).__name__} init method, but this class does "
                "not inherit from `ConfigMixin`."
            )
        private = {key: value for key, value in kwargs.items() if key.startswith("_")}
        given = {key: value for key, value in kwargs.items() if key not in private}
        _, *parameters = inspect.signature(init).parameters.values()
        defaults = {
            it.name: it.default for it in parameters if it.name not in self.ignore_for_config
        }
        by_place = dict(zip(defaults, args))
        config = {
            **by_place,
            **{it: given.get(it, defaults[it]) for it in defaults if it not in by_place},
        }
        if unset := [key for key in config if key not in given]:
            config["_use_default_values"] = unset
        self.register_to_config(**private, **config)
        init(self, *args, **given)

    return wrapped

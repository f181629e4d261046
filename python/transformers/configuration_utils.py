"""PretrainedConfig: settings of a model as attributes; classes of it are dataclasses by keyword."""

import copy
import dataclasses
import functools
import json
import os
from typing import ClassVar

import torch
from normscope_boot.assumptions import assume


def _by_keywords(cls):
    """Fields from keywords; whatever else is given becomes an attribute too."""

    @functools.wraps(cls.__init__)
    def __init__(self, *args, **kwargs):
        if args:
            raise ValueError(
                f"{cls.__name__} accepts only keyword arguments, but found `{len(args)}` positional args."
            )
        for field in dataclasses.fields(cls):
            setattr(self, field.name, _value_of(field, kwargs))
        self.__post_init__(**kwargs)

    cls.__init__ = __init__
    return cls


def _value_of(field, kwargs):
    if field.name in kwargs:
        return kwargs.pop(field.name)
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    raise TypeError(f"Missing required field - '{field.name}'")


@_by_keywords
@dataclasses.dataclass(repr=False)
class PreTrainedConfig:
    model_type: ClassVar[str] = ""
    base_config_key: ClassVar[str] = ""
    sub_configs: ClassVar[dict] = {}
    attribute_map: ClassVar[dict] = {}
    keys_to_ignore_at_inference: ClassVar[list] = []
    default_theta: ClassVar[float] = 10000.0
    ignore_keys_at_rope_validation: ClassVar[set] = set()

    transformers_version: str | None = None
    architectures: list | None = None
    output_hidden_states: bool | None = False
    return_dict: bool | None = True
    dtype: object = None
    chunk_size_feed_forward: int = 0
    is_encoder_decoder: bool = False
    id2label: dict | None = None
    label2id: dict | None = None
    problem_type: str | None = None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        has_own_init = "__init__" in cls.__dict__
        dataclasses.dataclass(cls, repr=False, kw_only=True)
        if not has_own_init:
            _by_keywords(cls)

    def __post_init__(self, **kwargs):
        torch_dtype = kwargs.pop("torch_dtype", None)
        self.dtype = torch_dtype if self.dtype is None else self.dtype
        if isinstance(self.dtype, str):
            self.dtype = getattr(torch, self.dtype)
        given = kwargs.pop("num_labels", None)
        if self.id2label is None:
            self.num_labels = 2 if given is None else given
        else:
            self.id2label = {int(key): value for key, value in self.id2label.items()}
        if hasattr(self, "rope_parameters"):
            kwargs = self._with_rotations(kwargs)
        self.name_or_path = kwargs.pop("name_or_path", "")
        self._output_attentions = kwargs.pop("output_attentions", False)
        self._attn_implementation = kwargs.pop("attn_implementation", None)
        # Settings of text generation belong to another config.
        for key in _OF_GENERATION & kwargs.keys():
            del kwargs[key]
        for key, value in kwargs.items():
            setattr(self, key, value)

    def _with_rotations(self, kwargs):
        """Sets `rope_parameters`, of each type of layer where it has some; the keywords that it took are left out."""
        told = {name: kwargs.pop(name, None) for name in ("rope_scaling", "rope_theta", _ROTATED)}
        theta = told["rope_theta"] or getattr(self, "rope_theta", self.default_theta)
        share = told[_ROTATED] or getattr(self, _ROTATED, None)
        parameters = told["rope_scaling"] or self.rope_parameters or {}
        layers = getattr(self, "_rope_type_labels", None) or getattr(self, "layer_types", None)
        nested = [it for key, it in parameters.items() if key in (layers or ())]
        for each in nested or [parameters]:
            if each is not None:
                each.setdefault("rope_theta", theta)
                each.setdefault("rope_type", each.get("type", "default"))
                if share is not None:
                    each.setdefault(_ROTATED, share)
        self.rope_parameters = parameters
        return kwargs

    @property
    def num_labels(self):
        return None if self.id2label is None else len(self.id2label)

    @num_labels.setter
    def num_labels(self, num_labels):
        if self.id2label is None or self.num_labels != num_labels:
            self.id2label = {i: f"LABEL_{i}" for i in range(num_labels)}
            self.label2id = {label: i for i, label in self.id2label.items()}

    @property
    def output_attentions(self):
        return self._output_attentions

    @output_attentions.setter
    def output_attentions(self, value):
        if value and self._attn_implementation is None:
            self._attn_implementation = "eager"
        self._output_attentions = value

    @property
    def use_return_dict(self):
        return self.return_dict

    @property
    def torch_dtype(self):
        return self.dtype

    @torch_dtype.setter
    def torch_dtype(self, value):
        self.dtype = value

    def __setattr__(self, key, value):
        super().__setattr__(type(self).attribute_map.get(key, key), value)

    def __getattribute__(self, key):
        names = super().__getattribute__("attribute_map")
        return super().__getattribute__(names.get(key, key))

    def __eq__(self, other):
        return isinstance(other, PreTrainedConfig) and self.__dict__ == other.__dict__

    __hash__ = None

    def __iter__(self):
        yield from self.__dict__

    def get_text_config(self, decoder=None, encoder=None):
        return self

    @classmethod
    def from_dict(cls, config_dict, **kwargs):
        for option in _OF_LOADING & kwargs.keys():
            del kwargs[option]
        return cls(**{**config_dict, **kwargs})

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, **kwargs):
        """Of a file of the workspace; a run has no network, so that others are as the class has them."""
        name = os.fspath(pretrained_model_name_or_path)
        file = name if name.endswith(".json") else os.path.join(name, "config.json")
        if not os.path.isfile(file):
            assume(f"The config of '{name}' is not here: {cls.__name__}() is taken as it stands")
            return cls.from_dict({}, **kwargs)
        with open(file, encoding="utf-8") as opened:
            return cls.from_dict(json.load(opened), **kwargs)

    def to_dict(self):
        out = {
            key: value.to_dict() if isinstance(value, PreTrainedConfig) else copy.deepcopy(value)
            for key, value in self.__dict__.items()
            if key not in ("_attn_implementation", "_output_attentions")
        }
        if isinstance(out.get("dtype"), torch.dtype):
            out["dtype"] = str(out["dtype"]).removeprefix("torch.")
        return {**out, "model_type": type(self).model_type}

    def to_json_string(self, use_diff=True):
        return json.dumps(self.to_dict(), indent=2, sort_keys=True, default=str) + "\n"

    def update(self, config_dict):
        for key, value in config_dict.items():
            setattr(self, key, value)

    def __repr__(self):
        return f"{type(self).__name__} {self.to_json_string()}"

    @classmethod
    def register_for_auto_class(cls, auto_class="AutoConfig"):
        """Only a name in a registry."""


_OF_LOADING = {"cache_dir", "local_files_only", "return_unused_kwargs", "revision", "token"}
_OF_LOADING |= {"force_download", "subfolder", "trust_remote_code", "use_auth_token"}
# Which share of a head's features is turned.
_ROTATED = "partial_rotary_factor"

PretrainedConfig = PreTrainedConfig

_OF_GENERATION = set(
    "max_length min_length do_sample early_stopping num_beams temperature top_k top_p typical_p "
    "repetition_penalty length_penalty no_repeat_ngram_size encoder_no_repeat_ngram_size bad_words_ids "
    "num_return_sequences output_scores return_dict_in_generate forced_bos_token_id forced_eos_token_id "
    "remove_invalid_values exponential_decay_length_penalty suppress_tokens begin_suppress_tokens "
    "num_beam_groups diversity_penalty".split()
)

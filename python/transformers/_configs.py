"""Configs of models that are not here, with the defaults that transformers gives them."""

import copy
import dataclasses
import functools
import json
import pathlib

from .configuration_utils import PretrainedConfig


@functools.cache
def _rows():
    return json.loads(pathlib.Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def config_named(name):
    """The class, made where it is asked for; None for one whose defaults are not known."""
    row = _rows().get(name)
    if row is None:
        return None
    fields = {field: _default(value) for field, value in row["defaults"].items()}
    # Otherwise a dataclass takes none of them for a field.
    annotations = dict.fromkeys(fields, object)
    own = {"model_type": row["model_type"], "attribute_map": row["attribute_map"]}
    return type(
        name,
        (PretrainedConfig,),
        own | fields | {"__annotations__": annotations, "__module__": "transformers"},
    )


def _default(value):
    if isinstance(value, (list, dict)):
        return dataclasses.field(default_factory=lambda: copy.deepcopy(value))
    return value

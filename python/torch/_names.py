"""Which public names PyTorch and numpy have, supported or not: recorded by scripts/record-names.py."""

import functools
import json
import pathlib


@functools.cache
def _all():
    text = pathlib.Path(__file__).with_name("_names.json").read_text(encoding="utf-8")
    return {namespace: frozenset(names.split()) for namespace, names in json.loads(text).items()}


def of(namespace):
    """The names in "torch.nn", "torch.Tensor", …; none where it was not recorded."""
    return _all().get(namespace, frozenset())

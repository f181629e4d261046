"""How many parameters models have: their constructors run, and no tensor has memory or numbers."""

import json
import os

from ._host import host
from ._plan import class_named
from ._plan_arguments import constructed
from ._run import load
from .nn import init


def count(root, models):
    """For each of `models` (JSON: file, entry, sets) a list with one number per set.

    A parameter under several names counts once. Raises what a constructor raises.
    """
    host.count_only()
    _fill_nothing()
    return [_counts(root, **model) for model in json.loads(models)]


def _fill_nothing():
    """What initialises a tensor leaves it alone; half of the time would go there."""
    for name, function in list(vars(init).items()):
        if name.endswith("_") and not name.startswith("_") and callable(function):
            setattr(init, name, lambda tensor, *args, **kwargs: tensor)


def _counts(root, file, entry, sets):
    module = load(os.path.join(root, file), None)
    cls = class_named(module, entry)
    return [_count(module, cls, given) for given in sets]


def _count(module, cls, given):
    model, _ = constructed(module, cls, given)
    return sum(parameter.numel() for parameter in model.parameters())

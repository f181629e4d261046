"""How many parameters models have: their constructors run, and no tensor has memory or numbers."""

import json
import os

from . import _call
from ._host import host
from ._plan import class_named
from ._plan_arguments import constructed
from ._run import load
from ._shaped import use_shapes
from .nn import init
from .nn.modules.module import Module


def count(root, models):
    """For each of `models` (JSON: file, entry, sets) a list with one number per set.

    A parameter under several names counts once. Raises what a constructor raises.
    """
    host.count_only()
    _fill_nothing()
    use_shapes()
    # A call's line is for its error, and errors of constructors have a traceback.
    _call.site = lambda: 0
    return [_counts(root, **model) for model in json.loads(models)]


def _fill_nothing():
    """What initialises a tensor leaves it alone; half of the time would go there."""
    for name, function in list(vars(init).items()):
        if name.endswith("_") and not name.startswith("_") and callable(function):
            setattr(init, name, lambda tensor, *args, **kwargs: tensor)
    Module.apply = lambda module, function: module


def _counts(root, file, entry, sets):
    module = load(os.path.join(root, file), None)
    cls = class_named(module, entry)
    return [_count(module, cls, given) for given in sets]


def _count(module, cls, given):
    model, _ = constructed(module, cls, given)
    seen = {}
    for module in _modules(model):
        for parameter in module._parameters.values():
            if parameter is not None:
                seen[id(parameter)] = parameter
    return sum(parameter.numel() for parameter in seen.values())


def _modules(model):
    """A module and all below it, each once."""
    found = {id(model): model}
    waiting = [model]
    while waiting:
        for child in waiting.pop()._modules.values():
            if child is not None and id(child) not in found:
                found[id(child)] = child
                waiting.append(child)
    return found.values()

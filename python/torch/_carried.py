"""What a step leaves in the model's modules for the next one, beside buffers: a hidden state, a count.

While a step of training runs, plain attributes of the user's modules lie where only `Module.__getattr__`
finds them. One that is written before it is read says nothing to the next step (a loss that is put
aside); one that is read first and is another at the end does.
"""

import functools
import random

from ._host import host
from ._tensor import Tensor
from .nn.modules.module import Module

# (module, its path, name) → what it was when the step began, for those that were read.
_read = {}
_modules = []
_before = []
# Those of the last step that the next one depends on.
_carried = []


def begin(model):
    finish()
    _read.clear()
    _carried.clear()
    _before[:] = [random.getstate()]
    own = vars(Module())
    for path, module in model.named_modules():
        if type(module).__module__.partition(".")[0] == "torch":
            continue
        tables = module.__dict__
        names = [name for name, value in tables.items() if name not in own and _is_state(value)]
        tables["_asleep"] = {name: tables.pop(name) for name in names}
        tables["_wake"] = functools.partial(_woken, module)
        _modules.append((path, module))


def _woken(module, name):
    """An attribute that is read for the first time in the step."""
    tables = module.__dict__
    value = tables[name] = tables["_asleep"].pop(name)
    for tensor in _tensors(value):
        host.hold(tensor._id)
    _read[id(module), name] = value, _mark(value)
    return value


def finish():
    """The step is over: names of what the next one depends on."""
    for path, module in _modules:
        tables = module.__dict__
        tables.pop("_wake", None)
        for name, value in tables.pop("_asleep", {}).items():
            tables.setdefault(name, value)
        for name in list(tables):
            value, mark = _read.get((id(module), name), (None, None))
            if mark is not None and _mark(tables[name]) != mark:
                _carried.append((f"{path}.{name}".lstrip("."), module, name, value))
    _modules.clear()
    names = [name for name, *_ in _carried]
    drawn = bool(_before) and random.getstate() != _before[0]
    return names + (["Python's random numbers"] if drawn else [])


def settle(keeps):
    """Before the step is taken once more: from what the last one left, or from what was there before."""
    for _, module, name, before in _carried:
        if not keeps:
            module.__dict__[name] = before
        for tensor in _tensors(module.__dict__[name]):
            host.settle(tensor._id, keeps)
    if not keeps and _before:
        random.setstate(_before[0])


def _is_state(value):
    return value is None or isinstance(value, (bool, int, float, Tensor)) or _is_tensors(value)


def _is_tensors(value):
    kinds = (Tensor, type(None))
    return type(value) is tuple and value != () and all(isinstance(it, kinds) for it in value)


def _tensors(value):
    return [
        it for it in (value if isinstance(value, tuple) else (value,)) if isinstance(it, Tensor)
    ]


def _mark(value):
    """Equal for what tells the next step the same."""
    if isinstance(value, Tensor):
        return "tensor", value._id, value._version
    if isinstance(value, tuple):
        return tuple(_mark(it) for it in value)
    return type(value).__name__, repr(value) if isinstance(value, float) else value

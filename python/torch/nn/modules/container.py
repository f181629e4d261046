"""Containers of modules and parameters."""

import collections.abc
import operator
from collections import OrderedDict

from ..parameter import Parameter
from .module import Module

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


def _place(index, count):
    """Where an index, which may count from the end, stands among `count` items."""
    index = operator.index(index)
    if not -count <= index < count:
        raise IndexError(f"index {index} is out of range")
    return index % count


def _need_iterable(call, given, of=""):
    if not isinstance(given, collections.abc.Iterable):
        raise TypeError(
            f"{call} should be called with an iterable{of}, but got {type(given).__name__}"
        )


class Sequential(Module):
    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def forward(self, input):
        for module in self:
            input = module(input)
        return input

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return list(self._modules.values())[_place(index, len(self))]

    def __setitem__(self, index, module):
        setattr(self, list(self._modules)[_place(index, len(self))], module)

    def __delitem__(self, index):
        names = list(self._modules)
        for name in names[index] if isinstance(index, slice) else [names[_place(index, len(self))]]:
            del self._modules[name]
        self._modules = {str(i): module for i, module in enumerate(self._modules.values())}

    def __add__(self, other):
        return type(self)(*self, *other)

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        modules = list(self)
        modules.insert(index, module)
        self._modules = {str(i): m for i, m in enumerate(modules)}
        return self

    def pop(self, key):
        module = self[key]
        del self[key]
        return module


class ModuleList(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return list(self._modules.values())[_place(index, len(self))]

    def __setitem__(self, index, module):
        setattr(self, str(_place(index, len(self))), module)

    def __delitem__(self, index):
        modules = list(self)
        del modules[index]
        self._modules = {str(i): module for i, module in enumerate(modules)}

    def __add__(self, other):
        return type(self)([*self, *other])

    def __iadd__(self, modules):
        return self.extend(modules)

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        _need_iterable("ModuleList.extend", modules)
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        modules = list(self)
        modules.insert(index, module)
        self._modules = {str(i): m for i, m in enumerate(modules)}

    def pop(self, key):
        module = self[key]
        del self[key]
        return module

    def __repr__(self):
        """Equal layers in a row are shown once."""
        rows = []
        for index, module in enumerate(self):
            text = repr(module)
            if rows and rows[-1][1] == text:
                rows[-1][2] += 1
            else:
                rows.append([index, text, 1])
        if not rows:
            return self._get_name() + "()"
        lines = [self._get_name() + "("]
        for first, text, count in rows:
            label = f"({first})" if count == 1 else f"({first}-{first + count - 1})"
            shown = text if count == 1 else f"{count} x {text}"
            lines.append(f"  {label}: " + shown.replace("\n", "\n  "))
        return "\n".join([*lines, ")"])


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()

    def clear(self):
        self._modules.clear()

    def pop(self, key):
        return self._modules.pop(key)

    def update(self, modules):
        _need_iterable("ModuleDict.update", modules, " of key/value pairs")
        for key, module in modules.items() if hasattr(modules, "items") else modules:
            self[key] = module


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __len__(self):
        return self._size

    def __iter__(self):
        return (getattr(self, str(i)) for i in range(self._size))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return getattr(self, str(_place(index, self._size)))

    def __setitem__(self, index, value):
        setattr(self, str(_place(index, self._size)), value)

    def append(self, value):
        from ..._tensor import Tensor

        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, str(self._size), value)
        self._size += 1
        return self

    def extend(self, values):
        from ..._tensor import Tensor

        if isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got Tensor"
            )
        _need_iterable("ParameterList.extend", values)
        for value in values:
            self.append(value)
        return self

    def __iadd__(self, values):
        return self.extend(values)


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key):
        return getattr(self, str(key))

    def __setitem__(self, key, value):
        from ..._tensor import Tensor

        self._keys[key] = None
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, str(key), value)

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, str(key))

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __contains__(self, key):
        return key in self._keys

    def get(self, key, default=None):
        return self[key] if key in self._keys else default

    def setdefault(self, key, default=None):
        if key not in self._keys:
            self[key] = default
        return self[key]

    def pop(self, key):
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        key = list(self._keys)[-1]
        return key, self.pop(key)

    def clear(self):
        for key in list(self._keys):
            del self[key]

    def copy(self):
        return type(self)(self.items())

    def keys(self):
        return self._keys.keys()

    def values(self):
        return [self[key] for key in self._keys]

    def items(self):
        return [(key, self[key]) for key in self._keys]

    def update(self, parameters):
        """A plain dict in the order of its keys' names, what has an order of its own in that."""
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            items = parameters.items()
        elif isinstance(parameters, collections.abc.Mapping):
            items = sorted(parameters.items())
        else:
            items = parameters
        for key, value in items:
            self[key] = value

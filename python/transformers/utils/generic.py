"""ModelOutput: a dataclass that is a tuple and a dict of those of its fields that are not None."""

from collections import OrderedDict
from dataclasses import fields, is_dataclass


class ModelOutput(OrderedDict):
    def __post_init__(self):
        first, *others = [field.name for field in fields(self)]
        given = self.__dict__.get(first)
        if isinstance(given, dict) and all(self.__dict__.get(name) is None for name in others):
            setattr(self, first, None)
            super().__delitem__(first) if first in self else None
            for name, value in given.items():
                setattr(self, name, value)
            return
        for name in (first, *others):
            value = self.__dict__.get(name)
            if value is not None:
                super().__setitem__(name, value)

    def __delitem__(self, *args, **kwargs):
        raise Exception(f"You cannot use ``__delitem__`` on a {type(self).__name__} instance.")

    def setdefault(self, *args, **kwargs):
        raise Exception(f"You cannot use ``setdefault`` on a {type(self).__name__} instance.")

    def pop(self, *args, **kwargs):
        raise Exception(f"You cannot use ``pop`` on a {type(self).__name__} instance.")

    def update(self, *args, **kwargs):
        raise Exception(f"You cannot use ``update`` on a {type(self).__name__} instance.")

    def __getitem__(self, k):
        return dict(self.items())[k] if isinstance(k, str) else self.to_tuple()[k]

    def __setattr__(self, name, value):
        if (
            value is not None
            and is_dataclass(self)
            and name in {field.name for field in fields(self)}
        ):
            super().__setitem__(name, value)
        super().__setattr__(name, value)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)

    def to_tuple(self):
        return tuple(self[key] for key in self)

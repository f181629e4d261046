"""What models return: a dataclass that is a dict, and by number a tuple, of those of its fields that are not None."""

from dataclasses import fields

from ._kept import KeptDict


class BaseOutput(KeptDict):
    def __post_init__(self):
        first, *others = [field.name for field in fields(self)]
        given = getattr(self, first)
        if isinstance(given, dict) and all(getattr(self, name) is None for name in others):
            for key, value in given.items():
                self[key] = value
            return
        for name in (first, *others):
            if getattr(self, name) is not None:
                self[name] = getattr(self, name)

    def __getitem__(self, k):
        return dict(self.items())[k] if isinstance(k, str) else self.to_tuple()[k]

    def __setattr__(self, name, value):
        if name in self and value is not None:
            super().__setitem__(name, value)
        super().__setattr__(name, value)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)

    def to_tuple(self):
        return tuple(self[key] for key in self)

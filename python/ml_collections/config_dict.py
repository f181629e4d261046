"""Settings of a model as attributes."""

import contextlib

from normscope_boot.attributes import AttributeDict, plain


class ConfigDict(AttributeDict):
    def __init__(self, initial_dictionary=None, *_, **__):
        super().__init__(initial_dictionary or {})

    def to_dict(self, *_, **__):
        return plain(self)

    def copy_and_resolve_references(self, *_, **__):
        return type(self)(self)

    def lock(self):
        return self

    def unlock(self):
        return self

    @contextlib.contextmanager
    def unlocked(self):
        yield


FrozenConfigDict = ConfigDict


def create(**values):
    return ConfigDict(values)

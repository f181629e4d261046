"""Dicts out of which nothing can be taken."""

from collections import OrderedDict


class KeptDict(OrderedDict):
    def __delitem__(self, *args, **kwargs):
        self._refuse("__delitem__")

    def setdefault(self, *args, **kwargs):
        self._refuse("setdefault")

    def pop(self, *args, **kwargs):
        self._refuse("pop")

    def update(self, *args, **kwargs):
        self._refuse("update")

    def _refuse(self, method):
        raise Exception(f"You cannot use ``{method}`` on a {type(self).__name__} instance.")

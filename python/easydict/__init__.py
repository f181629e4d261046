"""EasyDict: a dict whose names are attributes too."""

from normscope_boot.attributes import AttributeDict


class EasyDict(AttributeDict):
    def __init__(self, d=None, **values):
        super().__init__(d or {}, **values)

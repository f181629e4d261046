"""Settings as attributes."""

import ast

from normscope_boot.attributes import AttributeDict, merge


class CfgNode(AttributeDict):
    def __init__(self, init_dict=None, *_, **__):
        super().__init__(init_dict or {})

    def clone(self):
        return type(self)(self)

    def freeze(self):
        return None

    def defrost(self):
        return None

    def is_frozen(self):
        return False

    def merge_from_list(self, pairs):
        """Settings as `NAME, value, NAME, value`, where a name is a path of several."""
        for path, value in zip(pairs[::2], pairs[1::2]):
            *above, name = path.split(".")
            node = self
            for part in above:
                node = node[part]
            node[name] = _value(value)

    def merge_from_other_cfg(self, other):
        merge(self, other)


def _value(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text

"""Axes of an argument by the names that forward gives their sizes: `B, L, H, E = queries.shape`."""

import ast
import re

_HEADS = re.compile(r"^_?(h|nh|n_?heads?|num_heads|heads?)$", re.IGNORECASE)
_LENGTH = re.compile(
    r"^_?(l|t|s|lq|lk|len|length|seq|seq_len(gth)?|(q|k|kv|src|tgt|seg)_(len|num)|time|steps)$",
    re.IGNORECASE,
)
_WIDTH = re.compile(
    r"^_?(e|d|c|dim|d_model|d_k|d_head|head_dim|hd|dh|embed_dim|channels)$", re.IGNORECASE
)
_PROJECTED = re.compile(r"^(q|k|v|query|key|value)s?$|^quer(y|ies)$", re.IGNORECASE)


class NamedAxes:
    """`of(name)` are the names of the axes of an argument of forward; `None` stands for one without."""

    def __init__(self, forward):
        self._found = {}
        edited = set()
        statements = (it for it in ast.walk(forward) if isinstance(it, ast.Assign))
        for statement in sorted(statements, key=lambda it: it.lineno):
            self._add(statement, edited)

    def _add(self, statement, edited):
        target, name = statement.targets[0], _shape_of(statement.value)
        if isinstance(target, ast.Tuple) and name is not None and name not in edited:
            if all(isinstance(it, ast.Name) for it in target.elts):
                names = [None if it.id.strip("_") == "" else it.id for it in target.elts]
                self._found.setdefault(name, names)
        edited.update(it.id for it in ast.walk(target) if isinstance(it, ast.Name))

    def of(self, name):
        return self._found.get(name, ())

    def shape(self, name, batch, length, heads, width):
        """[batch, length, heads, width] in the order that the names tell; None where they do not tell of heads.

        An axis without a name is what it is in another argument that has as many.
        """
        axes = self.of(name)
        alike = [it for it in self._found.values() if len(it) == 4]
        if not axes and _PROJECTED.match(name):
            # Queries, keys and values have the same axes.
            axes = next((self.of(it) for it in self._found if _PROJECTED.match(it)), ())
        if len(axes) != 4:
            return None
        told = [
            next((names[at] for names in (axes, *alike) if names[at] is not None), None)
            for at in range(1, 4)
        ]
        sizes = ((_HEADS, heads), (_LENGTH, length), (_WIDTH, width))
        kinds = [
            next((at for at, (kind, _) in enumerate(sizes) if kind.match(it or "")), None)
            for it in told
        ]
        if sorted(it for it in kinds if it is not None) != [0, 1, 2]:
            return None
        return (batch, *(sizes[at][1] for at in kinds))


def _shape_of(node):
    """The name in `name.shape` or `name.size()`."""
    if isinstance(node, ast.Call) and not node.args:
        node = node.func
    is_shape = isinstance(node, ast.Attribute) and node.attr in ("shape", "size")
    return getattr(node.value, "id", None) if is_shape else None

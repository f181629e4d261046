"""Arguments of forward that hold several tensors: lists and dicts, by how the class uses them."""

import ast
import inspect
import re
import sys

from normscope_boot.places import is_user_file

from ._plan_axes import NamedAxes
from ._syntax import choices_of
from ._syntax import class_body


class HeldArguments:
    """`is_list(name)`, `may_be_list(name)` and `keys(name)` of the arguments of a model's forward."""

    def __init__(self, model):
        self.model = model
        self.tree = _tree(type(model))
        forward = (it for it in self.tree.body if it.name == "forward")
        self.axes = NamedAxes(next(forward, ast.Module([], [])))

    def keys(self, name):
        """Texts that a dict of that name is read at, in their order; those that the class writes or asks for are its own."""
        return _keys(self.tree, lambda it: _is_name(it, name))

    def attributes(self, name):
        """{attribute: its keys, where it is a dict} of an object that is no tensor, in their order; else {}."""
        from ._tensor import Tensor

        of_it = [it for it in ast.walk(self.tree) if isinstance(it, ast.Attribute)]
        of_it = [it for it in of_it if _is_name(it.value, name)]
        own = [it for it in of_it if not hasattr(Tensor, it.attr) and isinstance(it.ctx, ast.Load)]
        called = {id(it.func) for it in ast.walk(self.tree) if isinstance(it, ast.Call)}
        if any(id(it) in called for it in own):
            return {}
        own.sort(key=lambda it: (it.lineno, it.col_offset))
        return {
            it.attr: _keys(self.tree, lambda node, it=it: ast.dump(node) == ast.dump(it))
            for it in own
        }

    def names_within(self, names):
        """The names, with those of attributes and keys in place of what holds them."""
        found = []
        for name in names:
            attributes = self.attributes(name)
            within = [it for key, keys in attributes.items() for it in (keys or [key])]
            found += within or self.keys(name) or [name]
        return found

    def parts(self, name):
        """Names that forward takes a tuple of that name apart into, `nodes, edges = data`; [] where it does not."""
        forward = (
            it for method in self.tree.body if method.name == "forward" for it in ast.walk(method)
        )
        for it in forward:
            is_whole = isinstance(it, ast.Assign) and _is_name(it.value, name)
            target = it.targets[0] if is_whole else None
            if isinstance(target, ast.Tuple) and all(isinstance(e, ast.Name) for e in target.elts):
                return [e.id for e in target.elts]
        return []

    def rows_of_table(self, name):
        """Rows of the embedding of the model's own that is called with the argument; None where none is."""
        from .nn.modules.sparse import Embedding

        tables = (part for part, _ in self._parts_called_with(name) if isinstance(part, Embedding))
        return next((it.num_embeddings for it in tables), None)

    def width_of_map(self, name):
        """(features that the model's own linear map takes, how the argument gets to them); None where there is none.

        "axis": it gets their axis there; "vector": what the map gives is divided along axis 1.
        """
        from .nn.modules.container import Sequential
        from .nn.modules.linear import Linear

        for part, call in self._parts_called_with(name):
            while isinstance(part, Sequential) and len(part):
                part = part[0]
            taken = call.args[0]
            if isinstance(part, Linear) and (_is_name(taken, name) or _gets_last_axis(taken)):
                if not _is_name(taken, name):
                    return part.in_features, "axis"
                return part.in_features, "vector" if self._is_divided(call) else None
        return None

    def _is_divided(self, call):
        """`self.modulation(c).chunk(6, dim=1)`."""
        for it in ast.walk(self.tree):
            is_chunk = isinstance(it, ast.Call) and _last(it.func) in ("chunk", "split")
            if is_chunk and getattr(it.func, "value", None) is call:
                axes = [*it.args[1:], *(key.value for key in it.keywords if key.arg == "dim")]
                return [getattr(axis, "value", None) for axis in axes] == [1]
        return False

    def _parts_called_with(self, name):
        """(module of the model's own, its call) with an expression that has no other argument in it."""
        from .nn.modules.module import Module

        for method in self.tree.body:
            for call in (it for it in ast.walk(method) if isinstance(it, ast.Call)):
                if call.args and _is_of(call.args[0], name) and not _is_set(method, name, call):
                    part = _own_part(self.model, call.func)
                    if isinstance(part, Module):
                        yield part, call

    def is_embedded(self, name):
        return self.rows_of_table(name) is not None

    def is_called(self, name):
        """`sublayer(self.norm(x))`: forward is handed a layer."""
        calls = (it for it in ast.walk(self.tree) if isinstance(it, ast.Call))
        return any(_is_name(it.func, name) for it in calls if isinstance(it.func, ast.Name))

    def is_switch(self, name):
        """`if pretrain:`, and nothing else is done with it."""
        tested = {id(part) for it in ast.walk(self.tree) for part in _conditions(it)}
        reads = [it for it in ast.walk(self.tree) if _is_name(it, name)]
        return bool(reads) and all(id(it) in tested for it in reads)

    def is_place_of_list(self, name):
        """`self.patch_size[patch_index]`, of a list of the model's own."""
        places = (it for it in ast.walk(self.tree) if isinstance(it, ast.Subscript))
        lists = (_own_part(self.model, it.value) for it in places if _is_name(it.slice, name))
        return any(isinstance(it, (list, tuple)) or hasattr(it, "append") for it in lists)

    def choices(self, name):
        """Texts that it is compared with."""
        comparisons = [it for it in ast.walk(self.tree) if isinstance(it, ast.Compare)]
        found = choices_of(comparisons, lambda it: _is_name(it, name))
        return [it for it in found if isinstance(it, str)]

    def is_dict(self, name):
        """`conditions.items()`."""
        calls = (it.func for it in ast.walk(self.tree) if isinstance(it, ast.Call))
        return any(
            _last(it) == "items" and _is_name(getattr(it, "value", None), name) for it in calls
        )

    def calls(self, *functions):
        """Whether a method calls one of the functions, by their last names."""
        calls = (it for it in ast.walk(self.tree) if isinstance(it, ast.Call))
        return any(_last(it.func) in functions for it in calls)

    def is_list(self, parameter):
        """Annotated as one of tensors, or used as no single tensor is: `zip(xs, ys)`, `torch.cat(xs)`."""
        return bool(_LISTS.search(_text(parameter.annotation))) or any(
            _takes(it, _OF_LISTS, parameter.name) and not _is_set(method, parameter.name, it)
            for method in self.tree.body
            for it in ast.walk(method)
        )

    def padded_class(self, parameter):
        """The user's class of images that are padded to one size, with their mask, where it is annotated so."""
        annotation = parameter.annotation
        if isinstance(annotation, str):
            names = vars(sys.modules[type(self.model).__module__])
            annotation = names.get(annotation.strip("'\""))
        if not inspect.isclass(annotation) or not is_user_file(_file_of(annotation)):
            return None
        return annotation if _PADDED <= {*inspect.signature(annotation).parameters} else None

    def may_be_list(self, name):
        """Gone through, taken apart, measured, or read at a place, as tensors sometimes are too."""
        return any(_reads_items(it, name) for it in ast.walk(self.tree))


_PADDED = {"tensors", "mask"}


def _keys(tree, is_dict):
    read, written = [], set()
    for it in ast.walk(tree):
        if isinstance(it, ast.Compare) and any(map(is_dict, it.comparators)):
            written.add(getattr(it.left, "value", None))
        if not isinstance(it, ast.Subscript) or not is_dict(it.value):
            continue
        key = getattr(it.slice, "value", None)
        if isinstance(key, str):
            written.add(key) if isinstance(it.ctx, ast.Store) else read.append((it.lineno, key))
    return list(dict.fromkeys(key for _, key in sorted(read) if key not in written))


def _file_of(cls):
    return getattr(sys.modules.get(cls.__module__), "__file__", None) or ""


# Not `Optional[…]`, which may be left out, and no list of numbers.
_LISTS = re.compile(r"^(?:typing\.)?(?:[Ll]ist|[Tt]uple|Sequence|Iterable)\[.*Tensor")
_OF_LISTS = ("zip", "cat", "stack", "concat")


def _text(annotation):
    if annotation is inspect.Parameter.empty:
        return ""
    is_class = isinstance(annotation, type) and not hasattr(annotation, "__origin__")
    return annotation.__name__ if is_class else str(annotation).strip("'\"")


def _tree(cls):
    parts = []
    for it in cls.__mro__:
        if not it.__module__.startswith("torch."):
            parts += class_body(it)
    methods = [node for part in parts for node in ast.walk(part)]
    return ast.Module(
        [it for it in methods if isinstance(it, ast.FunctionDef) and it.name != "__init__"], []
    )


def _takes(node, functions, name):
    is_call = isinstance(node, ast.Call) and _last(node.func) in functions
    first = node.args if is_call and _last(node.func) == "zip" else node.args[:1] if is_call else []
    return any(_is_name(it, name) for it in first)


def _reads_items(node, name):
    if isinstance(node, (ast.For, ast.comprehension)):
        over = node.iter
        if isinstance(over, ast.Call) and _last(over.func) in ("enumerate", "reversed"):
            return any(_is_name(it, name) for it in over.args)
        return _is_name(over, name)
    if isinstance(node, ast.Subscript):
        is_place = isinstance(node.slice, (ast.Constant, ast.UnaryOp, ast.Name))
        return _is_name(node.value, name) and is_place
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        return _is_name(node.value, name)
    return _takes(node, ("len",), name)


def _conditions(node):
    """The parts of a statement or expression of which only the truth counts."""
    if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)):
        return [node.test]
    if isinstance(node, ast.BoolOp):
        return node.values
    return [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []


def _is_of(node, name):
    """Whether the expression is the argument, seen in another shape or counted from another start."""
    calls = [it for it in ast.walk(node) if isinstance(it, ast.Call)]
    is_seen = all(_is_name(getattr(it.func, "value", None), name) for it in calls)
    is_measured = any(_last(it) in _MEASURES for it in ast.walk(node))
    return is_seen and not is_measured and any(_is_name(it, name) for it in ast.walk(node))


def _gets_last_axis(node):
    """`returns.unsqueeze(-1)`."""
    is_added = isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "unsqueeze"
    return is_added and [ast.unparse(it) for it in node.args] == ["-1"]


_MEASURES = ("shape", "size", "dim", "ndim", "device", "dtype")


def _is_set(method, name, before):
    """Whether the method gives the name another meaning on a line before that of the call."""
    stores = (it for it in ast.walk(method) if isinstance(it, ast.Name) and it.id == name)
    return any(isinstance(it.ctx, ast.Store) and it.lineno < before.lineno for it in stores)


def _own_part(model, function):
    """What `self.part` stands for, or None."""
    is_own = isinstance(function, ast.Attribute) and _is_name(function.value, "self")
    return getattr(model, function.attr, None) if is_own else None


def _is_name(node, name):
    return getattr(node, "id", None) == name


def _last(node):
    return getattr(node, "attr", getattr(node, "id", None))

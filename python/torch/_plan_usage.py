"""What a class's own source says of a constructor argument that nobody gave, where its name does not tell."""

import ast
import functools
import inspect
import re

from ._plan_beside import user_module
from ._syntax import choices_of, choices_of_items, class_body
from ._tensor import Tensor
from .nn.modules.module import Module


class Made:
    """A value that has no literal, with its text and what a script has to import for it."""

    def __init__(self, make, text, imports=(), names=()):
        # Makes it anew for each try, as the script does.
        self.make = make
        self.text = text
        # Lines, and names of the model's own file.
        self.imports = imports
        self.names = names

    def __repr__(self):
        return self.text


class Usage:
    """The uses of an argument in the constructor, by what it must be for them."""

    def __init__(self, cls):
        # What is handed on to a base of the user's is used there.
        # A function that makes a class has no bases.
        bases = getattr(cls, "__mro__", (cls,))
        classes = [it for it in bases if not it.__module__.startswith("torch.")]
        self.is_sequence = any(it.__name__ == "Sequential" for it in bases)
        self.tree = ast.Module([part for it in classes for part in class_body(it)], [])
        methods = [it for it in ast.walk(self.tree) if isinstance(it, ast.FunctionDef)]
        self.methods = methods
        makers = (getattr(cls, "__name__", None), "__init__")
        self.inits = [it for it in methods if it.name in makers]

    def is_called(self, name):
        """`norm_layer(dim)`: it makes something. A loop's own variable is something else."""
        return any(
            isinstance(it, ast.Call) and _is_name(it.func, name)
            for method in self.methods
            if not _binds(method, name)
            for it in ast.walk(method)
        )

    def is_kept_and_called(self, name):
        """`self.fn = fn`, and `self.fn(x)` elsewhere: it is a module. So is what is put in a list of them."""
        kept, calls = self._kept_as(name), self._calls()
        if any(_attribute(it.func) in kept for it in calls) or self._is_in_sequence(name):
            return True
        if _OF_LAYERS.search(name) and any(_hands_to_part(it, kept) for it in calls):
            return True
        return any(
            _last_name(it.func) in _TAKING_MODULES and _holds_any(it.args[:1], name) for it in calls
        )

    def own_methods(self, name):
        """Those of `self.backbone.features(x)`, where PyTorch's modules do not have them."""
        kept = self._kept_as(name)
        called = (it.func for it in self._calls() if isinstance(it.func, ast.Attribute))
        names = {it.attr for it in called if _attribute(it.value) in kept}
        return {
            it for it in names if not hasattr(Module, it) and not hasattr(Tensor, it)
        } - _OF_PYTHON

    def is_name_within(self, name, module):
        """`getattr(nn, activation)`."""
        calls = (it for it in self._calls() if _last_name(it.func) == "getattr")
        return any(
            len(it.args) > 1 and _last_name(it.args[0]) == module and _is_it(it.args[1], name)
            for it in calls
        )

    def is_called_with_more(self, name):
        """`self.fn(x, mask)`, or what is put in a list of modules, whose calls are not known to be its own."""
        kept, calls = self._kept_as(name), self._calls()
        own = [it for it in calls if _attribute(it.func) in kept]
        return not own or any(len(it.args) + len(it.keywords) > 1 for it in own)

    def is_list_of_modules(self, name):
        """`nn.ModuleList(layers)`."""
        calls = [
            it
            for it in self._of_init()
            if isinstance(it, ast.Call) and _last_name(it.func) == "ModuleList"
        ]
        return any(it.args and _is_name(it.args[0], name) for it in calls)

    def is_gone_through(self, name):
        """`for size in sizes`, `len(sizes)`, `*sizes`, `sizes[0]`: it is a sequence."""
        return any(_goes_through(it, name) for it in ast.walk(self.tree))

    def has_fields(self, name):
        """`h.sizes` and `h["rates"]` in the constructor: it holds settings."""
        fields = {
            it.attr
            for it in self._of_init()
            if isinstance(it, ast.Attribute) and _is_name(it.value, name)
        }
        keys = {
            getattr(it.slice, "value", None)
            for it in self._of_init()
            if isinstance(it, ast.Subscript) and _is_name(it.value, name)
        }
        fields |= {key for key in keys if isinstance(key, str)}
        called = {it.func for it in self._calls() if isinstance(it.func, ast.Attribute)}
        methods = {it.attr for it in called if _is_name(it.value, name)}
        return len(fields - methods - _OF_VALUES) > 1

    def is_spread(self, name):
        """`Block(**name)`: it holds arguments."""
        calls = [it for it in self._of_init() if isinstance(it, ast.Call)]
        return any(
            key.arg is None and _is_it(key.value, name) for it in calls for key in it.keywords
        )

    def takers(self, module, name):
        """(class, parameter) of the user's modules that the constructor hands it on to."""
        for it in self._of_init():
            called = (
                vars(module).get(getattr(it.func, "id", "")) if isinstance(it, ast.Call) else None
            )
            if not isinstance(called, type) or not issubclass(called, Module):
                continue
            parameters = list(inspect.signature(called.__init__).parameters.values())[1:]
            if called.__module__.startswith("torch."):
                continue
            for at, argument in enumerate(it.args):
                if _is_name(argument, name) and at < len(parameters):
                    yield called, parameters[at]
            by_name = {parameter.name: parameter for parameter in parameters}
            for keyword in it.keywords:
                if _is_name(keyword.value, name) and keyword.arg in by_name:
                    yield called, by_name[keyword.arg]

    def asserted_class(self, module, name):
        """The first class of `assert isinstance(name, (Class, …))` that is one of the user's modules; else None."""
        tests = (it.test for it in ast.walk(self.tree) if isinstance(it, ast.Assert))
        for call in (it for test in tests for it in ast.walk(test) if isinstance(it, ast.Call)):
            if _last_name(call.func) == "isinstance" and _is_it(call.args[0], name):
                asked = call.args[1]
                names = asked.elts if isinstance(asked, ast.Tuple) else [asked]
                known = (vars(module).get(getattr(it, "id", None)) for it in names)
                return next((it for it in map(user_module, known) if it is not None), None)
        return None

    def choices(self, name):
        """Texts or whole numbers, one of which it is."""
        comparisons = [it for it in ast.walk(self.tree) if isinstance(it, ast.Compare)]
        return choices_of(comparisons, lambda it: _is_it(it, name))

    def choices_of_items(self, name):
        """Texts that its items are compared with."""
        return choices_of_items(self.tree, lambda it: _is_it(it, name))

    def speaks_of(self, *names):
        return any(
            getattr(it, "attr", getattr(it, "id", None)) in names for it in ast.walk(self.tree)
        )

    def makes(self, name):
        """Whether it constructs a layer of the class, and does not only ask which modules are some."""
        calls = [it for it in ast.walk(self.tree) if isinstance(it, ast.Call)]
        return any(_last_name(it.func) == name for it in calls)

    def _is_in_sequence(self, name):
        """`super().__init__(a, b)` of a Sequential."""
        calls = [it for it in self._of_init() if isinstance(it, ast.Call)]
        begun = [it for it in calls if _last_name(it.func) == "__init__"]
        return self.is_sequence and any(_holds_any(it.args, name) for it in begun)

    def _kept_as(self, name):
        """Attributes of self that it is put into."""
        pairs = [
            pair
            for it in self._of_init()
            if isinstance(it, ast.Assign)
            for pair in _paired(it.targets[0], it.value)
        ]
        return {_attribute(target) for target, value in pairs if _holds(value, name)} - {None}

    def _calls(self):
        return [it for it in ast.walk(self.tree) if isinstance(it, ast.Call)]

    def _of_init(self):
        return [it for init in self.inits for it in ast.walk(init)]


@functools.lru_cache(maxsize=16)
def usage_of(cls):
    return Usage(cls)


def _binds(function, name):
    """Whether the name is given another meaning in a loop of the function."""
    loops = (it for it in ast.walk(function) if isinstance(it, (ast.For, ast.comprehension)))
    return any(_is_name(it, name) for loop in loops for it in ast.walk(loop.target))


def _hands_to_part(call, kept):
    """`self.sublayer[0](x, self.kept)`."""
    part = call.func.value if isinstance(call.func, ast.Subscript) else call.func
    return _attribute(part) is not None and any(_attribute(it) in kept for it in call.args)


# What is handed on to a part of the class may be a size too.
_OF_LAYERS = re.compile(r"(feed_?forward|ffn|mlp|layer|block|module|net|fn)$")

# Of tensors and modules, which settings are not.
_OF_VALUES = {"shape", "dtype", "device", "weight", "bias", "data", "T", "ndim"}
_OF_PYTHON = {*dir(dict), *dir(list), *dir(str)}
_TAKING_MODULES = ("ModuleList", "deepcopy", "clones", "_get_clones", "get_clones", "Sequential")


def _is_name(node, name):
    return isinstance(node, ast.Name) and node.id == name


def _is_it(node, name):
    return _is_name(node, name) or _attribute(node) == name


def _attribute(node):
    """x of `self.x`."""
    is_own = isinstance(node, ast.Attribute) and _is_name(node.value, "self")
    return node.attr if is_own else None


def _paired(target, value):
    """(target, value) of each part of `a, b = c, d`."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts))
    return [(target, value)]


def _last_name(node):
    return getattr(node, "attr", getattr(node, "id", None))


def _holds(node, name):
    """Whether the expression is the argument itself, or one of several that it can be."""
    if isinstance(node, ast.IfExp):
        return _holds(node.body, name) or _holds(node.orelse, name)
    return _is_name(node, name)


def _holds_any(nodes, name):
    inner = [
        it
        for node in nodes
        for it in (node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node])
    ]
    return any(_is_name(it, name) for it in inner)


def _goes_through(node, name):
    if isinstance(node, (ast.For, ast.comprehension)):
        over = node.iter
        inner = (
            over.args
            if isinstance(over, ast.Call) and _last_name(over.func) in _PASSING
            else [over]
        )
        return any(_is_it(it, name) for it in inner)
    if isinstance(node, ast.Call) and _last_name(node.func) in ("len", "sum", "tuple", "list"):
        return bool(node.args) and _is_it(node.args[0], name)
    if isinstance(node, ast.Subscript):
        return _is_it(node.value, name)
    return isinstance(node, ast.Starred) and _is_it(node.value, name)


_PASSING = ("zip", "enumerate", "reversed", "list", "tuple")

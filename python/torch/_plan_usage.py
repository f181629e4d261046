"""What a class's own source says of a constructor argument that nobody gave, where its name does not tell."""

import ast
import functools
import inspect
import sys
import textwrap

from ._plan_beside import class_beside, own_class, user_module
from ._plan_calls import keywords_given
from ._plan_wrapped import class_handed
from ._syntax import choices_of
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
        self.tree = ast.Module([part for it in classes for part in _source_of(it)], [])
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
        return any(
            _last_name(it.func) in _TAKING_MODULES and _holds_any(it.args[:1], name) for it in calls
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

    def speaks_of(self, *names):
        return any(
            getattr(it, "attr", getattr(it, "id", None)) in names for it in ast.walk(self.tree)
        )

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


def _source_of(cls):
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    except (OSError, TypeError, SyntaxError):
        return []


def _binds(function, name):
    """Whether the name is given another meaning in a loop of the function."""
    loops = (it for it in ast.walk(function) if isinstance(it, (ast.For, ast.comprehension)))
    return any(_is_name(it, name) for loop in loops for it in ast.walk(loop.target))


# Of tensors and modules, which settings are not.
_OF_VALUES = {"shape", "dtype", "device", "weight", "bias", "data", "T", "ndim"}
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


_FROM_NN = "from torch import nn"


def made_of_use(module, cls, usage, name, annotation, depth=0):
    """A class, a module or a text for the argument; None where its uses do not ask for one."""
    kind = _name_of(annotation)
    if usage.is_spread(name):
        return {}
    asked = _module_class(module, annotation) or usage.asserted_class(module, name)
    if asked is not None:
        return _of_class(module, asked) or _nothing(usage, name)
    if kind == "Module":
        return _module(module, cls, usage, name)
    if usage.is_called(name) or kind in ("type", "Callable", "Type"):
        return _class(module, cls, usage, name)
    if usage.is_list_of_modules(name):
        one = _module(module, cls, usage, name)
        return Made(lambda: [one.make()], f"[{one.text}]", one.imports, one.names)
    if usage.is_kept_and_called(name):
        return _module(module, cls, usage, name)
    if (choices := usage.choices(name)) and kind in (None, type(choices[0]).__name__):
        return choices[0]
    return _of_what_takes_it(module, cls, usage, name, depth)


def _of_what_takes_it(module, cls, usage, name, depth):
    """What another class of the project that it is handed on to makes of it: a class or a module."""
    for taker, parameter in usage.takers(module, name) if depth < _DEPTH else ():
        annotation = parameter.annotation
        used = made_of_use(module, taker, usage_of(taker), parameter.name, annotation, depth + 1)
        if isinstance(used, Made):
            return used
    return None


# Of classes that hand an argument on.
_DEPTH = 3


def _module_class(module, annotation):
    """The class of the user's that the annotation asks a module of, or None."""
    if isinstance(annotation, str):
        annotation = getattr(module, annotation.strip("'\""), None)
    return user_module(annotation)


def _name_of(annotation):
    if annotation is inspect.Parameter.empty or annotation is None:
        return None
    text = (
        annotation
        if isinstance(annotation, str)
        else getattr(annotation, "__name__", str(annotation))
    )
    return text.partition("[")[0].rpartition(".")[2]


def _class(module, cls, usage, name):
    lower = name.lower()
    if "act" in lower or "nonlin" in lower or lower in ("afn", "gate"):
        return _of_nn("GELU")
    if "norm" in lower:
        return _of_nn("BatchNorm2d" if usage.speaks_of("Conv2d") else "LayerNorm")
    if "conv" in lower:
        return _of_nn("Conv2d")
    own = own_class(module, cls, lower) or (
        own_class(module, cls, "block") if "block" in lower else None
    )
    if own is None:
        return _of_nn("Identity")
    return Made(lambda: own, own.__name__, (), (own.__name__,))


def _of_nn(name):
    from . import nn

    return Made(lambda: getattr(nn, name), f"nn.{name}", (_FROM_NN,))


# Classes that are being made: one that takes itself ends in something else.
_making = []


def _module(module, cls, usage, name):
    if (handed := _handed(module, cls, name)) is not None:
        return handed
    keywords = keywords_given(usage.tree, name)
    own = own_class(module, cls, name.lower(), keywords) or class_beside(module, name.lower())
    is_short = len(name) < 4 and own is not None and own.__name__.lower() != name.lower()
    if own is None or not name[:1].isalpha() or is_short:
        return _nothing(usage, name)
    return _of_class(module, own) or _nothing(usage, name)


def _handed(module, cls, name):
    """A module of the class that the rest of the project hands on; None where that cannot be made."""
    from ._plan_arguments import PlanError

    own = class_handed(module, cls, name) if inspect.isclass(cls) else None
    try:
        return None if own is None else _of_class(module, own)
    except PlanError:
        return None


def _of_class(module, own):
    """A module of the class, or of the first class of the file derived from it that can be made; None where none can."""
    if inspect.isabstract(own):
        derived = (it for it in vars(sys.modules[own.__module__]).values() if _is_derived(it, own))
        return next((made for it in derived if (made := _of_class(module, it))), None)
    if own in _making:
        return None
    from ._plan_arguments import PlanError, constructed

    _making.append(own)
    try:
        _, arguments = constructed(sys.modules.get(own.__module__, module), own, {})
    except (PlanError, RecursionError):
        raise
    except Exception:
        return None
    finally:
        _making.pop()
    names = (own.__name__, *arguments.imports)
    lines = tuple(arguments.prelude)
    if own.__module__ != module.__name__:
        lines += tuple(f"from {own.__module__} import {it}" for it in names)
        names = ()
    return Made(lambda: arguments.construct(own), arguments.text(own.__name__), lines, names)


def _is_derived(value, base):
    return isinstance(value, type) and issubclass(value, base) and value is not base


def _nothing(usage, name):
    """A module that gives what it takes, the first where it takes more."""
    from . import nn

    if not usage.is_called_with_more(name):
        return Made(nn.Identity, "nn.Identity()", (_FROM_NN,))
    text = (
        'type("First", (nn.Identity,), '
        '{"forward": lambda self, *args, **kwargs: [*args, *kwargs.values()][0]})()'
    )
    return Made(lambda: eval(text, {"nn": nn}), text, (_FROM_NN,))

"""Initialisations by `apply` that ran before some modules of their kinds were made.

`self.apply(self._init)` reaches the modules that there are. What the same constructor makes further
down keeps the numbers that PyTorch drew.
"""

import ast
import inspect
import linecache
import math
import sys

from normscope_boot.places import is_user_file

from ._syntax import statements_in, tree_of

# None: nobody listens.
_calls = None


class _Call:
    """`places`: (file, line, first line) of the methods that run, from that of the call to the constructor."""

    def __init__(self, module, function, places):
        self.module = module
        self.kinds = _names_in(function)
        self.places = places
        self.file, self.line, _ = places[0]
        self.reached = {id(it) for it in module.modules()}


def listen():
    global _calls
    _calls = []


def stop():
    """The calls since `listen`."""
    global _calls
    calls, _calls = _calls, None
    return calls or []


def note(module, function):
    """A call of `module.apply(function)` by the constructor of that module."""
    if _calls is None:
        return
    frame = sys._getframe(2)
    places = []
    for _ in range(4):
        if frame is None:
            return
        code = frame.f_code
        owner = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        if owner is module and is_user_file(code.co_filename):
            places.append((code.co_filename, frame.f_lineno, code.co_firstlineno))
            if code.co_name == "__init__":
                _calls.append(_Call(module, function, places))
                return
        frame = frame.f_back


def late(calls, model):
    """[file, line, text of the line, [[parameter, standard deviation that PyTorch draws]]] of each."""
    reached = {it for call in calls for it in call.reached}
    names = {id(module): name for name, module in model.named_modules()}
    found = []
    for call in calls:
        made = _made_after(call)
        weights = [
            [f"{names[id(module)]}.weight", std]
            for path, module in call.module.named_modules()
            if id(module) not in reached
            and path.split(".")[0] in made
            and id(module) in names
            and type(module).__name__ in call.kinds
            and (std := _drawn(module)) is not None
        ]
        if weights:
            text = linecache.getline(call.file, call.line).strip()
            found.append([call.file, call.line, text, weights])
    return found


def _names_in(function):
    """What a function's code speaks of, classes that it asks for among it."""
    function = inspect.unwrap(getattr(function, "func", function))
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return set(code.co_names) if code is not None else set()


def _made_after(call):
    """Attributes of self that the constructor, and what it calls, assign below the line of the call."""
    return {
        one.attr
        for file, line, start in call.places
        for function in statements_in(tree_of(file))
        if isinstance(function, ast.FunctionDef) and function.lineno == start
        for node in statements_in(function)
        if isinstance(node, ast.Assign) and node.lineno > line
        for target in node.targets
        for one in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])
        if isinstance(one, ast.Attribute)
    }


def _drawn(module):
    """The standard deviation of the weights that PyTorch's own constructor draws; None: not known."""
    weight = module._parameters.get("weight")
    own = type(module).__module__.startswith("torch.nn")
    if weight is None or not own or weight.dim() < 2:
        return None
    if type(module).__name__ == "Embedding":
        return 1.0
    return 1 / math.sqrt(3 * weight[0].numel())

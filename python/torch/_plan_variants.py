"""Functions of the file that make a class without being given anything: `def tiny(pretrained=False): …`."""

import ast
import re

from ._syntax import module_tree


def variants(module, cls):
    """Their names, small ones first."""
    body = module_tree(module).body
    functions = {it.name: it for it in body if isinstance(it, ast.FunctionDef)}
    reaching = _reaching(functions, cls.__name__)
    found = [name for name in functions if name in reaching and _needs_nothing(functions[name])]
    return sorted(found, key=lambda name: _SMALL.search(name.lower()) is None)


_SMALL = re.compile(r"nano|pico|atto|femto|tiny|mini|small|(^|_)(xxs|xs|ti|s)(_|\d|$)|\ds$")


def _reaching(functions, name):
    """The functions that speak of the class, or of one that does."""
    known = {name}
    while True:
        more = {
            it for it, node in functions.items() if it not in known and known & _spoken_of(node)
        }
        if not more:
            return known
        known |= more


def _spoken_of(node):
    return {it.id for it in ast.walk(node) if isinstance(it, ast.Name)}


def _needs_nothing(function):
    args = function.args
    required = len(args.posonlyargs) + len(args.args) - len(args.defaults)
    returns = any(isinstance(it, ast.Return) and it.value is not None for it in ast.walk(function))
    return returns and required == 0 and None not in args.kw_defaults

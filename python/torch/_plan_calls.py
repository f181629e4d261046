"""How a class calls the modules that it is given: what such a module has to take."""

import ast
import inspect


def takes(cls, keywords):
    """Whether forward of the class takes arguments of these names."""
    try:
        parameters = inspect.signature(cls.forward).parameters.values()
    except (TypeError, ValueError):
        return True
    names = {it.name for it in parameters}
    return keywords <= names or any(it.kind is inspect.Parameter.VAR_KEYWORD for it in parameters)


def keywords_given(tree, name):
    """Names of the arguments with which what came in as `name`, or each of what it holds, is called."""
    kept = {name, *_attributes_with(tree, name)}
    held = {it for loop in ast.walk(tree) for it in _loop_variables(loop, kept)}
    called = kept | held
    return {
        key.arg
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and _name(call.func) in called
        for key in call.keywords
        if key.arg is not None
    }


def _attributes_with(tree, name):
    """a of `self.a = name` and of `self.a = nn.ModuleList(name)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            value = node.value
            while isinstance(value, ast.Call) and value.args:
                value = value.args[0]
            if isinstance(value, ast.Name) and value.id == name:
                yield node.targets[0].attr


def _loop_variables(node, kept):
    """Names of a loop over one of these."""
    if isinstance(node, (ast.For, ast.comprehension)):
        if any(_name(it) in kept for it in ast.walk(node.iter)):
            yield from (it.id for it in ast.walk(node.target) if isinstance(it, ast.Name))


def _name(node):
    """a of `a` and of `self.a`."""
    return getattr(node, "attr", getattr(node, "id", None))

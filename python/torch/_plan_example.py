"""How the file itself constructs a class, for example below `if __name__ == "__main__"`."""

import ast
import inspect

from .nn.modules.module import Module


def example_arguments(module, cls):
    """Names and values of the first call of `cls` in the file that needs nothing but constants; None without one."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return None
    for scope in _scopes(tree):
        names = dict(vars(module))
        for statement in _statements(scope):
            call = _call_of(statement, cls.__name__)
            if call is not None:
                bound = _bound(cls, call, names)
                if bound is not None:
                    return bound
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                _assign(statement, names)
    return None


def _scopes(tree):
    """The main block, functions, and the file itself: not the bodies of classes."""
    for node in tree.body:
        if isinstance(node, (ast.If, ast.FunctionDef)):
            yield node.body
    yield tree.body


def _statements(body):
    for statement in body:
        yield statement
        for field in ("body", "orelse"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and not isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
                yield from _statements(inner)


def _call_of(statement, name):
    if not isinstance(statement, (ast.Assign, ast.Expr, ast.Return, ast.AnnAssign)):
        return None
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name:
            return node
    return None


def _bound(cls, call, names):
    try:
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return None
        positional = [_value(argument, names) for argument in call.args]
        given = {}
        for keyword in call.keywords:
            value = _value(keyword.value, names)
            given.update({keyword.arg: value} if keyword.arg else value)
        return inspect.signature(cls).bind(*positional, **given).arguments
    except Exception:
        return None


def _assign(statement, names):
    target = statement.targets[0]
    if isinstance(target, ast.Name):
        try:
            names[target.id] = _value(statement.value, names)
        except Exception:
            names.pop(target.id, None)


def _value(node, names):
    """The constant that an expression is; raises where it does more than name, compute or hold ones."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            made = names.get(getattr(inner.func, "id", ""))
            if not isinstance(made, type) or issubclass(made, Module):
                raise ValueError("no constant")
        elif not isinstance(inner, _CONSTANT):
            raise ValueError("no constant")
    code = compile(ast.Expression(node), "<example>", "eval")
    return eval(code, {"__builtins__": {"dict": dict, "list": list, "tuple": tuple}}, names)


_CONSTANT = (
    ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Attribute,
    ast.keyword, ast.operator, ast.unaryop, ast.expr_context,
)

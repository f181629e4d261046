"""How the file itself constructs a class: in its main block, a function that gives a variant of it, or a docstring."""

import ast
import builtins
import copy
import inspect

from ._syntax import module_tree, shown_statements
from ._plan_usage import Made
from .nn.modules.module import Module


def examples(module, cls):
    """`{name: value}` of each call of `cls` in the file that needs nothing but constants of the file."""
    shown = [shown_statements(it) for it in (cls, cls.__init__)]
    for names, scope in (*_scopes(module_tree(module)), *(({}, it) for it in shown)):
        for statement in _statements(scope):
            call = _call_of(statement, cls.__name__)
            bound = None if call is None else _bound(module, cls, call, names)
            if bound is not None:
                yield bound
            _assign(statement, names)


def _scopes(tree):
    """The main block, functions, and the file itself, each with what its names stand for: no bodies of classes."""
    for node in tree.body:
        if isinstance(node, ast.If):
            yield {}, node.body
        elif isinstance(node, ast.FunctionDef):
            yield _defaults(node.args), node.body
    yield {}, tree.body


def _defaults(args):
    """Arguments of a function as a call without any leaves them; None for one that it needs."""
    named = [*args.posonlyargs, *args.args]
    values = [None] * (len(named) - len(args.defaults)) + args.defaults
    found = dict(zip([it.arg for it in named], values))
    found |= {it.arg: value for it, value in zip(args.kwonlyargs, args.kw_defaults)}
    if args.kwarg is not None:
        found[args.kwarg.arg] = ast.Dict([], [])
    return found


def _statements(body):
    for statement in body:
        yield statement
        for field in ("body", "orelse"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and not isinstance(
                statement, (ast.ClassDef, ast.FunctionDef)
            ):
                yield from _statements(inner)


def _call_of(statement, name):
    if not isinstance(statement, (ast.Assign, ast.Expr, ast.Return, ast.AnnAssign)):
        return None
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name:
            return node
    return None


def _bound(module, cls, call, names):
    """The arguments by name; None where one is not known, or there are more than names."""
    try:
        positional = [_inlined(it, names) for it in call.args]
        keywords = {}
        for it in call.keywords:
            value = _inlined(it.value, names)
            keywords.update({it.arg: value} if it.arg else _spread(module, value))
        bound = inspect.signature(cls).bind(*positional, **keywords).arguments
        kinds = {name: it.kind for name, it in inspect.signature(cls).parameters.items()}
        if any(kinds[name] is inspect.Parameter.VAR_POSITIONAL for name in bound):
            return None
        flat = {}
        for name, node in bound.items():
            flat.update(node if kinds[name] is inspect.Parameter.VAR_KEYWORD else {name: node})
        return {name: _made(module, node) for name, node in flat.items()}
    except Exception:
        return None


def _spread(module, node):
    """What `**node` gives, by name."""
    if isinstance(node, ast.Dict) and all(isinstance(it, ast.Constant) for it in node.keys):
        return {key.value: value for key, value in zip(node.keys, node.values)}
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "dict":
        parts = [_spread(module, it) for it in node.args]
        parts += [
            {it.arg: it.value} if it.arg else _spread(module, it.value) for it in node.keywords
        ]
        return {name: value for part in parts for name, value in part.items()}
    value = _value(module, node)
    if not isinstance(value, dict):
        raise ValueError("no constant")
    return {name: ast.parse(repr(it), mode="eval").body for name, it in value.items()}


def _made(module, node):
    """The value; with its text where that is no literal."""
    value = _value(module, node)
    try:
        if repr(ast.literal_eval(repr(value))) == repr(value):
            return value
    except (ValueError, SyntaxError):
        pass
    used = {it.id for it in ast.walk(node) if isinstance(it, ast.Name)}
    names = tuple(sorted(it for it in used if it in vars(module)))
    return Made(lambda: _value(module, node), ast.unparse(node), (), names)


def _inlined(node, names):
    """The expression with what its local names stand for in their place; raises where that is not known."""

    class Inline(ast.NodeTransformer):
        def visit_Name(self, it):
            if it.id not in names:
                return it
            if names[it.id] is None:
                raise ValueError("no constant")
            return copy.deepcopy(names[it.id])

    return Inline().visit(copy.deepcopy(node))


def _assign(statement, names):
    """Keeps what a name stands for from here on; None where it is no plain assignment."""
    targets = (
        statement.targets
        if isinstance(statement, ast.Assign)
        else [getattr(statement, "target", None)]
    )
    for target in targets:
        for it in ast.walk(target) if target is not None else ():
            if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store):
                names[it.id] = _value_of(statement, target, names)


def _value_of(statement, target, names):
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or not isinstance(target, ast.Name):
        return None
    try:
        return None if statement.value is None else _inlined(statement.value, names)
    except ValueError:
        return None


def _value(module, node):
    """The constant that an expression is; raises where it does more than name, compute or hold ones."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            made = _called(module, inner.func)
            if not isinstance(made, type) or issubclass(made, Module):
                raise ValueError("no constant")
        elif not isinstance(inner, _CONSTANT):
            raise ValueError("no constant")
    code = compile(
        ast.Expression(ast.fix_missing_locations(copy.deepcopy(node))), "<example>", "eval"
    )
    return eval(code, dict(vars(module)))


def _called(module, node):
    name = getattr(node, "id", "")
    return vars(module).get(name, getattr(builtins, name, None))


_CONSTANT = (
    ast.Constant,
    ast.Name,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.UnaryOp,
    ast.BinOp,
    ast.Attribute,
    ast.Subscript,
    ast.Slice,
    ast.IfExp,
    ast.Compare,
    ast.BoolOp,
    ast.keyword,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
    ast.boolop,
    ast.expr_context,
    ast.Starred,
)

"""The norm behind the last block: Pre-LN needs one, Post-LN has none."""

import ast
import re

from .norms import Norms
from .source import (
    NotUnderstood,
    Source,
    assignments,
    body_of,
    classes,
    last_name,
    method,
    methods,
    of_dict,
    statement_of,
)


class Stack:
    """Where a class runs its blocks: `site` is the statement, `stream` the name that it assigns."""

    def __init__(self, cls, function, site, stream):
        self.cls = cls
        self.function = function
        self.site = site
        self.stream = stream


def stacks(source, blocks):
    """Of all classes that run blocks of the given classes, or what was made of these elsewhere."""
    found = classes(source.tree)
    family = _family(found, set(blocks))
    return [
        stack
        for cls in found.values()
        if cls.name not in blocks
        for stack in _stacks_of(cls, family)
    ]


def _family(found, family):
    """The classes, and those that make them."""
    while True:
        more = {name for name, cls in found.items() if _mentions(cls, family)} | family
        if more == family:
            return family
        family = more


def _mentions(node, names):
    return any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(node))


def _stacks_of(cls, family):
    attributes = _attributes(cls)
    for function in methods(cls):
        for node in ast.walk(function):
            stack = _loop(cls, function, node, attributes, family) or _sequence(
                cls, function, node, attributes, family
            )
            if stack is not None:
                yield stack


def _attributes(cls):
    found = {}
    for target, value, _ in assignments(method(cls, "__init__")):
        path = ast.unparse(target)
        found[path] = value
        for name, inner in of_dict(value):
            found[f"{path}.{name}"] = found[f"{path}[{name!r}]"] = inner
    return found


def _loop(cls, function, node, attributes, family):
    """for block in self.blocks: x = block(x)"""
    if not isinstance(node, ast.For):
        return None
    paths = [
        ast.unparse(inner)
        for inner in ast.walk(node.iter)
        if isinstance(inner, (ast.Attribute, ast.Subscript))
    ]
    if "range" in ast.unparse(node.iter):
        paths = [
            ast.unparse(inner)
            for inner in ast.walk(node)
            if isinstance(inner, (ast.Attribute, ast.Subscript))
        ]
    made = [attributes[path] for path in paths if path in attributes]
    names = {inner.id for inner in ast.walk(node.target) if isinstance(inner, ast.Name)}
    is_of_blocks = any(
        _mentions(value, family) or _is_given(value, cls) or _is_of_list(value, cls, family)
        for value in made
    )
    if not is_of_blocks and not _grown(cls, paths, family):
        return None
    for statement in ast.walk(node):
        stream = _fed_back(statement, lambda call: _calls_item(call, names))
        if stream is not None:
            return Stack(cls, function, node, stream)
    return None


def _grown(cls, paths, family):
    """self.layers.append(Block(…))"""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and ast.unparse(node.func.value) in paths
        and _mentions(node, family)
        for node in ast.walk(cls)
    )


def _is_of_list(value, cls, family):
    """nn.ModuleList(layers), `layers` being a list to which blocks were appended."""
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    makers = [
        node for node in ast.walk(cls) if isinstance(node, ast.FunctionDef) and node.name in names
    ]
    return (
        _grown(cls, names, family)
        or any(_mentions(maker, family) for maker in makers)
        or any(
            ast.unparse(target) in names and _mentions(made, family)
            for target, made, _ in assignments(method(cls, "__init__"))
        )
    )


def _is_given(value, cls):
    """Made of what __init__ was given: its blocks come from elsewhere."""
    init = method(cls, "__init__")
    given = {argument.arg for argument in init.args.args} - {"self"}
    function = last_name(value.func) if isinstance(value, ast.Call) else ""
    return (
        isinstance(value, ast.Name)
        and value.id in given
        or ("clone" in function.lower() and _mentions(value, given))
    )


def _calls_item(call, names):
    function = call.func.value if isinstance(call.func, ast.Subscript) else call.func
    if isinstance(function, ast.Name):
        return function.id in names
    return isinstance(call.func, ast.Subscript) and _mentions(call.func, names)


def _sequence(cls, function, node, attributes, family):
    """x = self.blocks(x), the blocks being one module."""

    def is_blocks(call):
        made = attributes.get(ast.unparse(call.func))
        return (
            isinstance(made, ast.Call)
            and last_name(made.func) == "Sequential"
            and _mentions(made, family)
        )

    stream = _fed_back(node, is_blocks)
    return None if stream is None else Stack(cls, function, node, stream)


def _fed_back(statement, is_block):
    """The name that a block's result is assigned to, and that it was called with; "" for `return`."""
    call = getattr(statement, "value", None)
    if (
        not isinstance(statement, (ast.Assign, ast.Return))
        or not isinstance(call, ast.Call)
        or not is_block(call)
    ):
        return None
    if isinstance(statement, ast.Return):
        return ""
    targets = [
        node.id
        for target in statement.targets
        for node in ast.walk(target)
        if isinstance(node, ast.Name)
    ]
    given = [
        node.id
        for argument in call.args
        for node in ast.walk(argument)
        if isinstance(node, ast.Name)
    ]
    return next((name for name in targets if name in given), None)


def remove(source, blocks, loops):
    """Takes the final norms out of `forward`; their modules stay, so that checkpoints still fit.

    `loops`: stacks that run their steps themselves.
    """
    pending = [*stacks(source, blocks), *loops]
    seen, lines = set(), []
    while pending:
        stack = pending.pop()
        call = _call_after(source, stack)
        if call is not None:
            if call not in seen:
                seen.add(call)
                lines.append(call.lineno)
                _take_out(source, call)
            continue
        pending.extend(owner for owner in _owners(source, stack) if owner.cls is not stack.cls)
    return lines


def _take_out(source, call):
    statement = statement_of(call)
    is_whole = isinstance(statement, ast.Assign) and statement.value is call
    if is_whole and source.of(statement.targets[0]) == source.of(call.args[0]):
        source.delete_statement(statement)
    else:
        source.unwrap(call)


def _call_after(source, stack):
    """The first call of a norm on the stream behind the blocks."""
    norms = Norms(source, stack.cls)
    calls = [
        node
        for node in ast.walk(stack.function)
        if norms.of_call(node) is not None
        and node.lineno > stack.site.end_lineno
        and (stack.stream == "" or _mentions(node.args[0], {stack.stream}))
    ]
    return min(calls, key=source.start, default=None)


def _owners(source, stack):
    """Where an instance of the stack's class is called."""
    for cls in classes(source.tree).values():
        made = {
            path
            for path, value in _attributes(cls).items()
            if isinstance(value, ast.Call) and last_name(value.func) == stack.cls.name
        }
        for function in methods(cls) if made else []:
            for node in ast.walk(function):
                stream = _fed_back(node, lambda call: ast.unparse(call.func) in made)
                if stream:
                    yield Stack(cls, function, node, stream)


def used(source, blocks):
    """The norms that stand behind the blocks, as far as their class makes them."""
    found = []
    for stack in stacks(source, blocks):
        for candidate in [stack, *_owners(source, stack)]:
            call = _call_after(source, candidate)
            norms = Norms(source, candidate.cls)
            if call is not None and norms.of_call(call) in norms.found:
                found.append(norms.found[norms.of_call(call)])
    return found


def add(source, blocks, norm_of_block, loops):
    """Puts a final norm behind the blocks: one that is made and not used, else a new one.

    `norm_of_block`: a norm of each class.
    """
    lines = []
    for stack in [*stacks(source, blocks), *loops]:
        for target, path in _places_for(source, stack):
            _apply(source, target, path or _made_anew(source, target, norm_of_block))
            lines.append(target.site.end_lineno + 1)
    return lines


def _apply(source, stack, path):
    if stack.stream == "":
        source.wrap(stack.site.value, path)
        return
    body = body_of(stack.site)
    after = next(iter(body[body.index(stack.site) + 1 :]), None)
    is_returned = isinstance(after, ast.Return) and isinstance(after.value, ast.Name)
    if is_returned and after.value.id == stack.stream:
        source.wrap(after.value, path)
    else:
        source.insert_after(stack.site, f"{stack.stream} = {path}({stack.stream})")


def _places_for(source, stack):
    """The stack, or those that own it, with the path of an unused norm; None: one is to be made."""
    owners = [owner for owner in _owners(source, stack) if owner.cls is not stack.cls]
    if any(_call_after(source, candidate) is not None for candidate in [stack, *owners]):
        return []
    own = _unused_norm(source, stack)
    if own is not None:
        return [(stack, own)]
    of_owners = [
        (owner, path) for owner in owners if (path := _unused_norm(source, owner)) is not None
    ]
    return of_owners or [(stack, None)]


def _unused_norm(source, stack):
    called = {ast.unparse(node.func) for node in ast.walk(stack.cls) if isinstance(node, ast.Call)}
    norms = Norms(source, stack.cls).found
    used = {norm.made for path, norm in norms.items() if path in called}
    unused = [path for path, norm in norms.items() if norm.made not in used]
    # Of the two ways to name an entry of a ModuleDict, the one that the class uses.
    text = source.of(stack.cls)
    return min(
        unused,
        key=lambda path: "[" in path and re.split(r"\[", path)[0] + "[" not in text,
        default=None,
    )


def _made_anew(source, stack, norm_of_block):
    """Defines a norm like the block's in the class of the stack, in the words of its __init__."""
    line = stack.site.lineno
    init = method(stack.cls, "__init__")
    block, norm, made = next(
        (
            (block, norm, node)
            for block, norm in norm_of_block.items()
            for node in ast.walk(stack.cls)
            if isinstance(node, ast.Call) and last_name(node.func) == block.name
        ),
        (None, None, None),
    )
    if init is None or made is None or norm is None or not isinstance(norm.made, ast.Call):
        raise NotUnderstood(
            "a final norm is needed behind the blocks, and it is not clear how to make it", line
        )
    text = source.of(norm.made)
    if norm.part is not None:
        text = _in_words_of(source, text, method(norm.part.cls, "__init__"), norm.part.made, line)
    text = _in_words_of(source, text, method(block, "__init__"), made, line)
    attribute = "ln_f" if "ln" in norm.path.rpartition(".")[2] else "final_norm"
    statement = statement_of(made)
    while statement.parent is not init:
        statement = statement.parent
        if statement is stack.cls:
            raise NotUnderstood("the blocks are not made in __init__", made.lineno)
    source.insert_after(statement, f"self.{attribute} = {text}")
    return f"self.{attribute}"


def _in_words_of(source, text, init, made, line):
    """A norm's expression with the parameters of `init` replaced by what its class is made with."""
    parameters = [argument.arg for argument in init.args.args][1:]
    given = dict(zip(parameters, made.args)) | {k.arg: k.value for k in made.keywords if k.arg}
    defaults = dict(zip(parameters[::-1], init.args.defaults[::-1]))
    expression = Source(text)
    parts = []
    for node in ast.walk(expression.tree):
        if not isinstance(node, ast.Name):
            continue
        if node.id in parameters:
            value = given.get(node.id, defaults.get(node.id))
            if value is None:
                raise NotUnderstood(
                    f"a final norm is needed, and '{node.id}' has no value here", line
                )
            parts.append((expression.start(node), expression.end(node), source.of(value)))
        elif node.id == "self" or _is_local(init, node.id):
            raise NotUnderstood(
                f"a final norm is needed, and '{node.id}' belongs to the block", line
            )
    out = text.encode()
    for begin, end, value in sorted(parts, reverse=True):
        out = out[:begin] + value.encode() + out[end:]
    return out.decode()


def _is_local(init, name):
    return any(
        isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name
        for node in ast.walk(init)
    )

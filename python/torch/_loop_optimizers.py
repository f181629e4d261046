"""Mistakes with what trains: optimizers, gradient scalers, schedules, and the parameters that they are given."""

import ast

from ._loop_text import method_of, owner_of, path_of, within

# Half of the smallest number of float16: what is not above it becomes 0 there.
_HALF_ZERO = 2.0**-25
_DIVIDE_BY_EPS = {"Adam", "AdamW", "NAdam", "RMSprop"}
_PACES = ("sched", "warm", "param_groups", "lr_lambda", "set_lr", "adjust_l")


def of_scope(body, loops, script):
    """(line, kind, detail) of what a function, or the file's top level, does with the loops in it."""
    for name, made in script.made.items():
        if made not in within(body):
            continue
        yield from _of_half(body, name, made, script)
        if loops and not any(it in script.text.lower() for it in _PACES):
            yield from _at_full_rate(made)
    if loops:
        yield from _never_stepped(body, script)
        yield from _spent(body, script)


def of_loop(loop):
    yield from _made_each_time(loop)
    if loop.scaler is not None:
        yield from _scaled(loop)


def _made_each_time(loop):
    """`optimizer = Adam(model.parameters())` for each batch, of a model that is not made there as well."""
    own = {ast.unparse(it) for node in _assigned(loop.node.body) for it in node.targets}
    for name, made in loop.script.made.items():
        if made not in loop.node.body or not _has_state(made.value):
            continue
        given = {ast.unparse(it) for it in ast.walk(made.value) if isinstance(it, ast.Name)}
        if not given & own and any(name in (owner_of(it), *_args(it)) for it in loop.steps):
            yield (made.lineno, "made-each-time", _kind(made.value))


def _has_state(made):
    """All optimizers keep moments between steps but for SGD without momentum."""
    momentum = [it.value for it in made.keywords if it.arg == "momentum"]
    return _kind(made) != "SGD" or any(ast.unparse(it) not in ("0", "0.0") for it in momentum)


def _scaled(loop):
    """Steps and updates that a gradient scaler needs, of `scaler.scale(loss).backward()`."""
    text, scaler = loop.script.text, loop.scaler
    plain = [it for it in loop.steps if owner_of(it) in loop.script.optimizers]
    # Behind unscale_() and a condition, a step may be left out by hand.
    own = [it.value for it in loop.node.body if isinstance(it, ast.Expr)]
    is_each = plain and (plain[0] in own or "unscale_" not in text)
    if is_each and f"{scaler}.step(" not in text:
        yield (plain[0].lineno, "scaler-passed", ast.unparse(plain[0]))
    elif f"{scaler}.step(" in text and f"{scaler}.update" not in text:
        yield (loop.steps[0].lineno, "scaler-kept", scaler)


def _never_stepped(body, script):
    """A schedule that is made in a function and named nowhere else in the file."""
    for name, made in script.schedulers.items():
        if any(it.value is made for it in _assigned(body)) and "." not in name:
            named = [it for it in ast.walk(script.tree) if isinstance(it, ast.Name)]
            if sum(it.id == name for it in named) == 1:
                yield (made.lineno, "scheduler-never", name)


def _spent(body, script):
    """`parameters()` is read once: an optimizer that gets the iterator leaves nothing for what comes later."""
    for statement in _assigned(body):
        (target,) = statement.targets if len(statement.targets) == 1 else (None,)
        if not isinstance(target, ast.Name) or not _is_iterator(statement.value, script):
            continue
        uses = [
            it
            for it in within(body)
            if isinstance(it, ast.Name) and it.id == target.id and it.lineno > statement.lineno
        ]
        takers = [it.value for it in script.made.values() if it in within(body)]
        is_taken = any(uses and uses[0] in ast.walk(it) for it in takers)
        if is_taken and len(uses) > 1 and all(isinstance(it.ctx, ast.Load) for it in uses):
            yield (uses[1].lineno, "spent", target.id)


def _is_iterator(value, script):
    if isinstance(value, ast.GeneratorExp):
        return True
    if not isinstance(value, ast.Call):
        return False
    lazy = ("filter", "map", "itertools.chain")
    return path_of(value.func, script.brought) in lazy or method_of(value) == "parameters"


def _of_half(body, name, made, script):
    """Adam of a float16 model: eps becomes 0, and a gradient of 0 is divided by 0."""
    if _kind(made.value) not in _DIVIDE_BY_EPS or not made.value.args:
        return
    given = [it.value for it in made.value.keywords if it.arg == "eps"]
    eps = given[0].value if given and isinstance(given[0], ast.Constant) else None
    models = [
        owner_of(it)
        for it in ast.walk(made.value.args[0])
        if isinstance(it, ast.Call) and method_of(it) == "parameters"
    ]
    is_small = not given or (isinstance(eps, float) and eps <= _HALF_ZERO)
    if is_small and len(models) == 1 and _is_half(body, models[0], made.lineno):
        yield (made.lineno, "half-eps", _kind(made.value))


def _is_half(body, model, line):
    """`model.half()` or `model = Model().half()` in front of the line, and nothing behind it that turns it back."""
    is_half = False
    for node in within(body):
        if not isinstance(node, (ast.Expr, ast.Assign)) or node.lineno >= line:
            continue
        calls = [it for it in ast.walk(node.value) if isinstance(it, ast.Call)]
        names = [ast.unparse(it) for it in getattr(node, "targets", [])]
        if model not in names and not any(owner_of(it) == model for it in calls):
            continue
        types = [method_of(it) for it in calls] + [arg for it in calls for arg in _args(it)]
        if "float" in types or "bfloat16" in types or "torch.float32" in types:
            is_half = False
        elif "half" in types or "torch.float16" in types or "torch.half" in types:
            is_half = True
    return is_half


def _at_full_rate(made):
    """The rate of an Adam that begins at once with it: nothing in the file says that a rate ever changes."""
    rates = [it.value for it in made.value.keywords if it.arg == "lr"] + made.value.args[1:2]
    if _kind(made.value) in ("Adam", "AdamW") and rates and isinstance(rates[0], ast.Constant):
        yield (made.lineno, "no-warm-up", str(rates[0].value))


def _assigned(body):
    return [it for it in within(body) if isinstance(it, ast.Assign)]


def _kind(made):
    return ast.unparse(made.func).split(".")[-1]


def _args(call):
    return [ast.unparse(it) for it in (*call.args, *(it.value for it in call.keywords))]

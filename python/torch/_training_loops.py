"""Mistakes of training loops, read from the text of the user's files: nothing of them is run.

What is an optimizer or a scheduler is known from where it is made (`torch.optim.AdamW(…)`; a
parameter `optimizer` is one too), and what a loop does from the order of its calls. A loop of which
that is not known has no faults.
"""

import ast
import linecache

from . import _loop_losses, _loop_optimizers
from ._loop_text import Script, calls_in, loops_of, method_of, owner_of, scopes_of, within
from ._syntax import tree_of


def faults(files):
    """[file, line, kind, detail] of each mistake."""
    return [[file, *fault] for file in files for fault in _of_file(file)]


def _of_file(file):
    text = "".join(linecache.getlines(file))
    if ".backward" not in text or ".step" not in text:
        return []
    tree = tree_of(file)
    script = Script(tree, text)
    found = list(_not_called(tree))
    for scope in scopes_of(tree):
        loops = list(loops_of(scope, script))
        found += _replaced(scope, script)
        found += _loop_optimizers.of_scope(scope, loops, script)
        for loop in loops:
            found += _of_loop(loop)
    return sorted(set(found))


def _of_loop(loop):
    yield from _kept(loop)
    yield from _averaged(loop)
    yield from _unsettled(loop)
    yield from _scheduled(loop)
    yield from _loop_losses.of_loop(loop)
    yield from _loop_optimizers.of_loop(loop)
    if loop.is_plain:
        yield from _zeroed(loop)
        yield from _clipped(loop)


_METHODS = {"zero_grad", "backward", "step", "train", "eval"}


def _not_called(tree):
    """`optimizer.zero_grad` as a statement: the brackets are missing, and nothing is done."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute):
            if node.value.attr in _METHODS:
                yield (node.lineno, "not-called", ast.unparse(node.value))


def _kept(loop):
    """No gradient is ever set to zero, or all batches of a round are added before it is."""
    text = loop.script.text
    if "deepspeed" in text:  # its step() clears
        return
    if _is_cleared_outside(loop):
        yield (loop.backward[0].lineno, "kept-round", ast.unparse(loop.steps[0]))
    is_cleared = any(it in text for it in ("zero_grad", *_CLEARS))
    made = [loop.script.made[name] for name in loop.script.made]
    is_anew = any(loop.node.lineno <= it.lineno <= loop.node.end_lineno for it in made)
    if not is_cleared and not is_anew:
        yield (loop.backward[0].lineno, "kept", ast.unparse(loop.steps[0]))


_CLEARS = (".grad = None", ".grad=None", "grad.zero_")


def _is_cleared_outside(loop):
    """Every batch takes a step, and all zero_grad() of the file stand in the loop around, as statements of its own."""
    script = loop.script
    if loop.outer is None or not loop.is_plain or any(it in script.text for it in _CLEARS):
        return False
    is_each = _is_in_one_block(loop, loop.backward[0], loop.steps[0])
    own = [it.value for it in loop.outer.body if isinstance(it, ast.Expr)]
    zeros = [it for it in own if isinstance(it, ast.Call) and method_of(it) == "zero_grad"]
    return is_each and 0 < len(zeros) == script.text.count("zero_grad")


def _zeroed(loop):
    """backward(), zero_grad(), step(), in whichever of them the round begins: nothing is left for the step."""
    if len(loop.zeros) != 1 or not _is_in_one_block(loop, loop.zeros[0], loop.steps[0]):
        return
    backward, zero, step = (it[0].lineno for it in (loop.backward, loop.zeros, loop.steps))
    name = ast.unparse(loop.steps[0])
    if backward < zero < step:
        yield (zero, "zeroed", name)
    elif _is_in_one_block(loop, loop.backward[0], loop.steps[0]):
        if zero < step < backward or step < backward < zero:
            yield (step, "stepped-first", name)


def _clipped(loop):
    if len(loop.clips) != 1:
        return
    clip = loop.clips[0]
    name = ast.unparse(clip.func).split(".")[-1]
    if clip.lineno > loop.steps[0].lineno > loop.backward[0].lineno:
        yield (clip.lineno, "clip-after", name)
    elif clip.lineno < loop.backward[0].lineno < loop.steps[0].lineno:
        yield (clip.lineno, "clip-before", name)
    elif loop.scaler is not None and _is_scaled_still(loop, clip):
        yield (clip.lineno, "clip-scaled", name)


def _is_scaled_still(loop, clip):
    """Whether no unscale_() stands in the file, or the loop's only one behind the clip, in its block."""
    if "unscale_(" not in loop.script.text:
        return True
    own = [it for it in loop.calls if method_of(it) == "unscale_"]
    return (
        len(own) == 1
        and loop.script.text.count("unscale_(") == 1
        and own[0].lineno > clip.lineno
        and _is_in_one_block(loop, clip, own[0])
    )


def _averaged(loop):
    """Gradients of several batches are added, and the loss is not divided by how many."""
    if len(loop.steps) != 1:
        return
    for count in _counts(loop):
        name = ast.unparse(count)
        if name != "1" and not _is_divided(loop.script, name):
            yield (loop.backward[0].lineno, "added", name)


def _counts(loop):
    """`n` of `if (i + 1) % n == 0:` around the step alone, and of a loop `range(n)` around backward() alone."""
    for node in within(loop.node.body):
        if not isinstance(node, (ast.If, ast.For)):
            continue
        own = calls_in(node.body)
        has_step = any(it in own for it in loop.steps)
        has_backward = any(it in own for it in loop.backward)
        if isinstance(node, ast.If) and has_step and not has_backward:
            yield from _every(node.test)
        if isinstance(node, ast.For) and has_backward and not has_step:
            made = node.iter
            is_range = isinstance(made, ast.Call) and ast.unparse(made.func) == "range"
            if is_range and len(made.args) == 1 and isinstance(made.args[0], _PLAIN):
                yield made.args[0]


# What a division by the count is written with as well.
_PLAIN = (ast.Name, ast.Attribute, ast.Constant)


def _every(test):
    """`n` of `(i + 1) % n == 0`, alone or in an `or`."""
    for it in test.values if isinstance(test, ast.BoolOp) else [test]:
        left = it.left if isinstance(it, ast.Compare) else None
        is_rest = isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod)
        if is_rest and isinstance(left.right, _PLAIN):
            yield left.right


def _is_divided(script, count):
    """Whether the file divides or multiplies by the count, or gives it where that cannot be seen."""
    for node in ast.walk(script.tree):
        given = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Mult)):
            given = [node.left, node.right]
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Div, ast.Mult)):
            given = [node.value]
        elif (
            isinstance(node, ast.Call) and ast.unparse(node.func) != "range" and not count.isdigit()
        ):
            given = [*node.args, *(it.value for it in node.keywords)]
        if any(ast.unparse(part) == count for part in given):
            return True
    return False


def _unsettled(loop):
    """`model.eval()` in the loop, and no `model.train()` behind it."""
    around = loop.outer or loop.node
    calls = calls_in(around.body)
    for call in _evaluations(calls, loop.script):
        if method_of(call) != "eval" or call.args:
            continue
        name = owner_of(call)
        called = [loop.script.functions.get(_own_name(it)) for it in calls]
        inner = [it for function in called if function for it in calls_in(function.body)]
        is_back = any(method_of(it) == "train" for it in [*calls, *inner])
        if is_back or f"{name}.train(" not in loop.script.text or not _reads(loop, name):
            continue
        # A function that is called may set the mode; only loops that do so themselves are told.
        if loop.script.text.count(".train(") > 1:
            continue
        yield (call.lineno, "eval", name)


def _evaluations(calls, script):
    """`model.eval()` among the calls, and calls of the file's own functions that do so and call no train()."""
    for call in calls:
        if method_of(call) == "eval":
            yield call
        function = script.functions.get(_own_name(call))
        if function is None:
            continue
        own = calls_in(function.body)
        names = [it.arg for it in function.args.args if it.arg != "self"]
        given = dict(zip(names, map(ast.unparse, call.args), strict=False))
        for inner in own:
            if method_of(inner) != "eval" or any(method_of(it) == "train" for it in own):
                continue
            owner = owner_of(inner)
            if owner in given or owner.startswith("self."):
                name = ast.parse(given.get(owner, owner), mode="eval").body
                func = ast.Attribute(value=name, attr="eval", ctx=ast.Load())
                yield ast.copy_location(ast.Call(func=func, args=[], keywords=[]), call)


def _own_name(call):
    """ "evaluate" of `evaluate(…)` and `self.evaluate(…)`."""
    return ast.unparse(call.func).removeprefix("self.")


def _reads(loop, name):
    return any(ast.unparse(it.func) == name for it in loop.calls)


def _scheduled(loop):
    for call in loop.paces:
        step = loop.steps[0]
        if len(loop.paces) == 1 and loop.is_plain and call.lineno < step.lineno:
            if _is_in_one_block(loop, call, step):
                yield (call.lineno, "scheduler-first", owner_of(call))
        made = loop.script.schedulers[owner_of(call)]
        length = _length(made)
        if (
            loop.outer is not None
            and isinstance(length, ast.Name)
            and _is_range(loop.outer, length.id)
        ):
            yield (call.lineno, "scheduler-often", length.id)
    if loop.outer is None:
        return
    inner = {id(it) for it in loop.calls}
    for call in calls_in(loop.outer.body):
        if id(call) in inner or not loop.is_pace(call):
            continue
        made = loop.script.schedulers[owner_of(call)]
        length = _length(made)
        if length is not None and "len(" in ast.unparse(length):
            yield (call.lineno, "scheduler-rare", ast.unparse(length))


def _length(made):
    """The argument that says after how many steps the schedule ends; None: it has none."""
    kind = ast.unparse(made.func).split(".")[-1]
    named = {
        "CosineAnnealingLR": ("T_max", 1),
        "OneCycleLR": ("total_steps", 2),
        "LinearLR": ("total_iters", 3),
        "PolynomialLR": ("total_iters", 1),
    }
    if kind not in named:
        return None
    name, at = named[kind]
    given = [it.value for it in made.keywords if it.arg == name]
    return given[0] if given else made.args[at] if len(made.args) > at else None


def _is_range(loop, name):
    """`for epoch in range(name):`"""
    return isinstance(loop, ast.For) and ast.unparse(loop.iter) in (
        f"range({name})",
        f"range(1, {name} + 1)",
    )


def _is_in_one_block(loop, first, second):
    """Whether the two calls are statements of one block: neither runs without the other."""
    for node in [loop.node, *within(loop.node.body)]:
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if not isinstance(block, list):
                continue
            own = [it.value for it in block if isinstance(it, ast.Expr)]
            if first in own and second in own:
                return True
    return False


def _replaced(body, script):
    """`model.head = nn.Linear(…)` behind `AdamW(model.parameters())`."""
    for at, statement in enumerate(body):
        made = next((it for it in script.made.values() if it is statement), None)
        if made is None:
            continue
        models = {
            owner_of(it)
            for it in ast.walk(made.value)
            if isinstance(it, ast.Call) and method_of(it) in ("parameters", "named_parameters")
        }
        for later in body[at + 1 :]:
            if not isinstance(later, ast.Assign) or not isinstance(later.value, ast.Call):
                continue
            kind = ast.unparse(later.value.func).split(".")[-1]
            target = ast.unparse(later.targets[0])
            owned = [it for it in models if target.startswith(f"{it}.") or target == it]
            # A wrapper of the model has the model's parameters.
            given = {ast.unparse(it) for it in ast.walk(later.value) if isinstance(it, ast.expr)}
            is_once = script.text.count(f"{ast.unparse(made.targets[0])} = ") == 1
            if owned and target not in given and kind[:1].isupper() and is_once:
                yield (later.lineno, "replaced", target)

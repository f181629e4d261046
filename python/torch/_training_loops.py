"""Mistakes of training loops, read from the text of the user's files: nothing of them is run.

What is an optimizer or a scheduler is known from where it is made (`torch.optim.AdamW(…)`; a
parameter `optimizer` is one too), and what a loop does from the order of its calls. A loop of which
that is not known has no faults.
"""

import ast
import linecache

from ._syntax import tree_of

_CLIPS = ("clip_grad_norm_", "clip_grad_value_")


def faults(files):
    """[file, line, kind, detail] of each mistake."""
    return [[file, *fault] for file in files for fault in _of_file(file)]


def _of_file(file):
    text = "".join(linecache.getlines(file))
    if ".backward(" not in text or ".step(" not in text:
        return []
    tree = tree_of(file)
    script = _Script(tree, text)
    found = []
    for scope in _scopes(tree):
        found += _replaced(scope, script)
        for loop in _loops(scope, script):
            found += _of_loop(loop)
    return sorted(set(found))


class _Script:
    """What the file's names are."""

    def __init__(self, tree, text):
        self.tree, self.text = tree, text
        self.optimizers, self.schedulers, self.made = set(), {}, {}
        brought = _imports(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
                continue
            path = _path(node.value.func, brought)
            for target in node.targets:
                name = ast.unparse(target)
                if path.startswith("torch.optim.lr_scheduler."):
                    self.schedulers[name] = node.value
                elif path.startswith("torch.optim."):
                    self.optimizers.add(name)
                    self.made[name] = node
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                names = {it.arg for it in node.args.args}
                self.optimizers |= names & {"optimizer", "opt"}


def _imports(tree):
    """Full paths of names that imports bring."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    found[alias.asname] = alias.name
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def _path(node, brought):
    """ "torch.optim.AdamW" of `optim.AdamW`; "" of what is no dotted name."""
    if isinstance(node, ast.Name):
        return brought.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        before = _path(node.value, brought)
        return f"{before}.{node.attr}" if before else ""
    return ""


def _scopes(tree):
    """The file's top level and each function, without the functions within."""
    yield tree.body
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.body


def _within(body):
    """All nodes below statements, those of functions and classes within left out; in order."""
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        yield statement
        for child in ast.iter_child_nodes(statement):
            yield from _within([child])


def _loops(body, script):
    """The innermost loops that hold both a backward() and a step."""

    def search(nodes, outer):
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                continue
            if not isinstance(node, (ast.For, ast.While)):
                yield from search(ast.iter_child_nodes(node), outer)
                continue
            inner = list(search(node.body, node))
            yield from inner
            loop = _Loop(node, outer, script)
            if not inner and loop.backward and loop.steps:
                yield loop

    return search(body, None)


def _calls(body):
    return [node for node in _within(body) if isinstance(node, ast.Call)]


def _method(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else None


def _owner(call):
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""


class _Loop:
    def __init__(self, loop, outer, script):
        self.node, self.outer, self.script = loop, outer, script
        self.calls = _calls(loop.body)
        self.backward = [it for it in self.calls if _method(it) == "backward"]
        self.steps = [it for it in self.calls if self._is_step(it)]
        self.zeros = [it for it in self.calls if _method(it) == "zero_grad"]
        self.clips = [it for it in self.calls if ast.unparse(it.func).endswith(_CLIPS)]
        self.paces = [it for it in self.calls if self._is_pace(it)]

    def _is_step(self, call):
        """`optimizer.step()`, or `scaler.step(optimizer)`."""
        if _method(call) != "step":
            return False
        names = [_owner(call), *(ast.unparse(it) for it in call.args)]
        return any(it in self.script.optimizers for it in names)

    def _is_pace(self, call):
        return _method(call) == "step" and _owner(call) in self.script.schedulers

    @property
    def is_plain(self):
        """One backward and one step, whose order is that of their lines."""
        return len(self.backward) == 1 and len(self.steps) == 1


def _of_loop(loop):
    yield from _kept(loop)
    yield from _averaged(loop)
    yield from _unsettled(loop)
    yield from _scheduled(loop)
    if loop.is_plain:
        yield from _zeroed(loop)
        yield from _clipped(loop)


def _kept(loop):
    """No gradient is ever set to zero."""
    text = loop.script.text
    is_cleared = any(it in text for it in ("zero_grad", ".grad = None", ".grad=None", "grad.zero_"))
    made = [loop.script.made[name] for name in loop.script.made]
    is_anew = any(loop.node.lineno <= it.lineno <= loop.node.end_lineno for it in made)
    if not is_cleared and not is_anew:
        yield (loop.backward[0].lineno, "kept", ast.unparse(loop.steps[0]))


def _zeroed(loop):
    """backward(), zero_grad(), step(): nothing is left for the step."""
    after = [it for it in loop.zeros if loop.backward[0].lineno < it.lineno < loop.steps[0].lineno]
    if len(loop.zeros) == 1 and after and _is_in_one_block(loop, after[0], loop.steps[0]):
        yield (after[0].lineno, "zeroed", ast.unparse(loop.steps[0]))


def _clipped(loop):
    if len(loop.clips) != 1:
        return
    clip = loop.clips[0]
    name = ast.unparse(clip.func).split(".")[-1]
    if clip.lineno > loop.steps[0].lineno > loop.backward[0].lineno:
        yield (clip.lineno, "clip-after", name)
    elif clip.lineno < loop.backward[0].lineno < loop.steps[0].lineno:
        yield (clip.lineno, "clip-before", name)
    elif _is_scaled(loop.backward[0]) and "unscale_(" not in loop.script.text:
        yield (clip.lineno, "clip-scaled", name)


def _is_scaled(backward):
    """`scaler.scale(loss).backward()`"""
    owner = backward.func.value
    return isinstance(owner, ast.Call) and _method(owner) == "scale"


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
    for node in _within(loop.node.body):
        if not isinstance(node, (ast.If, ast.For)):
            continue
        own = _calls(node.body)
        has_step = any(it in own for it in loop.steps)
        has_backward = any(it in own for it in loop.backward)
        if isinstance(node, ast.If) and has_step and not has_backward:
            yield from _every(node.test)
        if isinstance(node, ast.For) and has_backward and not has_step:
            made = node.iter
            is_range = isinstance(made, ast.Call) and ast.unparse(made.func) == "range"
            if is_range and len(made.args) == 1:
                yield made.args[0]


def _every(test):
    """`n` of `(i + 1) % n == 0`, alone or in an `or`."""
    for it in test.values if isinstance(test, ast.BoolOp) else [test]:
        left = it.left if isinstance(it, ast.Compare) else None
        is_rest = isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod)
        if is_rest and isinstance(left.right, (ast.Name, ast.Attribute, ast.Constant)):
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
    calls = _calls(around.body)
    for call in calls:
        if _method(call) != "eval" or call.args:
            continue
        name = _owner(call)
        is_back = any(_method(it) == "train" for it in calls)
        if is_back or f"{name}.train(" not in loop.script.text or not _reads(loop, name):
            continue
        # A function that is called may set the mode; only loops that do so themselves are told.
        if loop.script.text.count(".train(") > 1:
            continue
        yield (call.lineno, "eval", name)


def _reads(loop, name):
    return any(ast.unparse(it.func) == name for it in loop.calls)


def _scheduled(loop):
    for call in loop.paces:
        step = loop.steps[0]
        if len(loop.paces) == 1 and loop.is_plain and call.lineno < step.lineno:
            if _is_in_one_block(loop, call, step):
                yield (call.lineno, "scheduler-first", _owner(call))
        made = loop.script.schedulers[_owner(call)]
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
    for call in _calls(loop.outer.body):
        if id(call) in inner or not loop._is_pace(call):
            continue
        made = loop.script.schedulers[_owner(call)]
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
    for node in [loop.node, *_within(loop.node.body)]:
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
            _owner(it)
            for it in ast.walk(made.value)
            if isinstance(it, ast.Call) and _method(it) in ("parameters", "named_parameters")
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

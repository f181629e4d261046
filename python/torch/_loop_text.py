"""What the text of a training loop says: which names are optimizers, and which calls a loop makes in which order.

What is an optimizer or a scheduler is known from where it is made (`torch.optim.AdamW(…)`; a
parameter `optimizer` is one too). Nothing of the text is run.
"""

import ast

_CLIPS = ("clip_grad_norm_", "clip_grad_value_")


class Script:
    """What the file's names are."""

    def __init__(self, tree, text):
        self.tree, self.text = tree, text
        self.optimizers, self.schedulers, self.made = set(), {}, {}
        self.criteria = set()
        self.functions = {it.name: it for it in ast.walk(tree) if isinstance(it, ast.FunctionDef)}
        self.brought = brought = imports_of(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
                continue
            path = path_of(node.value.func, brought)
            for target in node.targets:
                name = ast.unparse(target)
                if path.startswith("torch.optim.lr_scheduler."):
                    self.schedulers[name] = node.value
                elif path.startswith("torch.optim."):
                    self.optimizers.add(name)
                    self.made[name] = node
                elif path == "torch.nn.CrossEntropyLoss":
                    self.criteria.add(name)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                names = {it.arg for it in node.args.args}
                self.optimizers |= names & {"optimizer", "opt"}


def imports_of(tree):
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


def path_of(node, brought):
    """ "torch.optim.AdamW" of `optim.AdamW`; "" of what is no dotted name."""
    if isinstance(node, ast.Name):
        return brought.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        before = path_of(node.value, brought)
        return f"{before}.{node.attr}" if before else ""
    return ""


def scopes_of(tree):
    """The file's top level and each function, without the functions within."""
    yield tree.body
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.body


def within(body):
    """All nodes below statements, those of functions and classes within left out; in order."""
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        yield statement
        for child in ast.iter_child_nodes(statement):
            yield from within([child])


def loops_of(body, script):
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
            loop = Loop(node, outer, script)
            if not inner and loop.backward and loop.steps:
                yield loop

    return search(body, None)


def calls_in(body):
    return [node for node in within(body) if isinstance(node, ast.Call)]


def method_of(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else None


def owner_of(call):
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""


class Loop:
    def __init__(self, loop, outer, script):
        self.node, self.outer, self.script = loop, outer, script
        self.calls = calls_in(loop.body)
        self.backward = [it for it in self.calls if method_of(it) == "backward"]
        self.steps = [it for it in self.calls if self._is_step(it)]
        self.zeros = [it for it in self.calls if method_of(it) == "zero_grad"]
        self.clips = [it for it in self.calls if ast.unparse(it.func).endswith(_CLIPS)]
        self.paces = [it for it in self.calls if self.is_pace(it)]

    def _is_step(self, call):
        """`optimizer.step()`, or `scaler.step(optimizer)`."""
        if method_of(call) != "step":
            return False
        names = [owner_of(call), *(ast.unparse(it) for it in call.args)]
        return any(it in self.script.optimizers for it in names)

    def is_pace(self, call):
        return method_of(call) == "step" and owner_of(call) in self.script.schedulers

    @property
    def scaler(self):
        """ "scaler" of `scaler.scale(loss).backward()`; None: the gradients are as they are."""
        owners = [it.func.value for it in self.backward]
        scales = [it for it in owners if isinstance(it, ast.Call) and method_of(it) == "scale"]
        return owner_of(scales[0]) if scales else None

    @property
    def is_plain(self):
        """One backward and one step, whose order is that of their lines."""
        return len(self.backward) == 1 and len(self.steps) == 1

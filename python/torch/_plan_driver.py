"""What the file itself does with a class: constructs it and calls it, in its main block, a function or a docstring.

That is the driver its author wrote. Only the statements that the two calls need are taken.
"""

import ast
import builtins
import dis
import inspect
import types

from ._syntax import module_tree, shown_statements

DRIVER = "<the file's own example>"


class Driver:
    """`build` and `step` in the file's own words."""

    def __init__(self, line, name, made, before, call, inputs):
        self.line = line
        # What the example calls the model.
        self.name = name
        self.made = made
        self.before = before
        self.call = call
        self.inputs = inputs
        self.output = None
        # The file that shows it, where that is not the model's own.
        self.shown_in = None

    @property
    def told(self):
        """What tells of an argument."""
        if self.shown_in is not None:
            return f"as {self.shown_in} shows it"
        return f"as the file's own example makes it, line {self.line}"

    @property
    def build_lines(self):
        return [line for it in self.before for line in ast.unparse(it).split("\n")]

    @property
    def input_lines(self):
        return [line for it in self.inputs for line in ast.unparse(it).split("\n")]

    @property
    def call_text(self):
        return ast.unparse(self.call)

    @property
    def made_text(self):
        return ast.unparse(self.made)

    def given(self, cls, values):
        """The same with arguments of the constructor that the user gave, as text; raises where it takes none such."""
        if values:
            self.made = _with_arguments(self.made, cls, values)
        return self

    def imports(self, module):
        """Names of the file that the lines use."""
        parts = [*self.before, self.made, *self.inputs, self.call]
        used = {name for part in parts for name in _read(part)}
        parts = [*self.before, *self.inputs]
        bound = {name for part in parts for name in _bound(part, False)} | {self.name}
        known = vars(module)
        return sorted(it for it in used - bound if it in known and not hasattr(builtins, it))

    def build(self, module):
        return _run(self.before, self.made, dict(vars(module)))

    def step(self, module, model):
        """The values of the call's arguments, by the names that they have then."""
        names = dict(vars(module)) | {self.name: model}
        return _run(self.inputs, None, names)

    def result(self, names):
        return eval(_compiled(self.call), names)

    def arguments(self, model):
        """(name of forward's, name in the example) of each argument that is a plain name."""
        positional = list(inspect.signature(model.forward).parameters)
        found = [
            (positional[at] if at < len(positional) else arg.id, arg.id)
            for at, arg in enumerate(self.call.args)
            if isinstance(arg, ast.Name)
        ]
        found += [
            (it.arg, it.value.id)
            for it in self.call.keywords
            if it.arg and isinstance(it.value, ast.Name)
        ]
        return found


def drivers(module, cls):
    """Examples of the class, those of the main block first; each constructs it and calls it with something."""
    tree = module_tree(module)
    makers = _makers(tree, cls.__name__)
    for body in _main_blocks(tree):
        yield from drivers_of(body, makers, module)
    for body in _scopes(tree, cls):
        yield from drivers_of(body, makers)


def drivers_of(body, makers, module=None):
    """Examples among the statements; `module`: they are of its main block, whose names are the file's own."""
    yield from _drivers_in(list(_flat(body, _calling(body, makers))), makers, module)


def _main_blocks(tree):
    main = [it for it in tree.body if isinstance(it, ast.If) and "__name__" in ast.unparse(it.test)]
    yield from (it.body for it in main)


def _scopes(tree, cls):
    functions = [it for it in tree.body if isinstance(it, ast.FunctionDef) and not _required(it)]
    yield from (it.body for it in functions)
    yield [
        it
        for it in tree.body
        if not isinstance(it, (*_DEFINITIONS, ast.ClassDef, ast.Import, ast.ImportFrom))
    ]
    for holder in (cls, cls.__init__, getattr(cls, "forward", None)):
        text = shown_statements(holder)
        if text:
            yield text


def _required(function):
    arguments = function.args
    return (
        len(arguments.posonlyargs) + len(arguments.args) > len(arguments.defaults)
        or arguments.vararg
    )


def _makers(tree, name):
    """The class, and the functions of the file that speak of it."""
    speaking = {
        it.name
        for it in tree.body
        if isinstance(it, ast.FunctionDef)
        and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(it))
    }
    return {name} | speaking


def _calling(body, makers):
    """The names that make a model and those of models made: what a call of the example starts with."""
    parts = [it for statement in body for it in ast.walk(statement)]
    made = {
        _only_target(it)
        for it in parts
        if isinstance(it, (ast.Assign, ast.AnnAssign))
        and _call_in(it, lambda call: _last_name(call.func) in makers) is not None
    }
    return makers | made - {None}


def _flat(body, calling):
    """Statements in order, those too of blocks in which one of the names is called; loops that fill tables stay whole."""
    for statement in body:
        inner = [getattr(statement, field, None) for field in ("body", "orelse", "finalbody")]
        is_block = any(isinstance(it, list) for it in inner)
        is_needed = _call_in(
            statement, lambda it: _root(it.func) in calling or _last_name(it.func) in calling
        )
        is_loop = isinstance(statement, (ast.For, ast.While))
        if isinstance(statement, (*_DEFINITIONS, ast.ClassDef)) or not is_block:
            yield statement
        elif is_loop and is_needed is None:
            yield statement
        else:
            for block in inner:
                yield from _flat(block or [], calling)


def _last_name(node):
    return getattr(node, "id", getattr(node, "attr", None))


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _drivers_in(statements, makers, module):
    unset = set() if module is None else _unset(module)
    for at, statement in enumerate(statements):
        made = _call_in(statement, lambda it: _last_name(it.func) in makers)
        name = _only_target(statement)
        if made is None or name is None:
            continue
        for later in range(at + 1, len(statements)):
            call = _call_in(statements[later], lambda it: _calls_model(it, name))
            if call is not None:
                shared = sorted(unset & {name for it in statements[:at] for name in _bound(it)})
                before = _needed(statements[:at], _read(made) | {*shared})
                before += _setting(module, shared) if shared else []
                shown, extra = _named_arguments(call)
                inputs = _needed(statements[:later], _read(shown) | _read_all(extra), {name})
                yield Driver(statement.lineno, name, made, before, shown, [*inputs, *extra])
                break


def _unset(module):
    """Names of the file that its classes and functions read, and that it has not when it is imported."""
    code = compile(module_tree(module), "<file>", "exec")
    return {*_globals_read(code)} - {*vars(module), *dir(builtins)}


def _globals_read(code):
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found = (it for it in dis.get_instructions(inner) if it.opname == "LOAD_GLOBAL")
            yield from (it.argval for it in found)
            yield from _globals_read(inner)


def _setting(module, names):
    """Lines that give the file the names, as its main block does where it is run."""
    given = ", ".join(f"{name}={name}" for name in names)
    lines = [*importing(module.__name__), f"vars(file).update({given})"]
    return ast.parse("\n".join(lines)).body


def importing(name):
    """Lines that import the module as `file`, which need not have a name of Python's."""
    if all(part.isidentifier() for part in name.split(".")):
        return [f"import {name} as file"]
    return ["import importlib", f"file = importlib.import_module({name!r})"]


def _call_in(statement, wanted):
    if isinstance(statement, (*_DEFINITIONS, ast.ClassDef)):
        return None
    return next((it for it in ast.walk(statement) if isinstance(it, ast.Call) and wanted(it)), None)


def _calls_model(call, name):
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "forward":
        function = function.value
    return (
        isinstance(function, ast.Name) and function.id == name and bool(call.args or call.keywords)
    )


def _only_target(statement):
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return getattr(statement.targets[0], "id", None)
    return getattr(statement.target, "id", None) if isinstance(statement, ast.AnnAssign) else None


def _named_arguments(call):
    """The call with a name in place of each argument that is made where it is given, and what gives them."""
    made = []

    def named(node):
        if not isinstance(node, ast.Call):
            return node
        name = f"input_{len(made) + 1}"
        made.append(ast.Assign([ast.Name(name, ast.Store())], node, lineno=node.lineno))
        return ast.Name(name, ast.Load())

    args = [named(it) for it in call.args]
    keywords = [ast.keyword(it.arg, named(it.value)) for it in call.keywords]
    function = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    return ast.Call(function, args, keywords), made


def _needed(statements, names, given=frozenset()):
    """The statements that the names rest on, in order."""
    wanted = set(names) - given
    kept = []
    for statement in reversed(statements):
        touched = _bound(statement) - given
        if touched & wanted:
            kept.insert(0, statement)
            wanted |= _read(statement) - given
    return kept


def _read(node):
    return {
        it.id for it in ast.walk(node) if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Load)
    }


def _read_all(nodes):
    return set().union(*(_read(it) for it in nodes))


def _bound(statement, or_edits=True):
    """The names that a statement binds, or whose object it edits."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(it.asname or it.name).partition(".")[0] for it in statement.names}
    if isinstance(statement, (*_DEFINITIONS, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.For, ast.While)):
        found = {
            it.id for it in ast.walk(getattr(statement, "target", statement)) if _is_stored(it)
        }
        inner = [*statement.body, *statement.orelse]
        return found.union(*(_bound(it, or_edits) for it in inner))
    if isinstance(statement, (ast.If, ast.With, ast.Try)):
        inner = [*statement.body, *getattr(statement, "orelse", [])]
        return set().union(*(_bound(it, or_edits) for it in inner))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and or_edits:
        function = statement.value.func
        return {_root(function.value)} if isinstance(function, ast.Attribute) else set()
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        names = (it for target in targets for it in ast.walk(target))
        return {
            _root(it) for it in names if isinstance(it, (ast.Name, ast.Subscript, ast.Attribute))
        }
    return set()


def _is_stored(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _root(node):
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", None)


def _with_arguments(made, cls, values):
    if getattr(made.func, "id", None) != cls.__name__:
        raise ValueError("the example calls a function")
    named = {it.arg: it.value for it in made.keywords}
    bound = inspect.signature(cls).bind_partial(*made.args, **named)
    takes = inspect.signature(cls).parameters
    for name, text in values.items():
        if name not in takes:
            raise ValueError("the constructor takes no such argument")
        bound.arguments[name] = _literal(text)
    keywords = [ast.keyword(name, value) for name, value in bound.arguments.items()]
    return ast.Call(made.func, [], keywords)


def _literal(text):
    """A Python literal, or else a text."""
    try:
        return ast.parse(repr(ast.literal_eval(text)), mode="eval").body
    except (ValueError, SyntaxError):
        return ast.Constant({"true": True, "false": False, "null": None}.get(text, text))


def _run(statements, expression, names):
    exec(compile(ast.unparse(ast.Module(statements, [])), DRIVER, "exec"), names)
    return names if expression is None else eval(_compiled(expression), names)


def _compiled(expression):
    return compile(ast.unparse(expression), DRIVER, "eval")

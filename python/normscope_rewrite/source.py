"""A Python file as text, tree and edits: what is not edited stays as it was, to the byte."""

import ast


class NotUnderstood(Exception):
    """Nothing is edited: `line` shows why."""

    def __init__(self, reason, line):
        super().__init__(reason)
        self.line = line


class Source:
    """Edits are of the text as it was parsed; `edited` makes them all."""

    def __init__(self, text):
        self.text = text
        self.bytes = text.encode()
        self.tree = ast.parse(text)
        self._starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._edits = []
        self._newline = "\r\n" if b"\r\n" in self.bytes else "\n"
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                child.parent = node

    def start(self, node):
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node):
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node):
        return self.bytes[self.start(node) : self.end(node)].decode()

    def replace(self, start, end, text):
        self._edits.append((start, end, text))

    def insert(self, at, text):
        self._edits.append((at, at, text))

    def unwrap(self, call):
        """`norm(value)` becomes `value`; over several lines the parentheses stay."""
        value = call.args[0]
        if call.lineno != call.end_lineno:
            self.replace(self.start(call), self.end(call.func), "")
            return
        self.replace(self.start(call), self.start(value), "")
        self.replace(self.end(value), self.end(call), "")

    def wrap(self, node, function):
        self.insert(self.start(node), f"{function}(")
        self.insert(self.end(node), ")")

    def delete_statement(self, statement):
        """With its line, or lines, and the comment at their end."""
        first, last = self._starts[statement.lineno - 1], self._starts[statement.end_lineno]
        around = self.bytes[first : self.start(statement)] + self.bytes[self.end(statement) : last]
        rest = around.decode().strip()
        if rest and not rest.startswith("#"):
            raise NotUnderstood("the statement shares its line with others", statement.lineno)
        if len(body_of(statement)) == 1:
            raise NotUnderstood("the statement stands alone in its block", statement.lineno)
        self.replace(first, last, "")

    def insert_before(self, statement, text):
        self.insert(
            self._starts[statement.lineno - 1], self.indent(statement) + text + self._newline
        )

    def insert_after(self, statement, text):
        at = self._starts[statement.end_lineno]
        before = "" if self.bytes[:at].endswith(b"\n") else self._newline
        self.insert(at, before + self.indent(statement) + text + self._newline)

    def indent(self, statement):
        line = self.bytes[self._starts[statement.lineno - 1] : self.start(statement)].decode()
        if line.strip():
            raise NotUnderstood("the statement shares its line with others", statement.lineno)
        return line

    def edited(self):
        out = self.bytes
        # Of edits at one place the first that was asked for stands first.
        ordered = sorted(enumerate(self._edits), key=lambda item: (item[1][0], item[1][1], item[0]))
        for _, (start, end, text) in reversed(ordered):
            out = out[:start] + text.encode() + out[end:]
        return out.decode()


def body_of(statement):
    for field in ("body", "orelse", "finalbody"):
        body = getattr(statement.parent, field, None)
        if isinstance(body, list) and statement in body:
            return body
    return [statement]


def statement_of(node):
    while not isinstance(node, ast.stmt):
        node = node.parent
    return node


def function_of(node):
    """The function that a node stands in, None outside of any."""
    while node is not None and not isinstance(node, ast.FunctionDef):
        node = getattr(node, "parent", None)
    return node


def classes(tree):
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def methods(cls):
    return [node for node in cls.body if isinstance(node, ast.FunctionDef)]


def method(cls, name):
    return next((node for node in methods(cls) if node.name == name), None)


def assignments(function):
    """Target, value and statement of each assignment to one target; of None, none."""
    for node in [] if function is None else ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            yield node.targets[0], node.value, node
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield node.target, node.value, node


def last_name(node):
    """`LayerNorm` of `nn.LayerNorm`."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def of_dict(made):
    """Names and values of nn.ModuleDict(dict(…)) and nn.ModuleDict({…})."""
    if not isinstance(made, ast.Call) or last_name(made.func) != "ModuleDict" or not made.args:
        return []
    inner = made.args[0]
    if isinstance(inner, ast.Call) and last_name(inner.func) == "dict":
        return [(keyword.arg, keyword.value) for keyword in inner.keywords if keyword.arg]
    if isinstance(inner, ast.Dict):
        return [
            (key.value, value)
            for key, value in zip(inner.keys, inner.values)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        ]
    return []

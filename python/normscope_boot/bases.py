"""Classes whose base is of a package that is not there: those with a forward are modules."""

import ast
import linecache


def class_with_forward(frame):
    """The name of the class that is being made in the frame, where it has a forward; else None."""
    try:
        tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename)))
    except SyntaxError:
        return None
    for node in (it for it in ast.walk(tree) if isinstance(it, ast.ClassDef)):
        first = min([node.lineno, *(it.lineno for it in node.decorator_list)])
        if first <= frame.f_lineno <= node.body[0].lineno:
            names = {getattr(it, "name", None) for it in node.body}
            return node.name if {"forward", "__init__"} <= names else None
    return None


def module_base(placeholder):
    from torch import nn

    def begin(self, *args, **kwargs):
        if args or kwargs:
            # What the real one would do with them is not known.
            placeholder._refuse()
        nn.Module.__init__(self)

    return type("Missing", (nn.Module,), {"__init__": begin})

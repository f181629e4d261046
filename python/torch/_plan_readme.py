"""What a project's README shows of a class: it is constructed and called, in a block of Python."""

import ast
import os
import re

from ._plan_driver import drivers_of
from ._plan_project import root_of
from ._syntax import class_line, parsed

_BLOCK = re.compile(r"^```(?:python|py)[ \t]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def shown_drivers(module, cls):
    """Examples of the README of the file's project, in their order, that call the class."""
    name, text = _readme(root_of(getattr(module, "__file__", "")))
    for source in _BLOCK.findall(text):
        body = _statements(source, module) if re.search(rf"\b{cls.__name__}\(", source) else []
        for driver in drivers_of(body, {cls.__name__}):
            driver.line = class_line(cls)
            driver.shown_in = name
            yield driver


def _readme(root):
    """Its name and text; empty texts where there is none."""
    names = sorted(os.listdir(root)) if root is not None else []
    name = next((it for it in names if it.lower() in ("readme.md", "readme.markdown")), None)
    if name is None:
        return "", ""
    try:
        with open(f"{root}/{name}", encoding="utf-8") as file:
            return name, file.read()
    except (OSError, UnicodeDecodeError):
        return "", ""


def _statements(source, module):
    """Those of the block, but for imports of what the file has itself; none where it is not Python."""
    try:
        body = parsed(source).body
    except (SyntaxError, ValueError):
        return []
    known = vars(module)
    return [it for it in body if not (_is_import(it) and _imported(it) <= known.keys())]


def _is_import(statement):
    return isinstance(statement, (ast.Import, ast.ImportFrom))


def _imported(statement):
    return {(it.asname or it.name).partition(".")[0] for it in statement.names}

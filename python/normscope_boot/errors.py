"""Exceptions as plain descriptions, and descriptions of the host as exceptions."""

import builtins
import collections
import itertools
import json
import linecache
import sys
import traceback

from normscope_boot.imports import missing_of_all
from normscope_boot.places import SITE, is_user_file

_HIDDEN = (
    SITE + "normscope_boot/",
    SITE + "realm.js",
    "/lib/python314.zip/importlib/",
    "<frozen importlib",
)
_KEPT = 50
_JAVASCRIPT = (".js", ".mjs", ".cjs", ".ts")
_described = []


def describe(error):
    """A dict of the exception that `call` of the package could not return from."""
    error = missing_of_all(error) or error
    _described.append(error)
    return {
        "type": type(error).__qualname__,
        "message": _message(error),
        "code": getattr(error, "normscope_code", None),
        "hint": getattr(error, "normscope_hint", None),
        "frames": _frames(error),
        "text": _text(error),
        "number": len(_described) - 1,
    }


def warm_up():
    """Makes the first description as fast as the others: modules imported, files cached."""
    try:
        json.loads("{")
    except ValueError as error:
        describe(error)
    _described.clear()


def raise_error(kind, message, code=None, hint=None, number=None):
    """Raises the host's error as Python's; `number` is that of an error described before."""
    if number is not None:
        raise _described[number]
    error = _class_of(kind)(message)
    # Where the host says no more than that PyTorch raises, a class of the stand-in may have its own.
    if code != "trace/python" or not hasattr(error, "normscope_code"):
        error.normscope_code = code
        error.normscope_hint = hint
    try:
        raise error
    finally:
        # The frame is one of the error's own: it would hold itself, and all that its callers hold.
        del error


def _class_of(kind):
    torch = sys.modules.get("torch")
    found = getattr(builtins, kind, None) or getattr(torch, kind, None)
    is_exception = isinstance(found, type) and issubclass(found, BaseException)
    return found if is_exception else RuntimeError


def _message(error):
    if isinstance(error, SyntaxError):
        return error.msg or ""
    try:
        return str(error)
    except Exception:
        return "<the exception's text could not be made>"


def _frames(error):
    """Outermost first. Columns are zero-based UTF-16 units, None where unknown."""
    shown = (tb for tb in _chain(error.__traceback__) if not _is_hidden(_file(tb)))
    frames = [_frame(tb) for tb in _ends_of(shown)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append(_syntax_frame(error))
    about = getattr(getattr(error, "normscope_about", None), "__code__", None)
    if about is not None and is_user_file(about.co_filename):
        frames.append(_head_frame(about))
    return frames


def _chain(tb):
    while tb is not None:
        yield tb
        tb = tb.tb_next


def _file(tb):
    return tb.tb_frame.f_code.co_filename


def _ends_of(calls):
    """The outermost and the innermost, where endless recursion has made millions."""
    outermost = list(itertools.islice(calls, _KEPT))
    innermost = collections.deque(calls, _KEPT)
    return [*outermost, *innermost]


def _frame(tb):
    code = tb.tb_frame.f_code
    line, end_line, column, end_column = _position(tb)
    text = linecache.getline(code.co_filename, line)
    if end_line != line:
        end_column = len(text.rstrip("\n").encode())
    return {
        "file": code.co_filename,
        "line": line,
        "column": _utf16(text, column),
        "endColumn": _utf16(text, end_column),
        "function": code.co_qualname,
        "library": not is_user_file(code.co_filename),
    }


def _position(tb):
    positions = tb.tb_frame.f_code.co_positions()
    found = next(itertools.islice(positions, tb.tb_lasti // 2, None), None)
    line, end_line, column, end_column = found or (None, None, None, None)
    if line is None:
        return tb.tb_lineno or 1, tb.tb_lineno or 1, None, None
    return line, end_line, column, end_column


def _utf16(text, utf8_column):
    if utf8_column is None or not text:
        return None
    before = text.encode()[:utf8_column].decode(errors="replace")
    return len(before.encode("utf-16-le")) // 2


def _syntax_frame(error):
    line = error.lineno or 1
    text = error.text or linecache.getline(error.filename, line)
    start = max((error.offset or 1) - 1, 0)
    on_one_line = error.end_lineno in (None, line)
    end = (error.end_offset or 0) - 1 if on_one_line else len(text.rstrip("\n"))
    return {
        "file": error.filename,
        "line": line,
        "column": _utf16_of_characters(text, start),
        "endColumn": _utf16_of_characters(text, max(end, start + 1)),
        "function": "<module>",
        "library": False,
    }


def _head_frame(code):
    """The first line of a function that the error is about, as no line of it was running."""
    return {
        "file": code.co_filename,
        "line": code.co_firstlineno,
        "column": None,
        "endColumn": None,
        "function": code.co_qualname,
        "library": False,
    }


def _utf16_of_characters(text, column):
    return len(text[:column].encode("utf-16-le")) // 2


def _is_hidden(file):
    """The machinery's own frames, among them JavaScript's that Pyodide may add."""
    return file.startswith((*_HIDDEN, "node:")) or "://" in file or file.endswith(_JAVASCRIPT)


def _text(error):
    """Python's own traceback, without the frames of this package and of the import system."""
    try:
        innermost = _last(error.__traceback__, _KEPT)
        report = traceback.TracebackException(type(error), error, innermost)
        _hide(report, set())
        return "".join(report.format())
    except BaseException:
        return f"{type(error).__qualname__}: {_message(error)}\n"


def _last(tb, count):
    """The traceback of at most `count` innermost calls."""
    kept = collections.deque(_chain(tb), count)
    return kept[0] if kept else None


def _hide(report, seen):
    if report is None or id(report) in seen:
        return
    seen.add(id(report))
    kept = [frame for frame in report.stack if not _is_hidden(frame.filename)]
    report.stack = traceback.StackSummary.from_list(kept)
    _hide(report.__cause__, seen)
    _hide(report.__context__, seen)

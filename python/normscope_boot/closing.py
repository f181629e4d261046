"""Takes away the modules that lead from Python into JavaScript or into raw memory."""

import sys

from normscope_boot import imports

_CLOSED = ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "ctypes", "_ctypes")


# Parts of Python's own library that are made of ctypes.
_OF_CLOSED = ("multiprocessing.sharedctypes",)


def is_closed(name):
    return name.partition(".")[0] in _CLOSED


def close():
    """To be called once, after Pyodide's own start and before any code of the user."""
    kept = [finder for finder in sys.meta_path if not _leads_out(finder)]
    sys.meta_path[:] = [_Refusal, *kept]
    for name in [name for name in sys.modules if is_closed(name)]:
        del sys.modules[name]


def _leads_out(finder):
    return is_closed(finder.__module__)


class _Refusal:
    """First of sys.meta_path: the closed modules look as if they were not installed."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if not is_closed(name) and name not in _OF_CLOSED:
            return None
        # Files import it beside what a run needs: a name that is refused when it is used.
        is_named = name.startswith("ctypes") or name in _OF_CLOSED
        named = imports.missing_spec(name, sys._getframe(1)) if is_named else None
        if named is not None:
            return named
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

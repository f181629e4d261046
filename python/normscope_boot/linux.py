"""What Python has on Linux, beside PyTorch, and not in WebAssembly."""

import importlib
import os
import urllib

# PyTorch imports them itself: `import urllib` is enough to speak of them.
_OF_URLLIB = ("error", "parse", "request", "response")


def install():
    os.sched_getaffinity = _one_processor
    urllib.__getattr__ = _part_of_urllib


def _one_processor(pid):
    return {0}


def _part_of_urllib(name):
    if name in _OF_URLLIB:
        return importlib.import_module(f"urllib.{name}")
    raise AttributeError(f"module 'urllib' has no attribute {name!r}")

"""What `importlib.metadata` knows of the packages that are here: their versions."""

import importlib
import importlib.metadata
import importlib.util
import re
import sys

from normscope_boot.places import SITE


def install():
    sys.meta_path.append(_Finder)


class _Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return None

    @staticmethod
    def find_distributions(context):
        name = re.sub(r"[-.]+", "_", context.name or "").lower()
        if name in _ONLY_ASKED_FOR or _is_here(name):
            yield _Package(name)


# Packages that large ones want installed before they are imported, though a model runs without them.
_ONLY_ASKED_FOR = {
    "filelock": "3.20.0",
    "importlib_metadata": "8.7.0",
    "pyyaml": "6.0.3",
    "regex": "2025.9.18",
    "requests": "2.32.5",
    "tokenizers": "0.22.1",
}


def _is_here(name):
    if not name.isidentifier():
        return False
    spec = importlib.util.find_spec(name)
    return spec is not None and (spec.origin or "").startswith(SITE)


class _Package(importlib.metadata.Distribution):
    def __init__(self, name):
        self._package = name

    def read_text(self, filename):
        if filename != "METADATA":
            return None
        version = _ONLY_ASKED_FOR.get(self._package) or _version_here(self._package)
        return f"Metadata-Version: 2.1\nName: {self._package}\nVersion: {version}\n"

    def locate_file(self, path):
        return path


def _version_here(package):
    return getattr(importlib.import_module(package), "__version__", "0")

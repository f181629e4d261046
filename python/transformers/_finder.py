"""`transformers.models.x.configuration_x`: the configs that are known, where files look for them."""

import importlib.machinery
import re
import sys

from normscope_boot.imports import give_placeholders

from ._configs import config_named

_NAMES = re.compile(r"transformers\.models\.(\w+)(\.configuration_\1)?")


def install():
    sys.meta_path.append(_Finder)


class _Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if not _NAMES.fullmatch(name):
            return None
        return importlib.machinery.ModuleSpec(name, _Loader, is_package=True)


class _Loader:
    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        module.__path__ = []
        module.__getattr__ = lambda name: _config(module, name)
        give_placeholders(module)


def _config(module, name):
    import transformers

    if config_named(name) is None:
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}", name=name)
    # One class, wherever it is asked for.
    return getattr(transformers, name)

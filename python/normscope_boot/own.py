"""Packages of the user's own in place of those that stand in for them."""

import importlib.machinery
import os
import sys

from normscope_boot.places import SITE


def prefer_own(own, named):
    """Packages of the user's own, first folder first, in place of what stands in for them here.

    `named` are the folders of packages; of those that have a PyTorch, which packages of its world need
    whole, none is taken.
    """
    folders = [*own, *(it for it in named if not os.path.isdir(f"{it}/torch"))]
    sys.meta_path.insert(0, _OwnPackages(folders))
    for name in GIVING_WAY:
        if _OwnPackages(folders).find_spec(name) is not None:
            for module in [it for it in sys.modules if it == name or it.startswith(name + ".")]:
                del sys.modules[module]


class _OwnPackages:
    def __init__(self, folders):
        self._folders = folders

    def find_spec(self, name, path=None, target=None):
        if name not in GIVING_WAY:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, self._folders)
        return spec if spec is not None and spec.loader is not None else None


# What a package of compiled code is not replaced by, and what is nobody's package.
_STAYING = {
    *("torch", "numpy", "safetensors"),
    *("normscope_boot", "normscope_rewrite", "normscope_needed"),
}
GIVING_WAY = {name.removesuffix(".py") for name in os.listdir(SITE)} - _STAYING

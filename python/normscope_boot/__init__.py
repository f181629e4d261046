"""What runs before and around the user's code: imports, errors, the host's functions."""

import gc
import importlib
import linecache
import os
import sys
import types

from normscope_boot import (
    closing,
    errors,
    imports,
    linux,
    older,
    own,
    places,
    printed,
    shadows,
    training,
    versions,
)
from normscope_boot.errors import describe, raise_error  # noqa: F401

host = types.ModuleType("_normscope_host", "Functions of the tracer, bound when Python starts.")
sys.modules["_normscope_host"] = host


def prepare_snapshot():
    """Imports all that a model file is likely to want, so that no start pays for it."""
    for name in _PRELOADED:
        importlib.import_module(name)
    imports.install()
    training.install()
    versions.install()
    linux.install()
    older.install()
    errors.warm_up()
    _clear_freed_memory()


def _clear_freed_memory():
    """Zeros over what was freed: the snapshot is shipped packed, and 0.6 MB of it were remains."""
    linecache.clearcache()
    gc.collect()
    # As many of each size as lie free, so that memory does not grow.
    blocks = [bytes(size) for size in range(16, 481, 16) for _ in range(400)]
    del blocks


def bind_host(name, function):
    setattr(host, name, function)


def open_workspace(script_folder, roots, package_folders):
    """Makes `script_folder` the first of sys.path; `roots` are where user code can lie."""
    os.environ.clear()
    os.environ["HOME"] = "/home/user"
    # What getpass.getuser() gives.
    os.environ["USER"] = "user"
    os.chdir(script_folder)
    places.user_roots[:] = roots
    above = _folders_above(script_folder)
    sys.path[:] = [script_folder, *filter(None, sys.path), *package_folders, *above]
    sys.meta_path.insert(0, shadows.PackagesAbove(script_folder, above))
    own.prefer_own([script_folder, *above], package_folders)
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    printed.start()
    closing.close()


def _folders_above(folder):
    """Those of the workspace, nearest first: where a project's own modules lie that a file imports."""
    above = []
    while places.is_user_file(folder):
        folder = os.path.dirname(folder)
        above.append(folder)
    return above


def call(module, name, *arguments):
    """Returns ["value", result] or ["error", description]; never raises."""
    try:
        return ["value", getattr(importlib.import_module(module), name)(*arguments)]
    except BaseException as error:
        return ["error", describe(error)]


_PRELOADED = (
    "__future__ abc argparse ast bisect collections collections.abc contextlib copy csv "
    "dataclasses datetime decimal dis enum fractions functools gc glob hashlib heapq html "
    "importlib.metadata importlib.resources importlib.util inspect io itertools json keyword "
    "linecache logging math numbers operator os os.path pathlib pickle platform pprint queue "
    "random re shutil statistics string struct tempfile textwrap threading time token tokenize "
    "traceback types typing unittest.mock urllib.parse uuid warnings weakref torch torch._run numpy "
    "_ast_unparse "
    "einops einops.layers.torch timm timm.data timm.layers timm.models timm.models.layers "
    "timm.models.registry timm.models.vision_transformer beartype fairscale "
    "fairscale.nn.model_parallel.layers fairscale.nn.model_parallel.mappings "
    "fairscale.nn.model_parallel.utils torchvision torchvision.ops torchvision.ops.boxes torchvision.ops.misc "
    "transformers transformers.modeling_outputs transformers.utils transformers.utils.generic "
    "transformers.utils.logging transformers.generation transformers.pytorch_utils"
).split()

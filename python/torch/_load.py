"""The user's file as a module, in the package that it belongs to."""

import ast
import importlib
import importlib.util
import os
import sys
import types

from ._syntax import statements_in, tree_of


def load(path, text):
    """The script as a module under its file's name, so that classes in it can be found again.

    A file that imports from its own package is loaded as a part of it, whatever is first on the
    path; any other one by itself, so that no package's `__init__` is needed for it.
    """
    name = path.rpartition("/")[2].removesuffix(".py")
    # As `python file.py`: some files read themselves, or parse arguments where they are imported.
    sys.argv[:] = [path]
    if text is None:
        package, top = _package_of(path)
        if package:
            sys.path.insert(0, top)
            _import_package(package, top)
            name = f"{package}.{name}"
            if name in sys.modules:
                return sys.modules[name]
        spec = importlib.util.spec_from_file_location(name, path)
        script = importlib.util.module_from_spec(spec)
        sys.modules[name] = script
        spec.loader.exec_module(script)
        return script
    script = types.ModuleType(name)
    script.__file__ = path
    sys.modules[name] = script
    exec(compile(text, path, "exec"), script.__dict__)
    return script


def _package_of(path):
    """The dotted package that the file needs to be in, and the folder where that package lies."""
    level, names = _imports(path)
    top = os.path.dirname(path)
    parts = []
    while top != "/" and (os.path.exists(f"{top}/__init__.py") or len(parts) < level):
        above, _, part = top.rpartition("/")
        if not part.isidentifier():
            break
        top = above
        parts.insert(0, part)
    name = path.rpartition("/")[2].removesuffix(".py")
    if not parts and name in names:
        return _package_named(name, top)
    if not parts:
        return "", top
    return (".".join(parts), top) if level or names & {parts[0], name} else ("", top)


def _package_named(name, folder):
    """The package of a file that imports from one of its own name, which has no `__init__`."""
    parts = folder.split("/")
    if name not in parts:
        return _package_beside(name, folder)
    at = len(parts) - 1 - parts[::-1].index(name)
    return ".".join(parts[at:]), "/".join(parts[:at])


def _package_beside(name, folder):
    """The package of a file that has the name of another one, which lies in a folder above."""
    inner, top = [], folder
    while not os.path.isdir(f"{top}/{name}"):
        top, _, part = top.rpartition("/")
        inner.insert(0, part)
        if not top or not part.isidentifier():
            return "", folder
    return ".".join(inner), top


def _imports(path):
    """The highest level of a relative import, and the first names of the absolute ones."""
    level, names = 0, set()
    for node in statements_in(tree_of(path)):
        if isinstance(node, ast.ImportFrom):
            level = max(level, node.level)
            if not node.level:
                names.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
    return level, names


def _import_package(package, top):
    """Imports the packages that the file is in; one that cannot be imported is just a folder."""
    parts = package.split(".")
    for end in range(1, len(parts) + 1):
        name = ".".join(parts[:end])
        try:
            importlib.import_module(name)
        except Exception:
            bare = types.ModuleType(name)
            bare.__path__ = [os.path.join(top, *parts[:end])]
            bare.__package__ = name
            sys.modules[name] = bare

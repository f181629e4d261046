"""Packages that are not there: an ImportError where the code is ready for one, else at first use.

A model file often imports more than the run needs. Where the import stands in a `try` that catches
ImportError, it fails at once, so that the file's own fallback works; elsewhere it gives a
placeholder, which is refused when something is done with it.
"""

import dis
import importlib.machinery
import inspect
import sys
import types

from normscope_boot.assumptions import assume
from normscope_boot.bases import class_with_forward, module_base
from normscope_boot.own import GIVING_WAY
from normscope_boot.places import SITE, innermost, is_user_file
from normscope_boot.tries import is_prepared, is_tried

INSTALLED_HINT = (
    "Name a folder of pure-Python packages that has it (--packages DIR), or guard the import "
    "with try/except ImportError"
)
UNSUPPORTED_HINT = "docs/torch.md lists what is supported"


def install():
    """Makes this the last resort of the import system."""
    sys.meta_path.insert(0, _LaterParts)
    sys.meta_path.append(_LastResort)
    for module in list(sys.modules.values()):
        if _is_of_the_site(module):
            give_placeholders(module)


class _LaterParts:
    """Parts of the packages here that nobody has imported before: they give placeholders too."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if not any(it.startswith(SITE) for it in path or ()):
            return None
        return _with_placeholders(importlib.machinery.PathFinder.find_spec(name, path))


def _with_placeholders(spec):
    if spec is not None and spec.loader is not None:
        execute = spec.loader.exec_module
        spec.loader.exec_module = lambda module: (execute(module), give_placeholders(module))
    return spec


def give_placeholders(module):
    """`from torch.x import name` of a name that is not supported is refused when the name is used."""
    own = vars(module).get("__getattr__")

    def __getattr__(name):
        if name == "__path__":
            # So that a submodule that is not there is looked for, and gets a placeholder.
            return []
        try:
            if own is not None:
                return own(name)
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}", name=name)
        except AttributeError as error:
            frame = sys._getframe(1)
            if not _may_be_there(module, name, error):
                raise
            is_imported = _imports_from(frame) and not is_prepared(frame)
            if not (is_imported or _is_part(module, frame) or _is_named(error, frame)):
                raise
            file, line = frame.f_code.co_filename, frame.f_lineno
            return _Placeholder(f"{module.__name__}.{name}", module.__name__, (file, line))

    module.__getattr__ = __getattr__


def _may_be_there(module, name, error):
    """Whether the package has the name, as far as is known."""
    if name.startswith("__"):
        return False
    from torch._names import of as names_of

    known = names_of(module.__name__)
    return not known or name in known or hasattr(error, "normscope_code")


def _imports_from(frame):
    """Whether the frame is a user's at `from … import`."""
    return _stands_at(frame, "IMPORT_FROM")


def _stands_at(frame, operation):
    """Whether the frame is a user's at such an instruction."""
    if not is_user_file(frame.f_code.co_filename):
        return False
    at = frame.f_lasti
    return any(
        it.offset == at and it.opname.startswith(operation)
        for it in dis.get_instructions(frame.f_code)
    )


def _is_part(module, frame):
    """Whether a file says `timm.create_model`, of a package of which only a part is here."""
    is_ours = module.__name__.partition(".")[0] in GIVING_WAY
    return is_ours and _stands_at(frame, "LOAD_ATTR")


def _is_named(error, frame):
    """Whether a file or the body of a class says `torch.x.name` of what is not supported, ready for no error."""
    if not hasattr(error, "normscope_code") or not _is_top_level(frame):
        return False
    return _stands_at(frame, "LOAD_ATTR") and not is_tried(frame)


class _LastResort:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return missing_spec(name, sys._getframe(1))


def missing_spec(name, frame):
    """What stands in for a module that is not there; None where the code is ready for an ImportError."""
    importer = _importer(frame)
    if importer is None or is_prepared(importer) or _is_in_local_package(name):
        return None
    needed = importlib.machinery.PathFinder.find_spec(name, [_NEEDED])
    if needed is not None:
        return _with_placeholders(needed)
    loader = _PlaceholderLoader(importer.f_code.co_filename, importer.f_lineno)
    return importlib.machinery.ModuleSpec(name, loader, is_package=True)


# Packages for a device that is not here: files that do without one go their own way.
_NEEDED = f"{SITE}normscope_needed"


def _importer(frame):
    """The frame of the user's that imports; None if it only asks whether a module exists."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file == "<frozen importlib.util>":
            return None
        if not file.startswith("<frozen importlib") and not file.endswith("/importlib/__init__.py"):
            return frame if is_user_file(file) else None
        frame = frame.f_back
    return None


def _is_in_local_package(name):
    parent = sys.modules.get(name.rpartition(".")[0])
    return is_user_file(getattr(parent, "__file__", None) or "")


class _PlaceholderLoader:
    def __init__(self, file, line):
        self._where = (file, line)

    def create_module(self, spec):
        return _PlaceholderModule(spec.name, self._where)

    def exec_module(self, module):
        module.__path__ = []


# By file, the last module that is not there of which it imports all names.
_all_of = {}


def missing_of_all(error):
    """The error to tell where a name may be one that `from absent import *` was to give; None for any other."""
    tb = innermost(error) if type(error) is NameError else None
    module = _all_of.get(tb.tb_frame.f_code.co_filename) if tb is not None else None
    if module is None:
        return None
    name = f"{module.__name__}.{error.name}"
    return _missing(name, module.__name__, module._normscope_where).with_traceback(
        error.__traceback__
    )


class _PlaceholderModule(types.ModuleType):
    def __init__(self, name, where):
        super().__init__(name)
        self.__dict__["_normscope_where"] = where

    def __getattr__(self, name):
        if name == "__all__":
            _all_of[sys._getframe(1).f_code.co_filename] = self
        if name.startswith("__") and name != "__version__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return _Placeholder(f"{self.__name__}.{name}", self.__name__, self._normscope_where)

    # `from package import Name` makes a module of a name.
    def __call__(self, *args, **kwargs):
        return _called(self._as_name(), sys._getframe(1))

    def __mro_entries__(self, bases):
        return _as_bases(self._as_name(), sys._getframe(1))

    def _as_name(self):
        return _Placeholder(
            self.__name__, self.__name__.rpartition(".")[0] or self.__name__, self._normscope_where
        )


class _Placeholder:
    """A name of a missing module. It may be passed around and named in annotations."""

    _normscope_stands_for = "a name of a package that is not there"

    def __init__(self, name, module, where):
        self.__dict__.update(_name=name, _module=module, _where=where)

    def __getattr__(self, name):
        if name in ("__name__", "__qualname__"):
            return self._name.rpartition(".")[2]
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _Placeholder(f"{self._name}.{name}", self._module, self._where)

    def __instancecheck__(self, instance):
        return False

    def __subclasscheck__(self, subclass):
        return False

    def __getitem__(self, item):
        return self

    def __or__(self, other):
        return self

    __ror__ = __or__

    def __repr__(self):
        return f"<{self._name}, of a package that is not there>"

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and _is_own_class(args[0]):
            # A decorator, which enters it in a table.
            return args[0]
        if len(args) == 1 and not kwargs and _is_own_function(args[0], sys._getframe(1)):
            assume(f"'{self._name}' is not here: '{args[0].__name__}' is taken as it stands")
            return args[0]
        return _called(self, sys._getframe(1))

    # A table that a file makes of a version, or of a package's choices, may never be used.
    def __iter__(self):
        if not _is_top_level(sys._getframe(1)):
            self._refuse()
        return iter(())

    def __mro_entries__(self, bases):
        return _as_bases(self, sys._getframe(1))

    def _refuse(self, *_args, **_kwargs):
        raise _missing(self._name, self._module, self._where)


def placeholder(name):
    """Something of a package of the site that is not there: refused when it is used."""
    return _Placeholder(name, name.partition(".")[0], None)


def _called(placeholder, frame):
    if not _is_top_level(frame):
        placeholder._refuse()
    return _Placeholder(f"{placeholder._name}(…)", placeholder._module, placeholder._where)


def _is_own_class(value):
    return isinstance(value, type) and is_user_file(
        getattr(sys.modules.get(value.__module__), "__file__", None) or ""
    )


def _is_own_function(value, frame):
    """Whether it is a function of the user's that is decorated: not called with others in a run."""
    is_function = isinstance(value, types.FunctionType) and is_user_file(value.__code__.co_filename)
    return is_function and _is_top_level(frame)


def _as_bases(placeholder, frame):
    if not _is_top_level(frame):
        placeholder._refuse()
    if name := class_with_forward(frame):
        assume(f"'{name}' is taken for an nn.Module: its base '{placeholder._name}' is not here")
        return (module_base(placeholder),)
    return (type("Missing", (_MissingBase,), {"_placeholder": placeholder}),)


class _MissingBase:
    """The base of a class whose real one is missing: what a file makes of the class may never be used."""

    def __init_subclass__(cls, **options):
        pass

    def __new__(cls, *_args, **_kwargs):
        return _called(cls._placeholder, sys._getframe(1))


def _is_top_level(frame):
    """Whether the frame runs a file or the body of a class: what is made there may never be used."""
    return not frame.f_code.co_flags & inspect.CO_OPTIMIZED


def _missing(name, module, where):
    package = module.partition(".")[0]
    is_supported_in_part = package in sys.modules and _is_of_the_site(sys.modules[package])
    if is_supported_in_part:
        error = NotImplementedError(f"{name} is not supported")
        error.normscope_code = "trace/unsupported-module"
        error.normscope_hint = UNSUPPORTED_HINT
    else:
        error = ModuleNotFoundError(
            f"No module named {package!r}, which {name} needs", name=package
        )
        error.normscope_code = "trace/missing-package"
        error.normscope_hint = INSTALLED_HINT
    if where is not None:
        error.add_note(f"It was imported in {where[0]}, line {where[1]}")
    return error


def _is_of_the_site(module):
    return (getattr(module, "__file__", None) or "").startswith(SITE)


def _computed(placeholder, *_others):
    return _called(placeholder, sys._getframe(1))


# A constant that a file makes of a package's own may never be used.
for _operation in "add radd sub rsub mul rmul truediv rtruediv floordiv mod pow matmul neg".split():
    setattr(_Placeholder, f"__{_operation}__", _computed)

_REFUSED = "next len bool contains enter exit await int float index lt le gt ge setattr setitem"
for _operation in _REFUSED.split():
    setattr(_Placeholder, f"__{_operation}__", _Placeholder._refuse)

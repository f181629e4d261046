"""nn.Module: registration, calling with hooks, state, modes."""

import functools
from collections import OrderedDict

from ... import _applied, _plain, _stray_flags, _tied
from ..._devices import check as check_device
from ..._devices import stay
from ..._functions import typename
from ..._tensor import Tensor
from ..parameter import Buffer, Parameter
from . import _calling
from ._conversion import conversion, emptied, moved_parameter
from ._global_hooks import *  # noqa: F403
from ._global_hooks import registered_buffer, registered_module, registered_parameter
from ._handles import add_hook, keep_to_kind, refuse_arguments
from ._held import held
from ._state import Stateful


def _unimplemented(self, *input):
    raise NotImplementedError(
        f'Module [{type(self).__name__}] is missing the required "forward" function'
    )


class Module(Stateful):
    """Base class of all models and layers."""

    dump_patches = False
    call_super_init = False
    _version = 1

    def __init__(self, *args, **kwargs):
        refuse_arguments(type(self).__name__, args, kwargs)
        set_ = super().__setattr__
        set_("training", True)
        set_("_parameters", {})
        set_("_buffers", {})
        set_("_non_persistent_buffers_set", set())
        set_("_modules", {})
        for name in _calling.HOOK_TABLES:
            set_(name, OrderedDict())
        set_("_forward_pre_hooks_with_kwargs", set())
        set_("_forward_hooks_with_kwargs", set())
        set_("_forward_hooks_always_called", set())

    forward = _unimplemented

    def __call__(self, *args, **kwargs):
        return _calling.call_module(self, args, kwargs)

    _call_impl = __call__

    # Registration

    def register_parameter(self, name, param):
        self._check_name("parameter", name, "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None:
            param = registered_parameter(self, name, param)
        self._parameters[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        self._check_name("buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = registered_buffer(self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name, module):
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._check_name("module", name, "_modules")
        self._modules[name] = registered_module(self, name, module)

    register_module = add_module

    def _check_name(self, kind, name, table):
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {type(name).__name__}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in self.__dict__[table]:
            raise KeyError(f"attribute '{name}' already exists")

    def __setattr__(self, name, value):
        tables = self.__dict__
        parameters = tables.get("_parameters")
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_parameters")
            _tied.note_parameter(self, name, value)
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' "
                    "(torch.nn.Parameter or None expected)"
                )
            parameters[name] = None
        elif isinstance(value, Module):
            if "_modules" not in tables:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, "_modules")
            _tied.note_module(self, name, value)
            self._modules[name] = registered_module(self, name, value)
        elif name in tables.get("_modules", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' "
                    "(torch.nn.Module or None expected)"
                )
            self._modules[name] = None
        elif isinstance(value, Buffer):
            self._forget(name, "_buffers")
            self.register_buffer(name, value, value.persistent)
        elif name in tables.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{typename(value)}' as buffer '{name}' "
                    "(torch.nn.Buffer, torch.Tensor or None expected)"
                )
            self._buffers[name] = registered_buffer(self, name, value)
        else:
            watcher = _plain if isinstance(value, Tensor) else _stray_flags
            watcher.note(self, name, value)
            super().__setattr__(name, value)

    def _forget(self, name, kept):
        """Takes a name out of all tables but one, where a successor keeps its place."""
        tables = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            if table != kept:
                tables.get(table, {}).pop(name, None)
        tables.pop(name, None)

    def __getattr__(self, name):
        tables = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            found = tables.get(table)
            if found is not None and name in found:
                return found[name]
        if name in tables.get("_asleep", ()):
            return tables["_wake"](name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name):
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self):
        own = [*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers]
        return sorted(name for name in own if not name[0].isdigit())

    # Walking

    def _named_members(self, members, prefix="", recurse=True, remove_duplicate=True):
        seen = set()
        walk = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for path, module in walk if recurse else [(prefix, self)]:
            for name, member in members(module):
                if member is None or (remove_duplicate and id(member) in seen):
                    continue
                seen.add(id(member))
                yield path + ("." if path else "") + name, member

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def parameters(self, recurse=True):
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse=True):
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_children(self):
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        for _, module in self.named_children():
            yield module

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                inner = prefix + ("." if prefix else "") + name
                yield from module.named_modules(memo, inner, remove_duplicate)

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def get_submodule(self, target):
        module = self
        for item in target.split(".") if target else ():
            if not hasattr(module, item):
                raise AttributeError(f"{type(module).__name__} has no attribute `{item}`")
            module = getattr(module, item)
            if not isinstance(module, Module):
                raise AttributeError(f"`{item}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        path, _, name = target.rpartition(".")
        setattr(self.get_submodule(path), name, module)

    def get_parameter(self, target):
        return held(self, target, Parameter, "an nn.Parameter")

    def get_buffer(self, target):
        return held(self, target, Buffer, "a buffer")

    def apply(self, fn):
        _applied.note(self, fn)
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    # Types and places

    def _apply(self, fn, recurse=True):
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, parameter in self._parameters.items():
            if parameter is not None:
                self._parameters[name] = moved_parameter(parameter, fn(parameter.data))
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *args, **kwargs):
        convert = conversion(args, kwargs)
        return self if convert is None else self._apply(convert)

    def type(self, dst_type):
        return self._apply(lambda t: t.type(dst_type))

    def _cast(self, dtype_name):
        return self._apply(lambda t: getattr(t, dtype_name)() if t.is_floating_point() else t)

    def float(self):
        return self._cast("float")

    def double(self):
        return self._cast("double")

    def half(self):
        return self._cast("half")

    def bfloat16(self):
        return self._cast("bfloat16")

    def cpu(self):
        return self

    def cuda(self, device=None):
        stay()
        return self

    def to_empty(self, *, device, recurse=True):
        check_device(device)
        return self._apply(emptied(device), recurse)

    def share_memory(self):
        return self

    # Modes

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters():
            parameter.grad = None

    def compile(self, *args, **kwargs):
        pass

    # Hooks

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        mark = self._forward_pre_hooks_with_kwargs if with_kwargs else None
        return add_hook(self._forward_pre_hooks, hook, prepend, mark)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        mark = self._forward_hooks_with_kwargs if with_kwargs else None
        handle = add_hook(self._forward_hooks, hook, prepend, mark)
        if always_call:
            self._forward_hooks_always_called.add(handle.id)
        return handle

    def register_full_backward_hook(self, hook, prepend=False):
        keep_to_kind(self, "full")
        return add_hook(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook):
        keep_to_kind(self, "regular")
        return add_hook(self._backward_hooks, hook)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        return add_hook(self._backward_pre_hooks, hook, prepend)

    def register_state_dict_pre_hook(self, hook):
        return add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook):
        return add_hook(self._state_dict_hooks, hook)

    _register_state_dict_hook = register_state_dict_post_hook

    def register_load_state_dict_pre_hook(self, hook):
        return add_hook(self._load_state_dict_pre_hooks, functools.partial(hook, self))

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return add_hook(
            self._load_state_dict_pre_hooks, functools.partial(hook, self) if with_module else hook
        )

    def register_load_state_dict_post_hook(self, hook):
        return add_hook(self._load_state_dict_post_hooks, hook)

    def __setstate__(self, state):
        self.__dict__.update(state)

    # Text

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = []
        for name, module in self._modules.items():
            text = repr(module).split("\n")
            children.append(
                f"({name}): " + "\n".join([text[0], *("  " + line for line in text[1:])])
            )
        if not children and len(lines) <= 1:
            return f"{self._get_name()}({extra})"
        body = "\n  ".join(lines + children)
        return f"{self._get_name()}(\n  {body}\n)"

"""Calling a module: hooks around forward, and the host told what runs."""

import contextlib

from ..._host import _LIBRARIES, host
from ..._tensor import Tensor

HOOK_TABLES = (
    "_backward_pre_hooks",
    "_backward_hooks",
    "_forward_pre_hooks",
    "_forward_hooks",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)

# id(module) → path, for the model whose step is running.
paths = {}
# Set for the step: the model, until its first call has named its arguments.
root = None
# The module with parameters of its own whose forward has ended last.
last_layer = None
# Hooks of all modules, by the id of their handle.
global_forward_hooks = {}
global_forward_pre_hooks = {}
global_forward_hooks_with_kwargs = set()
global_forward_hooks_always_called = set()
global_backward_hooks = {}
global_backward_pre_hooks = {}
# Hooks that run even where forward raises, of calls that are running: those that did.
_already_ran = set()


def begin_step(model):
    """Names the modules for the calls to come."""
    global root, last_layer
    root, last_layer = model, None
    paths.clear()
    for path, module in model.named_modules():
        paths[id(module)] = path


def call_module(module, args, kwargs):
    if module._forward_hooks_always_called or global_forward_hooks_always_called:
        return _call_with_always_called(module, args, kwargs)
    return _call(module, args, kwargs)


def _call_with_always_called(module, args, kwargs):
    """As PyTorch does, what these hooks raise after forward has raised is passed over."""
    own = {*module._forward_hooks_always_called, *global_forward_hooks_always_called}
    _already_ran.difference_update(own)
    try:
        return _call(module, args, kwargs)
    except Exception:
        for id_, hook, with_kwargs in _forward_hooks_of(module):
            if id_ in own and id_ not in _already_ran:
                with contextlib.suppress(Exception):
                    hook(module, args, kwargs, None) if with_kwargs else hook(module, args, None)
        raise


def _call(module, args, kwargs):
    global last_layer
    name = type(module).__name__
    path = paths.get(id(module))
    if path is None:
        path = "?" + name
    elif module is root:
        _name_inputs(module, args, kwargs)
    file, line = _place(type(module))
    host.enter(path, name, file, line, _ids(args), _held(args, kwargs))
    try:
        args, kwargs, watch = _before(module, args, kwargs)
        result = module.forward(*args, **kwargs)
    except BaseException:
        host.abandon_module()
        raise
    if module._parameters:
        last_layer = module
    found = []
    _outputs(result, "", found)
    host.exit("\n".join(key for key, _ in found), ",".join(str(t._id) for _, t in found))
    return _after(module, args, kwargs, result, watch)


def _before(module, args, kwargs):
    backward_hooks = (*global_backward_hooks.values(), *module._backward_hooks.values())
    backward_pre_hooks = (*global_backward_pre_hooks.values(), *module._backward_pre_hooks.values())
    for id_, hook in [*global_forward_pre_hooks.items(), *module._forward_pre_hooks.items()]:
        if id_ in module._forward_pre_hooks_with_kwargs:
            changed = hook(module, args, kwargs)
            if changed is None:
                continue
            if not isinstance(changed, tuple) or len(changed) != 2:
                raise RuntimeError(
                    "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                    f"but got {changed}."
                )
            args, kwargs = changed
        else:
            changed = hook(module, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
    if backward_hooks or backward_pre_hooks:
        from ... import _hooks

        args, watch = _hooks.watch_inputs(module, args, backward_hooks, backward_pre_hooks)
        return args, kwargs, watch
    return args, kwargs, None


def _forward_hooks_of(module):
    """(id, hook, whether it takes the arguments by name) of each, those of all modules first."""
    for id_, hook in list(global_forward_hooks.items()):
        yield id_, hook, id_ in global_forward_hooks_with_kwargs
    for id_, hook in list(module._forward_hooks.items()):
        yield id_, hook, id_ in module._forward_hooks_with_kwargs


def _after(module, args, kwargs, result, watch):
    if global_forward_hooks or module._forward_hooks:
        for id_, hook, with_kwargs in _forward_hooks_of(module):
            _already_ran.add(id_)
            if with_kwargs:
                changed = hook(module, args, kwargs, result)
            else:
                changed = hook(module, args, result)
            if changed is not None:
                result = changed
    if watch is not None:
        from ... import _hooks

        result = _hooks.watch_outputs(result, watch)
    return result


def _name_inputs(module, args, kwargs):
    """The tensors that the model is called with are the graph's inputs, named as forward names them."""
    global root
    root = None
    code = getattr(type(module).forward, "__code__", None)
    names = code.co_varnames[1 : code.co_argcount] if code else ()
    given = [
        *((names[i] if i < len(names) else f"input_{i}", arg) for i, arg in enumerate(args)),
        *kwargs.items(),
    ]
    for name, arg in given:
        if isinstance(arg, Tensor):
            host.model_input(arg._id, name)


_places = {}


def _place(cls):
    """Where a class is defined, or what it is derived from if it has no function; nothing for torch's own."""
    known = _places.get(cls)
    if known is None:
        own = vars(cls)
        functions = (own.get("__init__"), own.get("forward"), *own.values())
        code = next((it.__code__ for it in functions if hasattr(it, "__code__")), None)
        if code is None and cls.__base__ not in (None, object):
            return _place(cls.__base__)
        file = code.co_filename if code else ""
        own = not file or file.startswith(_LIBRARIES)
        known = _places[cls] = (
            ("", 0) if own else (file, getattr(cls, "__firstlineno__", code.co_firstlineno))
        )
    return known


def _ids(args):
    return ",".join(str(arg._id) for arg in args if isinstance(arg, Tensor))


def _held(args, kwargs):
    """Tensors within lists, dicts and objects of the user's among the arguments, and those given by name."""
    found = []
    for value in (*args, *kwargs.values()):
        if not isinstance(value, Tensor):
            _hold(value, found, 4)
    found += [value for value in kwargs.values() if isinstance(value, Tensor)]
    return ",".join(str(tensor._id) for tensor in found[:_MOST_HELD])


# A cache of some layers; what is larger is not looked at whole.
_MOST_HELD = 64


def _hold(value, found, depth):
    if isinstance(value, Tensor):
        found.append(value)
    elif depth == 0 or len(found) >= _MOST_HELD:
        return
    elif isinstance(value, (list, tuple)):
        for item in value:
            _hold(item, found, depth - 1)
    elif isinstance(value, dict):
        _hold(list(value.values()), found, depth - 1)
    elif _is_plain(type(value)):
        _hold(list(vars(value).values()), found, depth - 1)


def _is_plain(cls):
    """An object of a class of the user's that is no module: a cache."""
    return cls.__dictoffset__ != 0 and not hasattr(cls, "forward") and bool(_place(cls)[0])


def _outputs(value, key, found):
    """Every tensor in what forward returned, with the path to it."""
    if isinstance(value, Tensor):
        found.append((key, value))
    elif isinstance(value, dict):
        for name, item in value.items():
            _outputs(item, f"{key}.{name}", found)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            _outputs(item, f"{key}.{i}", found)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            _outputs(getattr(value, name), f"{key}.{name}", found)

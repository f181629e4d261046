"""Hooks of optimizers: around `step`, and around saving and loading their state."""

import functools
from collections import OrderedDict

from ..nn.modules._handles import add_hook

_global_optimizer_pre_hooks = OrderedDict()
_global_optimizer_post_hooks = OrderedDict()


def register_optimizer_step_pre_hook(hook):
    """`hook(optimizer, args, kwargs)` runs before `step` of every optimizer."""
    return add_hook(_global_optimizer_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """`hook(optimizer, args, kwargs)` runs after `step` of every optimizer."""
    return add_hook(_global_optimizer_post_hooks, hook)


def hook_step(cls):
    """Makes `step` of a class run the hooks, once however many optimizers are made of it."""
    step = cls.step
    if getattr(step, "hooked", False):
        return

    @functools.wraps(step)
    def hooked(*args, **kwargs):
        self = args[0]
        for hook in [
            *_global_optimizer_pre_hooks.values(),
            *self._optimizer_step_pre_hooks.values(),
        ]:
            changed = hook(self, args, kwargs)
            if changed is None:
                continue
            if not isinstance(changed, tuple) or len(changed) != 2:
                raise RuntimeError(
                    f"{step} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                )
            args, kwargs = changed
        result = step(*args, **kwargs)
        for hook in [
            *self._optimizer_step_post_hooks.values(),
            *_global_optimizer_post_hooks.values(),
        ]:
            hook(self, args, kwargs)
        return result

    hooked.hooked = True
    cls.step = hooked


class StepHooks:
    """The part of an optimizer that takes hooks."""

    def _make_hooks(self):
        self._optimizer_step_pre_hooks = OrderedDict()
        self._optimizer_step_post_hooks = OrderedDict()
        self._optimizer_state_dict_pre_hooks = OrderedDict()
        self._optimizer_state_dict_post_hooks = OrderedDict()
        self._optimizer_load_state_dict_pre_hooks = OrderedDict()
        self._optimizer_load_state_dict_post_hooks = OrderedDict()
        hook_step(type(self))

    def register_step_pre_hook(self, hook):
        return add_hook(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        return add_hook(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        return add_hook(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        return add_hook(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        return add_hook(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        return add_hook(self._optimizer_load_state_dict_post_hooks, hook, prepend)


def replaced_by(hooks, optimizer, state_dict):
    """A state dict, or what the hooks gave in its place."""
    for hook in list(hooks.values()):
        changed = hook(optimizer, state_dict)
        state_dict = state_dict if changed is None else changed
    return state_dict

"""Follows nothing."""

import contextlib


def _follow(*args, **kwargs):
    pass


add = add_global_step = debug = new_line = reset = save = set_global_step = _follow
set_histogram = set_image = set_queue = set_scalar = set_tensor = set_text = _follow


def get_global_step():
    return 0


def namespace(name):
    return contextlib.nullcontext()

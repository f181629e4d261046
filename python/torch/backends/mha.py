"""torch.backends.mha."""

_state = {"fast": True}


def get_fastpath_enabled():
    return _state["fast"]


def set_fastpath_enabled(value):
    _state["fast"] = value

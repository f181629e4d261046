"""torch._VF: functions of the C++ part, by the names that layers use."""

from ._call import call
from .nn._composites.recurrent import (  # noqa: F401
    gru,
    gru_cell,
    lstm,
    lstm_cell,
    rnn_relu,
    rnn_relu_cell,
    rnn_tanh,
    rnn_tanh_cell,
)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch._VF' has no attribute '{name}'", name=name)
    return lambda *args, **kwargs: call(name, args, kwargs)

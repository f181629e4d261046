"""Outputs of layers that a caller may ask for: a run asks for none of them."""

import functools
import sys
from dataclasses import dataclass

from normscope_boot.imports import give_placeholders
from torch._unsupported import unsupported


@dataclass
class OutputRecorder:
    target_class: type
    index: int = 0
    layer_name: str | None = None
    class_name: str | None = None
    capture_initial_hidden_state: bool = True
    num_hidden_layers_key: str = "num_hidden_layers"


def capture_outputs(forward=None, *, tie_last_hidden_states=True):
    if forward is None:
        return capture_outputs

    @functools.wraps(forward)
    def wrapped(self, *args, **kwargs):
        return_dict = kwargs.pop("return_dict", getattr(self.config, "return_dict", True))
        for kind in getattr(self, "_can_record_outputs", None) or {}:
            asked = f"output_{kind}"
            if kwargs.get(asked, getattr(self.config, asked, False)):
                raise unsupported(f"{type(self).__name__} with {asked}=True")
        output = forward(self, *args, **kwargs)
        return output.to_tuple() if return_dict is False else output

    return wrapped


def select_hidden_states(selection):
    return lambda function: function


give_placeholders(sys.modules[__name__])

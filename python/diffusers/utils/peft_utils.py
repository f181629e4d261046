"""LoRA by the package peft, which is not here: no layer has a scale to change."""

import functools


def scale_lora_layers(model, weight):
    pass


def unscale_lora_layers(model, weight=None):
    pass


def apply_lora_scale(kwargs_name="joint_attention_kwargs"):
    """A forward that is not told the `scale` of its keyword arguments for attention."""

    def decorate(forward):
        @functools.wraps(forward)
        def wrapped(self, *args, **kwargs):
            if kwargs.get(kwargs_name) is not None:
                told = {key: value for key, value in kwargs[kwargs_name].items() if key != "scale"}
                kwargs[kwargs_name] = told
            return forward(self, *args, **kwargs)

        return wrapped

    return decorate

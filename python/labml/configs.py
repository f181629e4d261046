"""Settings of experiments: classes of them can be written down, and nothing is chosen by them."""

import inspect


class _Named(type):
    """A field that has no value stands for its name, as what gives its value is told of by it."""

    def __getattr__(cls, name):
        if any(name in inspect.get_annotations(it) for it in cls.__mro__):
            return name
        raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")


class BaseConfigs(metaclass=_Named):
    pass


def option(name, *options):
    return lambda function: function


def calculate(name, *options):
    pass


aggregate = hyperparams = meta_config = calculate

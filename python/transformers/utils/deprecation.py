"""Names that arguments had before."""

import functools


def deprecate_kwarg(old_name, version=None, new_name=None, *args, **options):
    def decorate(function):
        @functools.wraps(function)
        def renamed(*args, **kwargs):
            if old_name in kwargs:
                value = kwargs.pop(old_name)
                if new_name is not None and kwargs.get(new_name) is None:
                    kwargs[new_name] = value
            return function(*args, **kwargs)

        return renamed

    return decorate

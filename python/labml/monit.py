"""Goes through what it is given, and shows nothing of it."""

import contextlib


def section(name=None, **options):
    return contextlib.nullcontext()


def iterate(name, iterable, *args, **options):
    return iter(range(iterable) if isinstance(iterable, int) else iterable)


def enum(name, iterable, *args, **options):
    return enumerate(iterable)


def progress(*args, **options):
    pass


loop = iter

"""Questions about types: every value is of every type."""


def is_bearable(obj, hint, *, conf=None):
    return True


def die_if_unbearable(obj, hint, *, conf=None):
    pass

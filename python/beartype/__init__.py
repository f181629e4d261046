"""A stand-in for beartype: checks of types that hold change nothing, so nothing is checked."""


def beartype(obj=None, *, conf=None):
    if obj is None:
        return beartype
    return obj


class BeartypeConf:
    def __init__(self, **options):
        self.options = options

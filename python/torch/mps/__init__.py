"""torch.mps on a machine that has no such device."""


def is_available():
    return False


def device_count():
    return 0


def empty_cache():
    pass


def manual_seed(seed):
    pass


def synchronize(*args):
    raise RuntimeError("There is no device of type 'mps'")

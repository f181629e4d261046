"""The default generator: seeds and states."""

from ._host import host


class Generator:
    """All generators are the default one here; a seed given to one seeds it."""

    def __init__(self, device="cpu"):
        self.device = device

    def manual_seed(self, seed):
        manual_seed(seed)
        return self

    def initial_seed(self):
        return initial_seed()

    def seed(self):
        return seed()

    def get_state(self):
        return get_rng_state()

    def set_state(self, state):
        set_rng_state(state)


default_generator = Generator()


def manual_seed(seed):
    host.manual_seed(int(seed))
    return default_generator


def initial_seed():
    return host.initial_seed()


def seed():
    manual_seed(0)
    return 0


def get_rng_state():
    from ._tensor import wrap

    return wrap(host.rng_state())


def set_rng_state(state):
    host.set_rng_state(state._id)

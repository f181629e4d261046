"""Generators of random numbers: PyTorch's default one, and those that a script makes."""

import contextlib

from . import _dtypes
from ._host import host

# What a generator has before anybody seeds it.
_DEFAULT_SEED = 67280421310721
# Bytes of a state.
_STATE_SIZE = 5056


class Generator:
    """A stream of random numbers. Number 0 of the host is the default one."""

    _number = None
    _seed = _DEFAULT_SEED

    def __init__(self, device="cpu"):
        from ._dtypes import device as make_device

        self.device = make_device(device)

    @property
    def _at(self):
        if self._number is None:
            self._number = host.new_generator(_DEFAULT_SEED % 2**32)
        return self._number

    def manual_seed(self, seed):
        host.manual_seed(self._at, _low_bits(seed))
        self._seed = int(seed) % 2**64
        return self

    def initial_seed(self):
        return self._seed

    def seed(self):
        self.manual_seed(0)
        return 0

    def get_state(self):
        from ._tensor import wrap

        return wrap(host.rng_state(self._at))

    def set_state(self, new_state):
        _check_state(new_state)
        seed = host.set_rng_state(self._at, new_state._id)
        if seed != _low_bits(self._seed):
            self._seed = seed

    def clone_state(self):
        made = Generator(self.device)
        made.set_state(self.get_state())
        return made


default_generator = Generator()
default_generator._number = 0


def _check_state(state):
    from ._tensor import Tensor

    if not isinstance(state, Tensor):
        raise TypeError(f"expected a torch.ByteTensor, but got {type(state).__name__}")
    if state.dtype is not _dtypes.uint8:
        raise TypeError("RNG state must be a torch.ByteTensor")
    if state.numel() != _STATE_SIZE:
        raise RuntimeError(
            f"Expected a CPUGeneratorImplState of size {_STATE_SIZE} but found the input RNG state "
            f"size to be {state.numel()}"
        )


def _low_bits(seed):
    """The 32 bits of a seed that the generator takes."""
    seed = int(seed)
    if not -(2**63) <= seed < 2**64:
        raise RuntimeError("Overflow when unpacking long long")
    return seed % 2**32


def manual_seed(seed):
    return default_generator.manual_seed(seed)


def initial_seed():
    return default_generator.initial_seed()


def seed():
    return default_generator.seed()


def get_rng_state():
    return default_generator.get_state()


def set_rng_state(new_state):
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, **options):
    """What is drawn within leaves the default generator as it was."""
    state = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(state)


@contextlib.contextmanager
def drawing_from(generator):
    """Random calls within draw from `generator`."""
    if generator is None or generator is default_generator:
        yield
        return
    host.use_generator(generator._at)
    try:
        yield
    finally:
        host.use_generator(0)

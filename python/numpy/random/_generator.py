"""numpy.random.default_rng: PCG64 seeded by a SeedSequence, and the distributions of numpy's Generator.

O'Neill 2014, https://www.pcg-random.org/paper.html; normals by the ziggurat of Marsaglia and Tsang 2000.
"""

import itertools
import math

from torch._unsupported import unsupported

from .._array import array, asarray, ndarray
from ._state import _items

_M32 = 2**32 - 1
_M64 = 2**64 - 1
_M128 = 2**128 - 1
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645


def default_rng(seed=None):
    if isinstance(seed, Generator):
        return seed
    return Generator(PCG64(0 if seed is None else seed))


class PCG64:
    def __init__(self, seed=None):
        words = seed if hasattr(seed, "__len__") else [seed or 0]
        a, b, c, d = _seed_words([int(word) for word in words])
        self._increment = (((c << 64 | d) << 1) | 1) & _M128
        self._state = 0
        self._advance()
        self._state = (self._state + (a << 64 | b)) & _M128
        self._advance()
        self._half = None

    def _advance(self):
        self._state = (self._state * _MULTIPLIER + self._increment) & _M128

    def next64(self):
        self._advance()
        turn = self._state >> 122
        mixed = (self._state >> 64) ^ (self._state & _M64)
        return ((mixed >> turn) | (mixed << (64 - turn))) & _M64

    def next32(self):
        if self._half is not None:
            half, self._half = self._half, None
            return half
        drawn = self.next64()
        self._half = drawn >> 32
        return drawn & _M32

    def next_double(self):
        return (self.next64() >> 11) * 2.0**-53


def _seed_words(numbers):
    """SeedSequence's pool of four words, and the eight that it gives as four of 64 bits."""
    entropy = [word for number in numbers for word in _words_of(number)]
    constant = [0x43B0D7E5]

    def hashed(value):
        value ^= constant[0]
        constant[0] = constant[0] * 0x931E8875 & _M32
        value = value * constant[0] & _M32
        return value ^ value >> 16

    def mixed(x, y):
        result = (0xCA01F9DD * x - 0x4973F715 * y) & _M32
        return result ^ result >> 16

    pool = [hashed(entropy[i] if i < len(entropy) else 0) for i in range(4)]
    for i, k in itertools.permutations(range(4), 2):
        pool[k] = mixed(pool[k], hashed(pool[i]))
    for word, k in itertools.product(entropy[4:], range(4)):
        pool[k] = mixed(pool[k], hashed(word))
    state, constant = [], 0x8B51F9DD
    for i in range(8):
        value = pool[i % 4] ^ constant
        constant = constant * 0x58F38DED & _M32
        value = value * constant & _M32
        state.append(value ^ value >> 16)
    return [low | high << 32 for low, high in zip(state[::2], state[1::2])]


def _words_of(number):
    if number < 0:
        raise ValueError("expected non-negative integer")
    words = [number & _M32]
    while number := number >> 32:
        words.append(number & _M32)
    return words


_RIGHT = 3.6541528853610088


def _ziggurat():
    """256 layers of one area: where each ends, as a share of 2**52, and how high it is there."""

    def height(x):
        return math.exp(-0.5 * x * x)

    area = _RIGHT * height(_RIGHT) + math.sqrt(math.pi / 2) * math.erfc(_RIGHT / math.sqrt(2))
    ends = [0.0] * 256
    ends[255] = _RIGHT
    for i in range(254, 0, -1):
        ends[i] = math.sqrt(-2.0 * math.log(area / ends[i + 1] + height(ends[i + 1])))
    lowest = area / height(_RIGHT)
    within = [int(_RIGHT / lowest * 2**52), 0]
    within += [int(ends[i] / ends[i + 1] * 2**52) for i in range(1, 255)]
    widths = [x * 2.0**-52 for x in (lowest, *ends[1:])]
    return within, widths, [1.0, *map(height, ends[1:])]


class Generator:
    def __init__(self, bit_generator):
        self.bit_generator = self._bits = bit_generator
        self._table = None

    def _many(self, draw, size, dtype="float64"):
        if size is None:
            return draw()
        sizes = tuple(size) if hasattr(size, "__iter__") else (size,)
        return array([draw() for _ in range(math.prod(sizes))], dtype=dtype).reshape(sizes)

    def random(self, size=None, dtype="float64"):
        _only_double(dtype)
        return self._many(self._bits.next_double, size)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._many(lambda: low + (high - low) * self._bits.next_double(), size)

    def standard_normal(self, size=None, dtype="float64"):
        _only_double(dtype)
        return self._many(self._gauss, size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._many(lambda: loc + scale * self._gauss(), size)

    def integers(self, low, high=None, size=None, dtype="int64", endpoint=False):
        low, high = (0, low) if high is None else (low, high)
        largest = int(high) - int(low) - (0 if endpoint else 1)
        if largest < 0:
            raise ValueError("low >= high")
        return self._many(lambda: int(low) + self._below(largest), size, dtype)

    def shuffle(self, x, axis=0):
        for i in reversed(range(1, len(x))):
            k = self._within(i)
            kept = x[i].copy() if isinstance(x, ndarray) and x.ndim > 1 else x[i]
            x[i] = x[k]
            x[k] = kept

    def permutation(self, x, axis=0):
        order = list(range(x if isinstance(x, int) else len(x)))
        self.shuffle(order)
        places = array(order, dtype="int64")
        return places if isinstance(x, int) else asarray(x)[places]

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        items = None if isinstance(a, int) else _items(a)
        count = a if items is None else len(items)
        sizes = () if size is None else tuple(size) if hasattr(size, "__iter__") else (size,)
        chosen = self._chosen(count, math.prod(sizes), replace, p)
        if size is None:
            return chosen[0] if items is None else items[chosen[0]]
        places = array(chosen, dtype="int64").reshape(sizes)
        if isinstance(items, list):
            return [items[i] for i in chosen]
        return places if items is None else items[places]

    def _chosen(self, count, wanted, replace, p):
        if not replace and p is not None:
            raise unsupported("Generator.choice without replacement and with probabilities")
        if p is not None:
            sums = list(itertools.accumulate(asarray(p).ravel().tolist()))
            drawn = [self._bits.next_double() for _ in range(wanted)]
            return [sum(edge / sums[-1] <= x for edge in sums) for x in drawn]
        if replace:
            return [self._below(count - 1) for _ in range(wanted)]
        if wanted > count:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        if count > 10000 and wanted > count // 50:
            order = list(range(count))
            self._shuffle_from(order, max(count - wanted, 1))
            return order[count - wanted :]
        return self._some(count, wanted)

    def _some(self, count, wanted):
        """Floyd's algorithm, and then in any order."""
        chosen, known = [], set()
        for last in range(count - wanted, count):
            drawn = self._below(last)
            chosen.append(last if drawn in known else drawn)
            known.add(chosen[-1])
        self._shuffle_from(chosen, 1)
        return chosen

    def _shuffle_from(self, order, first):
        for i in reversed(range(first, len(order))):
            k = self._below(i)
            order[i], order[k] = order[k], order[i]

    def _below(self, largest):
        """0 … largest, without favour, by Lemire's multiplication."""
        if largest == 0:
            return 0
        bits = 32 if largest <= _M32 else 64
        draw, mask = (self._bits.next32, _M32) if bits == 32 else (self._bits.next64, _M64)
        if largest == mask:
            return draw()
        count = largest + 1
        product = draw() * count
        if product & mask < count:
            threshold = (mask - largest) % count
            while product & mask < threshold:
                product = draw() * count
        return product >> bits

    def _within(self, largest):
        """0 … largest, by drawing as many bits as it has until they fit: shuffles are drawn so."""
        mask = (1 << largest.bit_length()) - 1
        while (drawn := self._bits.next32() & mask) > largest:
            pass
        return drawn

    def _gauss(self):
        if self._table is None:
            self._table = _ziggurat()
        within, widths, heights = self._table
        double = self._bits.next_double
        while True:
            drawn = self._bits.next64()
            layer = drawn & 0xFF
            sign = -1.0 if drawn >> 8 & 1 else 1.0
            share = drawn >> 9 & 0xFFFFFFFFFFFFF
            x = share * widths[layer]
            if share < within[layer]:
                return sign * x
            if layer == 0:
                while True:
                    beyond = -math.log1p(-double()) / _RIGHT
                    y = -math.log1p(-double())
                    if y + y > beyond * beyond:
                        return -(_RIGHT + beyond) if share >> 8 & 1 else _RIGHT + beyond
            low, high = heights[layer], heights[layer - 1]
            if (high - low) * double() + low < math.exp(-0.5 * x * x):
                return sign * x

    def __getattr__(self, name):
        raise unsupported(f"numpy.random.Generator.{name}")


def _only_double(dtype):
    if str(dtype) not in ("float64", "<class 'float'>", "<class 'numpy.float64'>"):
        raise unsupported("numpy.random.Generator in single precision")

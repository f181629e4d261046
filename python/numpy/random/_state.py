"""RandomState: MT19937 with numpy's legacy distributions.

Python's own `random.Random` is the same MT19937: given numpy's state, `getrandbits(32)` is its next
number and `random()` its next double of 53 bits.
"""

import math
import random

from .._array import array, asarray, ndarray


class RandomState:
    EXPORTED = (
        "seed",
        "rand",
        "randn",
        "randint",
        "random",
        "random_sample",
        "ranf",
        "sample",
        "uniform",
        "normal",
        "standard_normal",
        "permutation",
        "shuffle",
        "choice",
        "get_state",
        "set_state",
        "random_integers",
        "exponential",
        "standard_exponential",
        "standard_gamma",
        "gamma",
        "beta",
        "dirichlet",
        "lognormal",
        "laplace",
        "logistic",
        "poisson",
        "binomial",
        "bytes",
    )

    def __init__(self, seed=None):
        self._bits = random.Random()
        self.seed(0 if seed is None else seed)

    def seed(self, seed=None):
        """`init_genrand` of the reference MT19937 for a number, `init_by_array` for a sequence."""
        self._kept = None
        seed = 0 if seed is None else seed
        words = asarray(seed).ravel().tolist() if hasattr(seed, "__len__") else None
        if words is None and not 0 <= int(seed) < 2**32:
            raise ValueError("Seed must be between 0 and 2**32 - 1")
        key = _from_number(int(seed)) if words is None else _from_words(words)
        self._bits.setstate((3, (*key, 624), None))

    def get_state(self, legacy=True):
        version, internal, _ = self._bits.getstate()
        kept = self._kept
        return (
            "MT19937",
            array(list(internal[:-1])),
            internal[-1],
            int(kept is not None),
            kept or 0.0,
        )

    def set_state(self, state):
        _, key, position, has_kept, kept = state
        self._bits.setstate((3, (*map(int, key.tolist()), position), None))
        self._kept = kept if has_kept else None

    # One number

    def _double(self):
        return self._bits.random()

    def _gauss(self):
        """The polar method; every other number was kept from the one before."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            return kept
        while True:
            x1 = 2.0 * self._double() - 1.0
            x2 = 2.0 * self._double() - 1.0
            r2 = x1 * x1 + x2 * x2
            if 0.0 < r2 < 1.0:
                break
        f = math.sqrt(-2.0 * math.log(r2) / r2)
        self._kept = f * x1
        return f * x2

    def _below(self, largest):
        """0 … largest, by drawing as many bits as it has until they fit."""
        if largest == 0:
            return 0
        mask = (1 << largest.bit_length()) - 1
        while True:
            drawn = self._bits.getrandbits(32)
            if largest > 0xFFFFFFFF:
                drawn = drawn << 32 | self._bits.getrandbits(32)
            if drawn & mask <= largest:
                return drawn & mask

    # Arrays

    def _many(self, draw, size, dtype="float64"):
        if size is None:
            return draw()
        sizes = tuple(size) if hasattr(size, "__iter__") else (size,)
        return array([draw() for _ in range(math.prod(sizes))], dtype=dtype).reshape(sizes)

    def random_sample(self, size=None):
        return self._many(self._double, size)

    random = ranf = sample = random_sample

    def rand(self, *args):
        return self.random_sample(args or None)

    def standard_normal(self, size=None):
        return self._many(self._gauss, size)

    def randn(self, *args):
        return self.standard_normal(args or None)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._many(lambda: low + (high - low) * self._double(), size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._many(lambda: loc + scale * self._gauss(), size)

    def exponential(self, scale=1.0, size=None):
        return self._many(lambda: -scale * math.log(1.0 - self._double()), size)

    def standard_exponential(self, size=None):
        return self._many(self._exponential, size)

    def standard_gamma(self, shape, size=None):
        return self._each(self._gamma, size, shape)

    def gamma(self, shape, scale=1.0, size=None):
        return self._each(lambda k, theta: theta * self._gamma(k), size, shape, scale)

    def beta(self, a, b, size=None):
        return self._each(self._beta, size, a, b)

    def dirichlet(self, alpha, size=None):
        alpha = asarray(alpha).ravel().tolist()

        def draw():
            parts = [self._gamma(a) for a in alpha]
            total = 0.0
            for part in parts:
                total += part
            return [part * (1 / total) for part in parts]

        if size is None:
            return array(draw())
        sizes = tuple(size) if hasattr(size, "__iter__") else (size,)
        rows = [draw() for _ in range(math.prod(sizes))]
        return array(rows).reshape((*sizes, len(alpha)))

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return self._each(lambda m, s: math.exp(m + s * self._gauss()), size, mean, sigma)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        def draw(m, s):
            u = self._double()
            while u == 0.0:
                u = self._double()
            return m - s * math.log(2.0 - u - u) if u >= 0.5 else m + s * math.log(u + u)

        return self._each(draw, size, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        def draw(m, s):
            u = self._double()
            while u == 0.0:
                u = self._double()
            return m + s * math.log(u / (1.0 - u))

        return self._each(draw, size, loc, scale)

    def poisson(self, lam=1.0, size=None):
        def draw(mean):
            if mean >= 10:
                from torch._unsupported import unsupported

                raise unsupported("numpy.random.poisson with a mean of 10 or more")
            if mean == 0:
                return 0
            least, product, count = math.exp(-mean), 1.0, 0
            while True:
                product *= self._double()
                if product <= least:
                    return count
                count += 1

        return self._each(draw, size, lam, dtype="int64")

    def _each(self, draw, size, *settings, dtype="float64"):
        """Draws with settings that are numbers, or arrays which say how many are drawn."""
        if not any(hasattr(one, "__len__") for one in settings):
            return self._many(lambda: draw(*settings), size, dtype)
        from .._shapes import broadcast_arrays

        arrays = broadcast_arrays(*(asarray(one) for one in settings))
        if size is not None and tuple(arrays[0].shape) != (
            tuple(size) if hasattr(size, "__iter__") else (size,)
        ):
            from torch._unsupported import unsupported

            raise unsupported("numpy.random with settings of another shape than size")
        rows = zip(*(one.ravel().tolist() for one in arrays))
        return array([draw(*row) for row in rows], dtype=dtype).reshape(arrays[0].shape)

    def _exponential(self):
        return -math.log(1.0 - self._double())

    def _gamma(self, shape):
        """Marsaglia and Tsang's method from 1 on; below, Ahrens and Dieter's."""
        if shape == 1.0:
            return self._exponential()
        if shape == 0.0:
            return 0.0
        if shape < 1.0:
            while True:
                u, v = self._double(), self._exponential()
                if u <= 1.0 - shape:
                    x = u ** (1.0 / shape)
                    if x <= v:
                        return x
                else:
                    y = -math.log((1 - u) / shape)
                    x = (1.0 - shape + shape * y) ** (1.0 / shape)
                    if x <= v + y:
                        return x
        b = shape - 1.0 / 3.0
        c = 1.0 / math.sqrt(9 * b)
        while True:
            x = self._gauss()
            v = 1.0 + c * x
            while v <= 0.0:
                x = self._gauss()
                v = 1.0 + c * x
            v = v * v * v
            u = self._double()
            if u < 1.0 - 0.0331 * (x * x) * (x * x):
                return b * v
            if math.log(u) < 0.5 * x * x + b * (1.0 - v + math.log(v)):
                return b * v

    def _beta(self, a, b):
        """Jöhnk's method where both are at most 1, else of two gammas."""
        if a > 1.0 or b > 1.0:
            x, y = self._gamma(a), self._gamma(b)
            return x / (x + y)
        while True:
            u, v = self._double(), self._double()
            x, y = u ** (1.0 / a), v ** (1.0 / b)
            if x + y <= 1.0 and u + v > 0.0:
                if x + y > 0:
                    return x / (x + y)
                log_x, log_y = math.log(u) / a, math.log(v) / b
                most = max(log_x, log_y)
                log_x, log_y = log_x - most, log_y - most
                return math.exp(log_x - math.log(math.exp(log_x) + math.exp(log_y)))

    def randint(self, low, high=None, size=None, dtype=int):
        low, high = (0, low) if high is None else (low, high)
        if low >= high:
            raise ValueError("low >= high")
        return self._many(lambda: low + self._below(int(high) - int(low) - 1), size, dtype)

    def random_integers(self, low, high=None, size=None):
        low, high = (1, low) if high is None else (low, high)
        return self.randint(low, high + 1, size)

    def binomial(self, n, p, size=None):
        if n != 1:
            from torch._unsupported import unsupported

            raise unsupported("numpy.random.binomial with n > 1")
        return self._many(
            lambda: int(self._double() > 1.0 - p) if p <= 0.5 else (1 - int(self._double() > p)),
            size,
            "int64",
        )

    def bytes(self, length):
        words = [self._bits.getrandbits(32).to_bytes(4, "little") for _ in range(-(-length // 4))]
        return b"".join(words)[:length]

    def shuffle(self, x):
        """In place, along the first axis."""
        for i in reversed(range(1, len(x))):
            j = self._below(i)
            if isinstance(x, ndarray) and x.ndim > 1:
                kept = x[i].copy()
                x[i] = x[j]
                x[j] = kept
            else:
                x[i], x[j] = x[j], x[i]

    def permutation(self, x):
        order = list(range(x if isinstance(x, int) else len(x)))
        self.shuffle(order)
        if isinstance(x, int):
            return array(order, dtype="int64")
        return asarray(x)[array(order, dtype="int64")]

    def choice(self, a, size=None, replace=True, p=None):
        items = None if isinstance(a, int) else _items(a)
        count = a if items is None else len(items)
        sizes = () if size is None else tuple(size) if hasattr(size, "__iter__") else (size,)
        chosen = self._chosen(count, math.prod(sizes), replace, p)
        places = array(chosen, dtype="int64").reshape(sizes)
        if size is None:
            return chosen[0] if items is None else items[chosen[0]]
        if isinstance(items, list):
            return [items[i] for i in chosen]
        return places if items is None else items[places]

    def _chosen(self, count, wanted, replace, p):
        if p is not None:
            from torch._unsupported import unsupported

            if not replace:
                raise unsupported("numpy.random.choice without replacement and with probabilities")
            return self._weighted(wanted, asarray(p).tolist())
        if replace:
            return [self._below(count - 1) for _ in range(wanted)]
        if wanted > count:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        return self.permutation(count).tolist()[:wanted]

    def _weighted(self, wanted, shares):
        sums, total = [], 0.0
        for share in shares:
            total += share
            sums.append(total)
        drawn = [self._double() for _ in range(wanted)]
        return [sum(edge / total <= x for edge in sums) for x in drawn]


def _items(values):
    """What is chosen from: an array, or a list of texts."""
    texts = isinstance(values, (list, tuple)) and any(isinstance(it, str) for it in values)
    return list(values) if texts else asarray(values)


def _from_number(seed):
    key = [seed & 0xFFFFFFFF]
    for i in range(1, 624):
        key.append((1812433253 * (key[-1] ^ (key[-1] >> 30)) + i) & 0xFFFFFFFF)
    return key


def _from_words(words):
    """`init_by_array` of the reference implementation."""
    key = _from_number(19650218)
    i, j = 1, 0
    for _ in range(max(624, len(words))):
        mixed = key[i] ^ ((key[i - 1] ^ (key[i - 1] >> 30)) * 1664525)
        key[i] = (mixed + words[j] + j) & 0xFFFFFFFF
        i, j = i + 1, (j + 1) % len(words)
        if i >= 624:
            key[0], i = key[623], 1
    for _ in range(623):
        key[i] = ((key[i] ^ ((key[i - 1] ^ (key[i - 1] >> 30)) * 1566083941)) - i) & 0xFFFFFFFF
        i += 1
        if i >= 624:
            key[0], i = key[623], 1
    key[0] = 0x80000000
    return key

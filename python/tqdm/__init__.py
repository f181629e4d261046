"""tqdm: loops without their progress bars."""

__all__ = ["tqdm", "trange"]
__version__ = "4.67.1"


class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, *args, **kwargs):
        self.iterable = iterable
        self.total = total
        self.n = 0

    def __iter__(self):
        for item in self.iterable:
            self.n += 1
            yield item

    def __len__(self):
        return self.total if self.iterable is None else len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None

    def update(self, n=1):
        self.n += n

    def _ignore(self, *args, **kwargs):
        pass

    set_description = set_description_str = set_postfix = set_postfix_str = close = refresh = (
        _ignore
    )

    @staticmethod
    def write(s, *args, **kwargs):
        print(s)


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)

"""Settings whose names are attributes too: what ml_collections, EasyDict, OmegaConf and YACS have in common."""


class AttributeDict(dict):
    """A dict; dicts in it, and in its lists, are of the same class."""

    def __init__(self, *args, **values):
        super().__init__()
        self.update(*args, **values)

    def __setitem__(self, name, value):
        super().__setitem__(name, self._held(value))

    def __setattr__(self, name, value):
        self[name] = value

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __delattr__(self, name):
        del self[name]

    def update(self, *args, **values):
        for name, value in dict(*args, **values).items():
            self[name] = value

    def setdefault(self, name, default=None):
        if name not in self:
            self[name] = default
        return self[name]

    def copy(self):
        return type(self)(self)

    def __deepcopy__(self, memo):
        return type(self)(self)

    def __reduce__(self):
        return type(self), (dict(self),)

    def _held(self, value):
        if isinstance(value, dict) and not isinstance(value, AttributeDict):
            return type(self)(value)
        if isinstance(value, list):
            return [self._held(it) for it in value]
        return value


def merge(into, other):
    """Puts the settings of `other` into `into`, and those of dicts in it into the dicts of that name."""
    for name, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            merge(into[name], value)
        else:
            into[name] = value


def plain(value):
    """The same of dicts and lists alone."""
    if isinstance(value, dict):
        return {name: plain(it) for name, it in value.items()}
    return [plain(it) for it in value] if isinstance(value, (list, tuple)) else value

"""A logger that says nothing."""


class _Logger:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _silent

    def opt(self, *args, **kwargs):
        return self

    bind = patch = opt

    def catch(self, function=None, **options):
        """A decorator, or what gives one."""
        return function if callable(function) else lambda it: it


def _silent(*args, **kwargs):
    pass


logger = _Logger()
__version__ = "0.7.3"

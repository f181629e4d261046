"""Classes and functions by their names."""


class Registry:
    def __init__(self, name):
        self._name = name
        self._by_name = {}

    def register(self, obj=None):
        """A decorator, or a call with what is to be known."""
        if obj is None:
            return self.register
        self._by_name[obj.__name__] = obj
        return obj

    def get(self, name):
        if name not in self._by_name:
            raise KeyError(f"No object named '{name}' found in '{self._name}' registry!")
        return self._by_name[name]

    def __contains__(self, name):
        return name in self._by_name

    def __iter__(self):
        return iter(self._by_name.items())

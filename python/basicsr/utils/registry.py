"""Classes and functions by their names."""


class Registry:
    def __init__(self, name):
        self._name = name
        self._by_name = {}

    def register(self, obj=None, suffix=None):
        """A decorator, or a call with what is to be known."""
        if obj is None:
            return lambda it: self._register(it, suffix)
        self._register(obj, suffix)

    def _register(self, obj, suffix):
        self._by_name["_".join(filter(None, [obj.__name__, suffix]))] = obj
        return obj

    def get(self, name, suffix="basicsr"):
        found = self._by_name.get(name, self._by_name.get(f"{name}_{suffix}"))
        if found is None:
            raise KeyError(f"No object named '{name}' found in '{self._name}' registry!")
        return found

    def keys(self):
        return self._by_name.keys()

    def __contains__(self, name):
        return name in self._by_name

    def __iter__(self):
        return iter(self._by_name.items())


DATASET_REGISTRY = Registry("dataset")
ARCH_REGISTRY = Registry("arch")
MODEL_REGISTRY = Registry("model")
LOSS_REGISTRY = Registry("loss")
METRIC_REGISTRY = Registry("metric")

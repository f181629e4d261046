"""Classes by their names, and what a config makes of them."""

import inspect

# What any registry knows: those of one package are looked for in those of others.
_everywhere = {}


class Registry:
    def __init__(self, name, build_func=None, parent=None, scope=None, locations=(), **options):
        self.name = name
        self._by_name = {}
        self._build = build_func or build_from_cfg

    def register_module(self, name=None, force=False, module=None):
        """A decorator, with and without a call, or a call with what is to be known."""
        if inspect.isclass(name) or inspect.isfunction(name):
            name, module = None, name
        if module is not None:
            return self._register(module, name)
        return lambda it: self._register(it, name)

    def _register(self, module, name):
        for one in [name] if isinstance(name, str) else name or [module.__name__]:
            self._by_name[one] = _everywhere[one] = module
        return module

    def get(self, key):
        name = key.rpartition(".")[2]
        return self._by_name.get(name, _everywhere.get(name))

    def build(self, cfg, *args, **kwargs):
        return self._build(cfg, *args, **kwargs, registry=self)

    @property
    def module_dict(self):
        return self._by_name

    def __contains__(self, key):
        return self.get(key) is not None

    def __len__(self):
        return len(self._by_name)


def build_from_cfg(cfg, registry, default_args=None):
    """An object of the class that `cfg["type"]` names, made with the rest."""
    arguments = {**(default_args or {}), **cfg}
    kind = arguments.pop("type")
    found = registry.get(kind) if isinstance(kind, str) else kind
    if found is None:
        raise KeyError(f"{kind} is not in the {registry.name} registry")
    return found(**arguments)


build_model_from_cfg = build_from_cfg

MODELS = Registry("model")
DATASETS = Registry("dataset")
TRANSFORMS = Registry("transform")
HOOKS = Registry("hook")
METRICS = Registry("metric")
TASK_UTILS = Registry("task util")
OPTIMIZERS = Registry("optimizer")
OPTIM_WRAPPER_CONSTRUCTORS = Registry("optimizer wrapper constructor")

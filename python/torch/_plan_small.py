"""Small sizes in place of a config's own, where those are of a model that no desk could hold."""

import dataclasses
import inspect
import re

from ._plan_names import made_up

# Parameters; of a config those of the layers alone, by their width.
_LARGE = 1.5e9
# Where settings of the project, or names, told the sizes.
_LARGE_MADE_UP = 3e8

_WIDTHS = ("dim", "hidden_size", "n_embd", "d_model", "embed_dim", "n_embed", "width")
_DEPTHS = ("n_layers", "num_hidden_layers", "n_layer", "num_layers", "depth", "num_blocks")
_SIZES = re.compile(
    r"dim|hidden|width|embd|embed|d_model|layer|depth|heads?$|intermediate|ffn|d_ff|d_kv|inner"
    r"|vocab|max_.*(len|pos|seq)|block_size|context|ctx|positions|expert|group|head_size|window"
    r"|batch_size|image_size"
)
# Token ids have to be of the vocabulary.
_IDS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}


def small_sizes(config, given):
    """{field: value} for the whole numbers that are sizes; none for a model that is small enough."""
    sizes = {name: it for name, it in defaults(config).items() if type(it) is int}
    if not (is_of_transformers(config) or _is_large(sizes | given)):
        return {}
    made = {name: value for name, value in _IDS.items() if sizes.get(name, 0) > value}
    return {name: it for name, it in made.items() if name not in given} | smaller(sizes, given)


def is_large(model, is_made_up):
    """Whether the model is more than a desk holds, or than anybody asked for where its sizes were made up."""
    limit = _LARGE_MADE_UP if is_made_up else _LARGE
    return sum(parameter.numel() for parameter in model.parameters()) > limit


def is_without_numbers(model):
    """Whether a parameter has an axis of size 0, as groups of more than there are channels leave it."""
    return any(0 in parameter.shape for parameter in model.parameters())


def wider(values, given):
    """{name: value} for channels that were taken for those of an image."""
    few = (name for name, it in values.items() if type(it) is int and 1 < it < _FEW)
    return {name: made_up("dim") for name in few if "channel" in name and name not in given}


_FEW = 8


def smaller(values, given):
    """{name: value} for the sizes among `values` that are larger than small ones, but for what was given."""
    sizes = {name: it for name, it in values.items() if type(it) is int and name not in given}
    made = {name: _size(name) for name in sizes}
    return {
        name: it
        for name, it in made.items()
        if it is not None and (it < sizes[name] or _is_odd_count(name, sizes[name]))
    }


def _is_odd_count(name, count):
    """Whether so many heads do not divide the small width."""
    return name.endswith("heads") and made_up("dim") % max(count, 1) > 0


def defaults(config):
    """What a config class takes where nothing is given, by name: numbers, texts, lists and None."""
    factories = getattr(config, "__dataclass_fields__", {}).values()
    made = config if issubclass(config, tuple) else config.__init__
    parameters = inspect.signature(made).parameters
    found = {name: it.default for name, it in parameters.items()}
    found |= {
        it.name: it.default_factory()
        for it in factories
        if it.init and it.default_factory is not dataclasses.MISSING
    }
    if takes_constants(config):
        found |= constants(config)
    return {name: it for name, it in found.items() if it is None or isinstance(it, _PLAIN)}


def takes_constants(config):
    """`Config(**kwargs)`, whose settings are constants of the class."""
    kinds = [it.kind for it in inspect.signature(config.__init__).parameters.values()]
    return kinds[1:] == [inspect.Parameter.VAR_KEYWORD]


def constants(config):
    return {
        name: it
        for name, it in vars(config).items()
        if not name.startswith("_") and isinstance(it, _PLAIN)
    }


_PLAIN = (bool, int, float, str, tuple, list)


def is_of_transformers(config):
    """Their defaults are those of a model that was trained."""
    return config.__module__.partition(".")[0] == "transformers"


def _is_large(sizes):
    width = next((it for name in _WIDTHS if type(it := sizes.get(name)) is int), 0)
    depth = next((it for name in _DEPTHS if type(it := sizes.get(name)) is int), 1)
    return 12 * width * width * depth > _LARGE


def _size(name):
    if not _SIZES.search(name) or name in _IDS:
        return None
    try:
        value = made_up(name, "int")
    except LookupError:
        return None
    return value if type(value) is int and value > 0 else None

"""`${name}` and `${resolver:arguments}` in settings: what they stand for is looked up when they are read."""

import os
import re

import yaml

# YAML 1.1, and so PyYAML, takes a number without a point for a text.
_POWER_OF_TEN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+")
_INNERMOST = re.compile(r"\$\{([^${}]*)\}")


def _environment(name, *default):
    """A variable of the environment; a default is a text too."""
    if name in os.environ or not default:
        return os.environ[name]
    return None if default[0] is None else str(default[0])


RESOLVERS = {"oc.env": _environment}


def loaded(text):
    """YAML as OmegaConf reads it."""
    return _with_powers(yaml.safe_load(text))


def _with_powers(value):
    if isinstance(value, dict):
        return {name: _with_powers(it) for name, it in value.items()}
    if isinstance(value, list):
        return [_with_powers(it) for it in value]
    is_power = isinstance(value, str) and _POWER_OF_TEN.fullmatch(value)
    return float(value) if is_power else value


def resolved(value, holder):
    """`value` as `holder`, the settings that it stands in, shows it."""
    if isinstance(value, list) and any(
        _INNERMOST.search(it) for it in value if isinstance(it, str)
    ):
        return [resolved(it, holder) for it in value]
    while isinstance(value, str) and (found := _INNERMOST.search(value)):
        meant = _meaning(found[1].strip(), holder)
        is_all = found.span() == (0, len(value))
        value = meant if is_all else value[: found.start()] + str(meant) + value[found.end() :]
    return value


def _meaning(expression, holder):
    resolver, colon, arguments = expression.partition(":")
    if colon:
        parts = arguments.split(",") if arguments else []
        return RESOLVERS[resolver](*(loaded(part) for part in parts))
    return selected(*_start(expression, holder))


def _start(path, holder):
    """The settings that a path begins at, and the rest of it: a dot is those that it stands in."""
    names = path.lstrip(".")
    levels = len(path) - len(names) - 1
    at = holder
    while at._parent is not None and levels != 0:
        at, levels = at._parent, levels - 1
    return at, names


def selected(config, path):
    """The setting at "a.b.0"; KeyError where there is none."""
    for name in path.split("."):
        config = config[int(name)] if isinstance(config, list) else config[name]
    return config

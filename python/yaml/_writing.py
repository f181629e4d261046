"""Settings as YAML, in blocks."""

import re

from ._reading import resolved

_PLAIN = re.compile(r"[\w./+()^$~<;?\\-][^\n\t]*", re.ASCII)


def written(data, sort_keys):
    lines = list(_block(data, sort_keys))
    is_scalar = not isinstance(data, (dict, list, tuple))
    return "\n".join(lines) + ("\n...\n" if is_scalar else "\n")


def _block(value, sort_keys):
    """The lines of a value."""
    if not isinstance(value, (dict, list, tuple)) or not value:
        yield _flow(value, sort_keys)
    elif isinstance(value, dict):
        for key in _keys(value, sort_keys):
            yield from _pair(_flow(key, sort_keys), value[key], sort_keys)
    else:
        for item in value:
            first, *rest = _block(item, sort_keys)
            yield "- " + first
            yield from ("  " + line for line in rest)


def _pair(key, value, sort_keys):
    lines = list(_block(value, sort_keys))
    if isinstance(value, (dict, list, tuple)) and value:
        yield key + ":"
        yield from ("  " + line for line in lines) if isinstance(value, dict) else lines
    else:
        yield f"{key}: {lines[0]}"


def _keys(value, sort_keys):
    return sorted(value) if sort_keys else list(value)


def _flow(value, sort_keys):
    if isinstance(value, dict):
        pairs = (
            f"{_flow(k, sort_keys)}: {_flow(value[k], sort_keys)}" for k in _keys(value, sort_keys)
        )
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(item, sort_keys) for item in value) + "]"
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _float(value) if isinstance(value, float) else repr(int(value))


def _float(value):
    if value != value or value in (float("inf"), -float("inf")):
        return {"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}[repr(value)]
    text = repr(value)
    return text.replace("e", ".0e", 1) if "." not in text and "e" in text else text


def _text(value):
    is_plain = (
        _PLAIN.fullmatch(value)
        and resolved(value) == value
        and isinstance(resolved(value), str)
        and ": " not in value
        and " #" not in value
        and value == value.strip()
        and value[-1] != ":"
        and not re.match(r"[-?](\s|$)|---|\.\.\.|[*~<=]$|\*", value)
    )
    if is_plain:
        return value
    if "\n" in value or "\t" in value:
        return (
            '"'
            + value.replace("\\", "\\\\")
            .replace('"', '\\"')
            .replace("\n", "\\n")
            .replace("\t", "\\t")
            + '"'
        )
    return "'" + value.replace("'", "''") + "'"

"""The weights of a request in place of those that the seed makes."""

import difflib

from ._checkpoints import Checkpoint
from ._host import host
from ._tensor import Tensor

_SHOWN = 6
# What wrappers put before every name: DataParallel, torch.compile, Lightning, Hugging Face.
_WRAPPERS = ("module.", "_orig_mod.", "model.", "transformer.", "net.")


class WeightsError(Exception):
    """Names or shapes of the file are not those of the model."""

    normscope_code = "weights/names"

    def __init__(self, message, hint):
        super().__init__(message)
        self.normscope_hint = hint


class Loaded:
    """What `fill` did: names that the file lacks, that the model lacks, and sizes that differ."""

    def __init__(self, missing, unexpected, errors):
        self.missing = missing
        self.unexpected = unexpected
        self.errors = errors


def load(model, request):
    """Loads the checkpoint of the request; what it was, for the report and for the script."""
    checkpoint = Checkpoint(host.open_given_checkpoint(), widens=True)
    names = list(model.state_dict())
    prefix = request["prefix"]
    path, values = _chosen(checkpoint.value, names, prefix)
    state = {
        name.removeprefix(prefix): value
        for name, value in values.items()
        if isinstance(value, Tensor) and name.startswith(prefix)
    }
    if not state:
        raise WeightsError(
            f"The weights '{request['file']}' have no tensor"
            + (f" whose name begins with '{prefix}'" if prefix else ""),
            f"It has {_listed(list(values))}" if values else None,
        )
    found = fill(model, state)
    if found.errors or (request["strict"] and (found.missing or found.unexpected)):
        raise _mismatch(model, request, found, state, names)
    return {
        "format": checkpoint.format,
        "files": checkpoint.files,
        "key": path,
        "prefix": prefix,
        "tensors": len(state) - len(found.unexpected),
        "isWhole": all(name in state for name in names),
        "missing": found.missing,
        "unexpected": found.unexpected,
    }


def fill(model, state):
    """Copies `state` into the model; a tied tensor counts as found by any of its names."""
    missing, unexpected, errors = model._load_state(state, False)
    tensors = dict(
        [
            *model.named_parameters(remove_duplicate=False),
            *model.named_buffers(remove_duplicate=False),
        ]
    )
    loaded = {tensors[name]._id for name in state if name in tensors}
    missing = [name for name in missing if name not in tensors or tensors[name]._id not in loaded]
    return Loaded(missing, unexpected, errors)


def _chosen(value, names, prefix):
    """The dict with most names of the model, and the keys that lead to it."""
    candidates = list(_candidates(value, "", 3))
    if not candidates:
        return "", {}
    wanted = {prefix + name for name in names}

    def fit(candidate):
        found = sum(name in wanted for name in candidate[1])
        return found, sum(isinstance(item, Tensor) for item in candidate[1].values())

    return max(candidates, key=fit)


def _candidates(value, path, depth):
    if not isinstance(value, dict):
        return
    if all(isinstance(name, str) for name in value) and any(
        isinstance(item, Tensor) for item in value.values()
    ):
        yield path, value
    if depth > 0:
        for name, item in value.items():
            yield from _candidates(item, f"{path}[{name!r}]", depth - 1)


def _mismatch(model, request, found, state, names):
    lines = []
    if found.missing:
        near = [_with_nearest(name, found.unexpected) for name in found.missing[:_SHOWN]]
        lines.append(f"missing in the file: {_listed(near, len(found.missing))}")
    if found.unexpected:
        near = [_with_nearest(name, found.missing) for name in found.unexpected[:_SHOWN]]
        lines.append(f"not in the model: {_listed(near, len(found.unexpected))}")
    lines.extend(_size_line(error) for error in found.errors[:_SHOWN])
    counts = [
        f"{len(part)} {what}"
        for part, what in (
            (found.missing, "missing"),
            (found.unexpected, "unexpected"),
            (found.errors, "of another shape"),
        )
        if part
    ]
    head = f"The weights '{request['file']}' do not fit '{type(model).__name__}': names are {', '.join(counts)}"
    return WeightsError("\n".join([head, *lines]), _hint(found, state, names))


def _with_nearest(name, others):
    near = difflib.get_close_matches(name, others[:5000], 1, 0.75)
    return f"'{name}' (the nearest is '{near[0]}')" if near else f"'{name}'"


def _listed(texts, count=None):
    count = len(texts) if count is None else count
    more = f", and {count - _SHOWN} more" if count > _SHOWN else ""
    return ", ".join(texts[:_SHOWN]) + more


def _size_line(error):
    return error.replace("size mismatch for ", "another shape: ").replace("\n", " ")


def _hint(found, state, names):
    """A prefix that the file has and the model does not, or the other way round."""
    own = set(names)
    if found.unexpected:
        for prefix in dict.fromkeys([*_common_prefixes(state), *_WRAPPERS]):
            stripped = [name.removeprefix(prefix) for name in state if name.startswith(prefix)]
            if stripped and sum(name in own for name in stripped) > len(stripped) / 2:
                return f"Names in the file begin with '{prefix}': give --weights-prefix {prefix}"
    if found.missing and found.unexpected:
        for prefix in _WRAPPERS:
            if sum(prefix + name in own for name in state) > len(state) / 2:
                return f"Names in the model begin with '{prefix}': run the class inside of it"
    return None if found.errors else "With --no-strict the names that agree are loaded"


def _common_prefixes(state):
    """Leading parts that most names share, the longest first."""
    found = {}
    for name in state:
        parts = name.split(".")
        for depth in range(1, min(len(parts), 4)):
            prefix = ".".join(parts[:depth]) + "."
            found[prefix] = found.get(prefix, 0) + 1
    return sorted(
        (prefix for prefix, count in found.items() if count > len(state) / 2), key=len, reverse=True
    )


def script_lines(request, loaded):
    """The lines that load the same in PyTorch, with what they import."""
    imports, lines = [], []
    files = [file for file in loaded["files"] if not file.endswith(".index.json")]
    if loaded["format"] == "safetensors":
        imports = ["from safetensors.torch import load_file"]
        lines.append("state = {}" if len(files) > 1 else f"state = load_file({files[0]!r})")
        lines.extend(f"state |= load_file({file!r})" for file in files if len(files) > 1)
    elif loaded["format"] == "NumPy":
        imports = ["import numpy"]
        lines.append(
            f"state = {{name: torch.from_numpy(array) for name, array in numpy.load({files[0]!r}).items()}}"
        )
    else:
        lines.append(
            "state = {}" if len(files) > 1 else f"state = torch.load({files[0]!r}){loaded['key']}"
        )
        lines.extend(f"state |= torch.load({file!r})" for file in files if len(files) > 1)
    prefix = request["prefix"]
    if prefix:
        inner = f"name.removeprefix({prefix!r}): value for name, value in state.items() if name.startswith({prefix!r})"
        lines.append(f"state = {{{inner}}}")
    strict = "" if loaded["isWhole"] and not loaded["unexpected"] else ", strict=False"
    lines.append(f"model.load_state_dict(state{strict})")
    return imports, lines

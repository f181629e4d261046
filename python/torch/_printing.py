"""Tensors as text, in PyTorch's form: aligned columns, long axes cut, unusual types named."""

import contextlib
import math

from . import _dtypes

_DEFAULTS = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}
_options = dict(_DEFAULTS)
_PROFILES = {
    "default": _DEFAULTS,
    "short": {**_DEFAULTS, "precision": 2, "edgeitems": 2},
    "full": {**_DEFAULTS, "threshold": math.inf},
}


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
):
    if profile is not None:
        _options.update(_PROFILES[profile])
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    _options.update({key: value for key, value in given.items() if value is not None})
    _options["sci_mode"] = sci_mode


def get_printoptions():
    return dict(_options)


@contextlib.contextmanager
def printoptions(**options):
    before = dict(_options)
    set_printoptions(**options)
    try:
        yield
    finally:
        _options.update(before)


def tensor_text(tensor, prefix="tensor("):
    suffixes = []
    dtype = tensor.dtype
    if tensor.is_meta:
        text = "..."
        suffixes += ["device='meta'", f"size={tuple(tensor.shape)}"]
        if not _is_default(dtype):
            suffixes.append(f"dtype={dtype}")
    elif tensor.numel() == 0:
        if tensor.dim() != 1:
            suffixes.append(f"size={tuple(tensor.shape)}")
        from ._factories import get_default_dtype

        if dtype is not get_default_dtype():
            suffixes.append(f"dtype={dtype}")
        text = "[]"
    else:
        if not _is_default(dtype) and dtype not in (_dtypes.int64, _dtypes.bool):
            suffixes.append(f"dtype={dtype}")
        text = _body(tensor, len(prefix))
    if tensor.grad_fn is not None:
        suffixes.append(f"grad_fn=<{tensor.grad_fn.name()}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    return _with_suffixes(prefix + text, suffixes, len(prefix))


def _is_default(dtype):
    from ._factories import get_default_dtype

    default = get_default_dtype()
    return dtype is default or dtype is default.to_complex()


def _with_suffixes(text, suffixes, indent):
    """Appended to the last line as far as there is room, else on lines of their own."""
    last = len(text) - text.rfind("\n") + 1
    out = [text]
    for suffix in suffixes:
        if last + len(suffix) + 2 > _options["linewidth"]:
            out.append(",\n" + " " * indent + suffix)
            last = indent + len(suffix)
        else:
            out.append(", " + suffix)
            last += len(suffix) + 2
    return "".join(out) + ")"


def _body(tensor, indent):
    sizes = list(tensor.shape)
    summarized = tensor.numel() > _options["threshold"]
    edge = _options["edgeitems"] if summarized else None
    flat, numbers = tensor.numbers_to_show(edge)
    return _nested(numbers, sizes, _formatter(flat, tensor.dtype), indent, summarized)


def _nested(numbers, sizes, formatter, indent, summarized):
    if not sizes:
        return formatter[0](numbers)
    edge = _options["edgeitems"]
    is_cut = summarized and sizes[0] > 2 * edge
    if len(sizes) == 1:
        return _row(numbers, formatter, indent, edge if is_cut else None)
    parts = [_nested(item, sizes[1:], formatter, indent + 1, summarized) for item in numbers]
    if is_cut:
        parts.insert(edge, "...")
    return "[" + ("," + "\n" * (len(sizes) - 1) + " " * (indent + 1)).join(parts) + "]"


def _row(numbers, formatter, indent, edge):
    text, width = formatter
    texts = [text(x) for x in numbers]
    per_line = max(1, (_options["linewidth"] - indent) // (width + 2))
    if edge is not None:
        texts.insert(edge, " ...")
    lines = [texts[i : i + per_line] for i in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(", ".join(line) for line in lines) + "]"


def _formatter(flat, dtype):
    """How one number is written, and how many columns the widest takes."""
    if dtype.is_complex:
        return _complex_formatter(flat)
    if dtype.is_floating_point:
        return _float_formatter(flat)
    width = max(len(str(x)) for x in flat)
    return (lambda x: str(x).rjust(width)), width


def _float_formatter(flat):
    """One form for all: whole numbers with a point, scientific for a wide range, else fixed."""
    precision = _options["precision"]
    counted = [x for x in flat if math.isfinite(x) and x != 0]
    if not counted:
        return (lambda x: f"{x:.0f}" + ("." if math.isfinite(x) else "")), 1
    is_whole = all(x == math.ceil(x) for x in counted)
    sizes = [abs(x) for x in counted]
    scientific = _options["sci_mode"]
    if scientific is None:
        scientific = max(sizes) / min(sizes) > 1000.0 or max(sizes) > 1.0e8 or min(sizes) < 1.0e-4
    form = f"{{:.{precision}{'e' if scientific else 'f'}}}"

    def text(x):
        if is_whole and not scientific:
            return f"{x:.0f}" + ("." if math.isfinite(x) else "")
        return form.format(x)

    width = max(len(text(x)) for x in counted)
    return (lambda x: text(x).rjust(width)), width


def _complex_formatter(flat):
    real, real_width = _float_formatter([x.real for x in flat])
    imaginary, imaginary_width = _float_formatter([x.imag for x in flat])

    def text(x):
        part = imaginary(x.imag).lstrip()
        return real(x.real) + ("" if part.startswith("-") else "+") + part + "j"

    return text, real_width + imaginary_width + 1

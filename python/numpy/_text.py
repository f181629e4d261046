"""Arrays as text, as numpy prints them."""

import math

_PRECISION = 8
_THRESHOLD = 1000
_EDGE = 3


def array_str(a):
    return _body(a, " ")


def array_repr(a):
    text = _body(a, ", ", "array(")
    name = a.dtype.name
    if a.size == 0 and a.ndim > 1:
        text = f"[], shape={a.shape}"
    known = name in ("float64", "int64", "bool", "complex128")
    return f"array({text})" if known and a.size else f"array({text}, dtype={name})"


def _body(a, separator, prefix=""):
    flat = a.ravel().tolist()
    write = _writer(flat, a.dtype.kind, a.dtype.name)
    if a.ndim == 0:
        return write(flat[0]).strip()
    return _nested(a.tolist(), a.shape, write, separator, len(prefix), a.size > _THRESHOLD)


def _nested(items, shape, write, separator, indent, cut):
    if cut and len(items) > 2 * _EDGE:
        shown = [*items[:_EDGE], None, *items[-_EDGE:]]
    else:
        shown = items
    if len(shape) == 1:
        texts = ["..." if item is None else write(item) for item in shown]
        return _wrapped(texts, separator, indent)
    parts = [
        "..." if item is None else _nested(item, shape[1:], write, separator, indent + 1, cut)
        for item in shown
    ]
    gap = separator.rstrip() + "\n" * (len(shape) - 1) + " " * (indent + 1)
    return "[" + gap.join(parts) + "]"


def _wrapped(texts, separator, indent):
    lines, line = [], ""
    for i, text in enumerate(texts):
        piece = text + (separator.rstrip() if i < len(texts) - 1 else "")
        if line and indent + 1 + len(line) + 1 + len(piece) > 75:
            lines.append(line.rstrip())
            line = piece
        else:
            line = f"{line} {piece}" if line else piece
    lines.append(line)
    return "[" + ("\n" + " " * (indent + 1)).join(lines) + "]"


def _writer(flat, kind, name):
    if kind == "b":
        width = max((len(str(x)) for x in flat), default=0)
        return lambda x: str(x).rjust(width)
    if kind in "iu":
        width = max((len(str(x)) for x in flat), default=0)
        return lambda x: str(x).rjust(width)
    if kind == "c":
        return str
    return _float_writer(flat, name)


def _float_writer(flat, name):
    finite = [x for x in flat if math.isfinite(x)]
    sizes = [abs(x) for x in finite if x != 0]
    digits = {"float32": 8, "float16": 4}.get(name, 17)
    large = bool(sizes) and (
        max(sizes) >= 1e8 or min(sizes) < 1e-4 or max(sizes) / min(sizes) > 1000
    )
    if large:
        texts = {x: _scientific(x, digits) for x in finite}
        places = max((len(t.split("e")[0].partition(".")[2]) for t in texts.values()), default=0)
        return _padded(flat, lambda x: _expanded(texts[x], places) if math.isfinite(x) else str(x))
    texts = {x: _fixed(x, digits) for x in finite}
    places = max((len(t.partition(".")[2]) for t in texts.values()), default=0)

    def text(x):
        if not math.isfinite(x):
            return str(x)
        whole, _, part = texts[x].partition(".")
        return f"{whole}.{part.ljust(places)}"

    return _padded(flat, text)


def _padded(flat, text):
    width = max((len(text(x)) for x in flat), default=0)
    return lambda x: text(x).rjust(width)


def _fixed(x, digits):
    """At most eight digits after the point, no more than tell it from its neighbours."""
    short = repr(x) if digits == 17 else f"{x:.{digits}g}"
    if "e" in short or len(short.partition(".")[2]) > _PRECISION:
        short = f"{x:.{_PRECISION}f}"
    whole, _, part = short.partition(".")
    return f"{whole}.{part.rstrip('0')}"


def _scientific(x, digits):
    for places in range(_PRECISION):
        text = f"{x:.{places}e}"
        if float(text) == x:
            return text
    return f"{x:.{_PRECISION}e}"


def _expanded(text, places):
    mantissa, _, exponent = text.partition("e")
    whole, _, part = mantissa.partition(".")
    return f"{whole}.{part.ljust(places, '0')}e{exponent}"

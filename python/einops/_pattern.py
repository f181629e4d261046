"""Patterns: "b (h w) c -> b h w c" as groups of axis names."""

import functools

ELLIPSIS = "…"


class EinopsError(RuntimeError):
    """A pattern that cannot be read, or does not fit the tensor."""


@functools.lru_cache(512)
def parse_side(text):
    """A group of names for each axis; an ellipsis without brackets stands for many."""
    if "." in text:
        if text.count("...") != 1 or text.count(".") != 3:
            raise EinopsError(
                "Expression may contain dots only inside ellipsis (...); only one ellipsis for "
                "tensor "
            )
        text = text.replace("...", ELLIPSIS)
    groups, open_group = [], None
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            if open_group is not None:
                raise EinopsError(
                    "Axis composition is one-level (brackets inside brackets not allowed)"
                )
            open_group = []
        elif token == ")":
            if open_group is None:
                raise EinopsError("Brackets are not balanced")
            groups.append(tuple(open_group))
            open_group = None
        else:
            _check_name(token)
            if open_group is None:
                groups.append(ELLIPSIS if token == ELLIPSIS else () if token == "1" else (token,))
            elif token != "1":
                open_group.append(token)
    if open_group is not None:
        raise EinopsError(f'Imbalanced parentheses in expression: "{text}"')
    names = [name for group in groups for name in group if not name.isdecimal() and name != "_"]
    for name in names:
        if names.count(name) > 1:
            raise EinopsError(f'Indexing expression contains duplicate dimension "{name}"')
    return tuple(groups)


def _check_name(token):
    if token in (ELLIPSIS, "_") or token.isdecimal():
        return
    if not token.isidentifier() or token.startswith("_") or token.endswith("_"):
        raise EinopsError(f"Invalid axis identifier: {token}")


def parse(pattern):
    """Both sides of a pattern."""
    left, arrow, right = pattern.partition("->")
    if not arrow:
        raise EinopsError(f"A pattern needs '->': {pattern!r}")
    return parse_side(left), parse_side(right)


def with_ellipsis(groups, rank):
    """The ellipsis as `rank` axes: a group each, or together where it stands in brackets."""
    names = tuple(f"{ELLIPSIS}{i}" for i in range(rank))
    spread = []
    for group in groups:
        if group == ELLIPSIS:
            spread += [(name,) for name in names]
        elif ELLIPSIS in group:
            at = group.index(ELLIPSIS)
            spread.append((*group[:at], *names, *group[at + 1 :]))
        else:
            spread.append(group)
    return spread


def has_ellipsis(groups):
    return any(ELLIPSIS in group for group in groups)


def sizes_of(groups, shape, given):
    """The size of every axis on the left; one of a group may follow from the others."""
    sizes = dict(given)
    for group, length in zip(groups, shape):
        known, unknown = 1, []
        for name in group:
            if name in sizes:
                known *= sizes[name]
            else:
                unknown.append(name)
        if len(unknown) > 1:
            raise EinopsError(f"Could not infer sizes for {set(unknown)}")
        if not unknown:
            if known != length:
                raise EinopsError(f"Shape mismatch, {length} != {known}")
        elif known == 0 or length % known:
            raise EinopsError(
                f"Shape mismatch, can't divide axis of length {length} in chunks of {known}"
            )
        else:
            sizes[unknown[0]] = length // known
    return sizes

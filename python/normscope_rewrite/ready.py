"""Blocks of torch.nn itself: their argument norm_first says where their norms stand."""

import ast
import re

from .source import NotUnderstood, function_of, last_name, statement_of

_LAYERS = ("TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer")
_STACKS = {
    "TransformerEncoder": "TransformerEncoderLayer",
    "TransformerDecoder": "TransformerDecoderLayer",
}


def makers(source):
    """The calls that make such blocks, also of a class that is made of one."""
    return [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and last_name(made := _made(node)) in _LAYERS
        and _is_of_torch(source, made)
    ]


def _made(call):
    """The class that a call makes, as it is written; of super().__init__ the base."""
    if last_name(call.func) != "__init__" or not isinstance(call.func.value, ast.Call):
        return call.func
    cls = call
    while cls is not None and not isinstance(cls, ast.ClassDef):
        cls = getattr(cls, "parent", None)
    bases = [] if cls is None or last_name(call.func.value.func) != "super" else cls.bases
    return next((base for base in bases if last_name(base) in _LAYERS), call.func)


def _is_of_torch(source, made):
    if isinstance(made, ast.Attribute):
        return ast.unparse(made.value) in ("nn", "torch.nn")
    return any(
        isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("torch.nn")
        and any((name.asname or name.name) == last_name(made) for name in node.names)
        for node in ast.walk(source.tree)
    )


def _kind(call):
    return last_name(_made(call))


def convert(source, to):
    """Sets norm_first, and the norm behind a stack of Pre-LN layers, which Post-LN does without."""
    calls = makers(source)
    if to not in ("pre", "post"):
        raise NotUnderstood(
            f"the blocks are those of nn.{_kind(calls[0])}, which are Pre-LN or Post-LN",
            calls[0].lineno,
        )
    start = {_placement(call) for call in calls}
    if len(start) > 1:
        raise NotUnderstood(
            "some of its nn.Transformer layers are Pre-LN and some Post-LN", calls[0].lineno
        )
    if start == {to}:
        name = {"pre": "Pre-LN", "post": "Post-LN"}[to]
        raise NotUnderstood(f"the blocks are {name} already", calls[0].lineno)
    for call in calls:
        _set(source, call, to == "pre")
    for stack in _stacks(source):
        if to == "pre":
            _add_norm(source, stack, calls)
        else:
            _remove_norm(source, stack)
    return {
        "text": source.edited(),
        "from": start.pop(),
        "blocks": sorted({_kind(call) for call in calls}),
    }


def _keyword(call, name):
    return next((keyword for keyword in call.keywords if keyword.arg == name), None)


def _placement(call):
    if any(isinstance(argument, ast.Starred) for argument in call.args) or _keyword(call, None):
        raise NotUnderstood(
            "its arguments are unpacked, and norm_first may be among them", call.lineno
        )
    first = _keyword(call, "norm_first")
    if first is None:
        return "post"
    if not isinstance(first.value, ast.Constant):
        raise NotUnderstood(f"norm_first is '{ast.unparse(first.value)}': set that", call.lineno)
    return "pre" if first.value.value else "post"


def _set(source, call, is_first):
    first = _keyword(call, "norm_first")
    if first is None:
        _append(source, call, f"norm_first={is_first}")
    else:
        source.replace(source.start(first.value), source.end(first.value), str(is_first))


def _append(source, call, text):
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if given:
        source.insert(max(source.end(node) for node in given), f", {text}")
    else:
        source.insert(source.end(call) - 1, text)


def _stacks(source):
    return [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and last_name(node.func) in _STACKS
    ]


def _norm_of(stack):
    return stack.args[2] if len(stack.args) > 2 else getattr(_keyword(stack, "norm"), "value", None)


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def _add_norm(source, stack, calls):
    norm = _norm_of(stack)
    if norm is not None and not _is_none(norm):
        return
    layer = _layer_of(stack, calls)
    width = (
        None
        if layer is None
        else (layer.args[0] if layer.args else getattr(_keyword(layer, "d_model"), "value", None))
    )
    if width is None or not isinstance(stack.func, ast.Attribute):
        raise NotUnderstood(
            "a final norm is needed behind these layers, and it is not clear how to make it",
            stack.lineno,
        )
    eps = _keyword(layer, "layer_norm_eps")
    eps_text = "" if eps is None else f", eps={source.of(eps.value)}"
    made = f"{source.of(stack.func.value)}.LayerNorm({source.of(width)}{eps_text})"
    if norm is None:
        _append(source, stack, f"norm={made}")
    else:
        source.replace(source.start(norm), source.end(norm), made)


def _layer_of(stack, calls):
    """The call that made the layer of a stack: its argument, or what its argument was assigned in the same function."""
    given = (
        stack.args[0]
        if stack.args
        else getattr(
            _keyword(stack, "encoder_layer") or _keyword(stack, "decoder_layer"), "value", None
        )
    )
    if given in calls:
        return given
    if given is None:
        return None
    own = function_of(stack)
    return next(
        (
            call
            for call in calls
            if function_of(call) is own
            and isinstance(statement_of(call), ast.Assign)
            and statement_of(call).value is call
            and any(
                ast.unparse(target) == ast.unparse(given) for target in statement_of(call).targets
            )
        ),
        None,
    )


def _remove_norm(source, stack):
    norm = _norm_of(stack)
    if norm is None or _is_none(norm):
        return
    keyword = _keyword(stack, "norm")
    start = source.start(norm if keyword is None else keyword)
    # With the comma and the space before it.
    before = re.search(r",\s*$", source.bytes[:start].decode())
    source.replace(
        start if before is None else len(source.bytes[:start].decode()[: before.start()].encode()),
        source.end(norm),
        "",
    )

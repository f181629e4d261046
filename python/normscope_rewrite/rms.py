"""LayerNorm becomes RMSNorm: in the call that makes it, or in the class that computes it."""

import ast

from .source import NotUnderstood, classes, last_name


def to_rms(source, norms):
    """Of the norms given; the lines that changed."""
    own = classes(source.tree)
    done, lines = set(), []
    for norm in norms:
        call = norm.made.body if isinstance(norm.made, ast.IfExp) else norm.made
        if not isinstance(call, ast.Call):
            raise NotUnderstood(f"'{norm.path}' is not made here", norm.statement.lineno)
        for inner in ast.walk(call):
            name = last_name(inner.func) if isinstance(inner, ast.Call) else ""
            if inner in done or "norm" not in name.lower() and name not in own:
                continue
            done.add(inner)
            if name in own:
                lines.extend(_in_class(source, own[name], done))
            elif name == "LayerNorm":
                lines.append(_in_call(source, inner))
            elif name != "RMSNorm":
                raise NotUnderstood(f"'{name}' is no LayerNorm", inner.lineno)
    return lines


def _in_call(source, call):
    """nn.LayerNorm(d) becomes nn.RMSNorm(d, eps=1e-05): LayerNorm's own default, not RMSNorm's."""
    if len(call.args) > 3 or not call.args:
        raise NotUnderstood("the arguments of LayerNorm are not known here", call.lineno)
    if isinstance(call.func, ast.Name):
        raise NotUnderstood(
            "'LayerNorm' is imported by its name; nn.LayerNorm could be converted", call.lineno
        )
    end = source.end(call.func)
    source.replace(end - len("LayerNorm"), end, "RMSNorm")
    named = {keyword.arg for keyword in call.keywords}
    arguments = [*call.args, *[keyword.value for keyword in call.keywords]]
    if len(call.args) < 2 and "eps" not in named:
        source.insert(source.end(call.args[-1]), ", eps=1e-05")
    for keyword in call.keywords:
        if keyword.arg == "bias":
            before = max(
                (source.end(node) for node in arguments if source.end(node) < source.start(keyword))
            )
            source.replace(before, source.end(keyword), "")
    return call.lineno


def _in_class(source, cls, done):
    """F.layer_norm(x, shape, weight, bias, eps) becomes F.rms_norm(x, shape, weight, eps)."""
    calls = [node for node in ast.walk(cls) if isinstance(node, ast.Call)]
    if "rms" in cls.name.lower() or any(last_name(call.func) == "rms_norm" for call in calls):
        return []
    found = [call for call in calls if last_name(call.func) == "layer_norm"]
    if len(found) != 1:
        raise NotUnderstood(f"'{cls.name}' computes its norm in its own way", cls.lineno)
    (call,) = found
    if call in done:
        return []
    done.add(call)
    if len(call.args) < 4 or call.keywords:
        raise NotUnderstood("layer_norm is called in a way that is not known here", call.lineno)
    end = source.end(call.func)
    source.replace(end - len("layer_norm"), end, "rms_norm")
    source.replace(source.end(call.args[2]), source.end(call.args[3]), "")
    if len(call.args) == 4:
        source.insert(source.end(call.args[2]), ", 1e-05")
    return [call.lineno]

"""Constructor arguments: from `--set`, defaults, a dataclass config, or, where nothing is said, by name."""

import ast
import dataclasses
import difflib
import inspect


class PlanError(Exception):
    """The class cannot be run as it is asked for."""

    def __init__(self, code, message, hint=None):
        super().__init__(message)
        self.normscope_code = code
        self.normscope_hint = hint


# A required size that nobody gave: small, and said in the script.
_SIZES = (
    (("vocab", "n_tokens", "ntoken", "num_embeddings"), 256),
    (("n_layer", "num_layer", "nlayer", "depth", "n_block", "num_block", "layers"), 2),
    (("n_head", "num_head", "nhead", "heads", "n_kv_head", "num_kv_head"), 4),
    (("d_ff", "dff", "d_hid", "ffn", "mlp_dim", "intermediate", "hidden_features", "feedforward"), 256),
    (("head_dim", "d_head", "d_k", "d_v"), 16),
    (("max_len", "max_seq", "block_size", "context", "n_ctx", "seq_len", "max_position", "window"), 64),
    (("image_size", "img_size"), 32),
    (("patch_size",), 8),
    (("in_channels", "in_chans", "channels"), 3),
    (("n_class", "num_class", "n_output", "out_dim"), 10),
    (("dim", "d_model", "n_embd", "embed", "emb", "hidden", "width", "features", "ninp", "nhid"), 64),
)


class Arguments:
    """What `cls(…)` is called with; a config object is built from its own fields."""

    def __init__(self):
        self.values = {}
        self.texts = {}
        self.imports = []
        self.made_up = []

    def construct(self, cls):
        return cls(**self.values)

    def text(self, entry):
        return f"{entry}({', '.join(f'{name}={text}' for name, text in self.texts.items())})"


def constructor_arguments(module, cls, given):
    """`given` maps names to Python literals as text."""
    left = {name: _literal(text) for name, text in given.items()}
    arguments = Arguments()
    takes_any = False
    for name, parameter in _parameters(cls).items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            takes_any = True
        elif parameter.kind is not inspect.Parameter.VAR_POSITIONAL:
            _bind(module, cls, name, parameter, left, arguments)
    if takes_any:
        for name in list(left):
            _set(arguments, name, left.pop(name))
    if left:
        _refuse_unknown(module, cls, left)
    return arguments


def _parameters(cls):
    signature = inspect.signature(cls.__init__)
    parameters = dict(signature.parameters)
    parameters.pop(next(iter(parameters)), None)
    return parameters


def _bind(module, cls, name, parameter, left, arguments):
    config = config_class(module, name, parameter)
    if name in left:
        _set(arguments, name, left.pop(name))
    elif config is not None:
        fields = {field: left.pop(field) for field in config_fields(config) if field in left}
        fields |= _missing_fields(config, fields)
        arguments.values[name] = config(**fields)
        inner = ", ".join(f"{field}={value!r}" for field, value in fields.items())
        arguments.texts[name] = f"{config.__name__}({inner})"
        if config.__name__ not in arguments.imports:
            arguments.imports.append(config.__name__)
    elif parameter.default is inspect.Parameter.empty:
        _set(arguments, name, _by_name(cls, name, parameter))
        arguments.made_up.append(name)


def _set(arguments, name, value):
    arguments.values[name] = value
    arguments.texts[name] = repr(value)


def config_class(module, name, parameter):
    """The class of a config object that the parameter takes, or None."""
    annotation = parameter.annotation
    if isinstance(annotation, str):
        annotation = getattr(module, annotation.strip("'\""), None)
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        return annotation
    if parameter.default is not inspect.Parameter.empty:
        return type(parameter.default) if dataclasses.is_dataclass(parameter.default) else None
    if name not in ("config", "cfg", "args", "conf", "params", "hparams", "model_args"):
        return None
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and (dataclasses.is_dataclass(value) or value.__name__.endswith(("Config", "Args")))
    ]
    return own[0] if len(own) == 1 else None


def config_fields(config):
    if dataclasses.is_dataclass(config):
        return [field.name for field in dataclasses.fields(config) if field.init]
    return list(_parameters(config))


def _missing_fields(config, fields):
    if not dataclasses.is_dataclass(config):
        return {}
    return {
        field.name: _by_name(config, field.name, None)
        for field in dataclasses.fields(config)
        if field.init
        and field.name not in fields
        and field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    }


def _by_name(cls, name, parameter):
    annotation = getattr(parameter, "annotation", inspect.Parameter.empty)
    lower = name.lower()
    if annotation in (inspect.Parameter.empty, int, "int") or parameter is None:
        if "dropout" in lower or lower in ("p_drop", "drop_rate", "drop"):
            return 0.0
        for names, size in _SIZES:
            if any(part in lower for part in names):
                return size
    if annotation in (float, "float") and ("drop" in lower or lower == "p"):
        return 0.0
    if annotation in (bool, "bool"):
        return False
    if "eps" in lower:
        return 1e-5
    raise PlanError(
        "plan/missing-argument",
        f"'{cls.__name__}' needs the argument '{name}', which has no default",
        f"Give it with --set {name}=VALUE, or run a model that contains '{cls.__name__}'",
    )


def _literal(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False, "null": None}.get(text, text)


def _refuse_unknown(module, cls, left):
    known = list(_parameters(cls))
    for name, parameter in _parameters(cls).items():
        config = config_class(module, name, parameter)
        if config is not None:
            known.extend(config_fields(config))
    name = next(iter(left))
    near = difflib.get_close_matches(name, known, 1)
    raise PlanError(
        "plan/unknown-argument",
        f"'{cls.__name__}' takes no argument '{name}'",
        f"Did you mean '{near[0]}'?" if near else f"It takes {', '.join(known) or 'none'}",
    )

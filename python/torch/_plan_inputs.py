"""Made-up inputs: tokens for what embeds, images for what convolves, else features."""

import inspect

from ._call import call
from ._plan_arguments import PlanError

_BATCH, _LENGTH = 4, 64


class Rule:
    """One argument of forward, how it is made, and the text of that."""

    def __init__(self, name, shape, below=None, keyword=False, dtype=None, value=None):
        self.name = name
        self.shape = shape
        self.below = below
        self.keyword = keyword
        self.dtype = dtype
        self.value = value

    @property
    def is_target(self):
        return self.name in TARGETS

    @property
    def told(self):
        """How the numbers are made, for the report."""
        return self.text

    @property
    def lines(self):
        """The lines that make them."""
        return [f"{self.name} = {self.text}"]

    @property
    def text(self):
        if self.shape is None:
            return repr(self.value)
        size = f"({', '.join(map(str, self.shape))}{',' if len(self.shape) == 1 else ''})"
        suffix = f", dtype=torch.{self.dtype}" if self.dtype not in (None, "int64", "float32") else ""
        if self.below is not None:
            return f"torch.randint(0, {self.below}, {size}{suffix})"
        return f"torch.randn{size}" if not suffix else f"torch.randn({size}{suffix})"

    def make(self):
        from ._dtypes import BY_NAME

        if self.shape is None:
            return self.value
        options = {"dtype": BY_NAME[self.dtype]} if self.dtype not in (None, "int64", "float32") else {}
        if self.below is not None:
            return call("randint", (0, self.below, self.shape), options)
        return call("randn", (self.shape,), options)


def input_rules(model, specs, sizes):
    """Lists of rules, the most likely first; what the user says replaces what is inferred."""
    batch, length = sizes.get("batch", _BATCH), sizes.get("seq") or _length(model)
    parameters = _forward_parameters(model)
    unknown = set(specs) - {name for name, _ in parameters}
    if unknown:
        raise PlanError(
            "plan/unknown-input",
            f"forward takes no argument '{min(unknown)}'",
            f"It takes {', '.join(name for name, _ in parameters)}",
        )
    found = []
    for kind in _kinds(model):
        rules = [_rule(model, name, parameter, kind, specs.get(name), (batch, length)) for name, parameter in parameters]
        found.append([rule for rule in rules if rule is not None])
    return found


def _forward_parameters(model):
    signature = inspect.signature(model.forward)
    return [
        (name, parameter)
        for name, parameter in signature.parameters.items()
        if parameter.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]


TARGETS = ("targets", "target", "labels", "label", "y")


def _rule(model, name, parameter, kind, spec, size):
    keyword = parameter.kind is inspect.Parameter.KEYWORD_ONLY
    if spec is not None:
        below = spec["below"]
        if below is None and spec["dtype"].startswith("int"):
            below = vocabulary_of(model) or 2
        return Rule(name, tuple(spec["shape"]), below, keyword, spec["dtype"])
    required = parameter.default is inspect.Parameter.empty
    if not required:
        wants_targets = name in TARGETS and kind == "tokens" and parameter.default is None
        return Rule(name, size, vocabulary_of(model), True) if wants_targets else None
    if "mask" in name:
        return Rule(name, None, value=None)
    if name in ("start_pos", "offset", "pos_offset"):
        return Rule(name, None, value=0)
    if kind == "tokens":
        return Rule(name, size, vocabulary_of(model), keyword)
    if kind == "images":
        return Rule(name, (size[0], *_image_shape(model)), None, keyword)
    return Rule(name, (*size, width_of(model)), None, keyword)


def _kinds(model):
    from .nn.modules.conv import Conv2d

    tokens = vocabulary_of(model) is not None
    images = any(isinstance(module, Conv2d) for module in model.modules())
    order = (["tokens"] if tokens else []) + (["images"] if images and not tokens else []) + ["features"]
    return order


def vocabulary_of(model):
    """Rows of the first embedding that is no position table; None without embeddings."""
    from .nn.modules.sparse import Embedding

    tables = [module.num_embeddings for module in model.modules() if isinstance(module, Embedding)]
    if tables:
        return tables[0]
    return next(
        (
            parameter.shape[0]
            for name, parameter in model.named_parameters()
            if parameter.dim() == 2 and "emb" in name and parameter.shape[0] > parameter.shape[1]
        ),
        None,
    )


def width_of(model):
    """Features of the last axis: what the first norm or linear layer takes."""
    from .nn.modules.linear import Linear
    from .nn.modules.normalization import LayerNorm, RMSNorm

    for module in model.modules():
        if isinstance(module, (LayerNorm, RMSNorm)):
            return module.normalized_shape[-1]
        if isinstance(module, Linear):
            return module.in_features
    first = next((parameter for parameter in model.parameters() if parameter.dim() > 0), None)
    return 64 if first is None else first.shape[-1]


_LIMITS = (
    "block_size", "max_len", "max_seq_len", "max_length", "context_length", "n_ctx", "seq_len",
    "max_position_embeddings", "ctx_len", "max_seq_length", "context_size", "block",
)


def _length(model):
    limit = _LENGTH
    for holder in (model, *(getattr(model, name, None) for name in ("config", "cfg", "params", "args", "conf"))):
        for name in _LIMITS:
            size = getattr(holder, name, None)
            if isinstance(size, int) and not isinstance(size, bool):
                limit = min(limit, size)
    return min([limit, *_position_tables(model)])


def _position_tables(model):
    """Lengths that learned positions or causal masks allow."""
    from .nn.modules.sparse import Embedding

    tables = [module for module in model.modules() if isinstance(module, Embedding)]
    lengths = [table.num_embeddings for table in tables[1:] if table.num_embeddings > 1]
    for name, tensor in [*model.named_buffers(), *model.named_parameters()]:
        shape = tuple(tensor.shape)
        if ("pos" in name or "pe" == name.rpartition(".")[2]) and len(shape) == 3 and shape[0] == 1:
            lengths.append(shape[1])
        elif len(shape) >= 2 and shape[-1] == shape[-2] and "mask" in name:
            lengths.append(shape[-1])
    return [length for length in lengths if length >= 8]


def _image_shape(model):
    from .nn.modules.conv import Conv2d

    first = next(module for module in model.modules() if isinstance(module, Conv2d))
    size = next(
        (
            value
            for name in ("image_size", "img_size", "input_resolution", "resolution")
            if isinstance(value := getattr(model, name, None), int)
        ),
        32,
    )
    return (first.in_channels, size, size)

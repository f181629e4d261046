"""Names of the functions that PyTorch's backward pass calls, as `grad_fn` and printed tensors show them."""

from ._unsupported import unsupported

_LIKE = {
    "Add": "add_scalar",
    "AvgPool2D": "avg_pool2d",
    "AvgPool3D": "avg_pool3d",
    "Clone": "contiguous",
    "ConstantPadNd": "pad",
    "Convolution": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d",
    "Div": "normalize divide true_divide",
    "Expand": "expand_as broadcast_to",
    "LinalgVectorNorm": "norm linalg_norm vector_norm",
    "Log1P": "log1p",
    "LogSigmoid": "logsigmoid",
    "MaxPool2DWithIndices": "max_pool2d",
    "MaxPool3DWithIndices": "max_pool3d",
    "Mul": "dropout rms_norm multiply outer",
    "NativeBatchNorm": "batch_norm",
    "NativeGroupNorm": "group_norm",
    "NativeLayerNorm": "layer_norm",
    "Neg": "negative",
    "NllLoss": "cross_entropy nll_loss",
    "Permute": "T movedim moveaxis",
    "Pow": "square",
    "Slice": "narrow",
    "Split": "chunk",
    "Sub": "subtract",
    "T": "t",
    "ToCopy": "to type_as float double half bfloat16",
    "Transpose": "mT swapaxes swapdims adjoint",
    "View": "flatten view_as unflatten ravel einsum repeat_interleave",
}
_NAMES = {op: f"{name}Backward0" for name, ops in _LIKE.items() for op in ops.split()}
_NAMES |= {
    "clamp": "ClampBackward1",
    "clip": "ClampBackward1",
    "copy_": "CopyBackwards",
    "cosine_similarity": "SumBackward1",
    "fill_": "FillBackward2",
    "l1_loss": "MeanBackward0",
    "avg_pool1d": "SqueezeBackward1",
    "max_pool1d": "SqueezeBackward1",
    "rsub": "RsubBackward1",
    "as_strided_": "AsStridedBackward1",
    "swapaxes_": "TransposeBackward1",
    "swapdims_": "TransposeBackward1",
    "t_": "TBackward1",
    "transpose_": "TransposeBackward1",
    "unsqueeze_": "UnsqueezeBackward1",
}


def name_of(op, args, kwargs):
    """The name for what one call of the host gives."""
    name = op.split(":")[0].split(".")[-1]
    rule = _RULES.get(name) or _RULES.get(name.rstrip("_"))
    return _camel(name) if rule is None else rule(args, kwargs)


def _camel(op):
    found = _NAMES.get(op) or _NAMES.get(op.rstrip("_"))
    words = op.split("_")
    return found or "".join(word[:1].upper() + word[1:] for word in words) + "Backward0"


def _given(args, kwargs, at, *names):
    """An argument by its place or by one of its names; None: it is not there."""
    if len(args) > at:
        return args[at]
    return next((kwargs[name] for name in names if name in kwargs), None)


def _by_dim(name, without, with_):
    def rule(args, kwargs):
        is_whole = _given(args, kwargs, 1, "dim", "axis") is None
        return f"{name}Backward{without if is_whole else with_}"

    return rule


def _squeeze(first):
    """The names are numbered by what `dim` is: none, one or several; those in place come last."""

    def rule(args, kwargs):
        dim = _given(args, kwargs, 1, "dim")
        return f"SqueezeBackward{first + (0 if dim is None else 1 if isinstance(dim, int) else 2)}"

    return rule


def _is_number(value):
    return isinstance(value, (bool, int, float, complex))


def _division(args, kwargs):
    return "MulBackward0" if _is_number(_given(args, kwargs, 0, "input")) else "DivBackward0"


def _power(args, kwargs):
    if _is_number(_given(args, kwargs, 0, "input", "self")):
        return "PowBackward2"
    return f"PowBackward{0 if _is_number(_given(args, kwargs, 1, 'exponent')) else 1}"


def _scatter(args, kwargs):
    value = _given(args, kwargs, 3, "value", "src")
    return f"ScatterBackward{1 if _is_number(value) else 0}"


def _reshape(args, kwargs):
    return (
        "ViewBackward0"
        if _given(args, kwargs, 0, "input").is_contiguous()
        else "UnsafeViewBackward0"
    )


def _product(args, kwargs):
    ranks = _given(args, kwargs, 0, "input").dim(), _given(args, kwargs, 1, "other").dim()
    return _PRODUCTS.get(ranks, "UnsafeViewBackward0")


_PRODUCTS = {
    (1, 1): "DotBackward0",
    (2, 1): "MvBackward0",
    (1, 2): "SqueezeBackward4",
    (2, 2): "MmBackward0",
}


def _linear(args, kwargs):
    bias = _given(args, kwargs, 2, "bias")
    rank = _given(args, kwargs, 0, "input").dim()
    if _given(args, kwargs, 1, "weight").dim() == 1 and bias is None:
        return {1: "DotBackward0", 2: "MvBackward0"}.get(rank, "UnsafeViewBackward0")
    if rank == 1:
        return "SqueezeBackward4" if bias is None else "AddBackward0"
    if rank == 2:
        return "MmBackward0" if bias is None else "AddmmBackward0"
    return "UnsafeViewBackward0" if bias is None or bias.is_contiguous() else "AddBackward0"


def _attention(args, kwargs):
    rank = _given(args, kwargs, 0, "query").dim()
    if rank == 2:
        return "MmBackward0"
    if rank == 3:
        return "SqueezeBackward1"
    return "ScaledDotProductFlashAttentionForCpuBackward0" if rank == 4 else "UnsafeViewBackward0"


def _window(args, kwargs):
    """Of an index: its last part that takes something away or adds an axis."""
    name = "AliasBackward0"
    for part in args[1]:
        if part is None:
            name = "UnsqueezeBackward0"
        elif isinstance(part, slice):
            if (part.start or 0) != 0 or part.stop is not None or part.step not in (None, 1):
                name = "SliceBackward0"
        elif isinstance(part, int) and not isinstance(part, bool):
            name = "SelectBackward0"
        elif part is not Ellipsis:
            return "IndexBackward0"
    return name


_RULES = {
    "__getitem__": _window,
    "div": _division,
    "linear": _linear,
    "matmul": _product,
    "max": _by_dim("Max", 1, 0),
    "mean": _by_dim("Mean", 0, 1),
    "median": _by_dim("Median", 0, 1),
    "min": _by_dim("Min", 1, 0),
    "pow": _power,
    "prod": _by_dim("Prod", 0, 1),
    "reshape": _reshape,
    "scaled_dot_product_attention": _attention,
    "scatter": _scatter,
    "squeeze": _squeeze(0),
    "squeeze_": _squeeze(3),
    "sum": _by_dim("Sum", 0, 1),
}


class Node:
    """What a backward pass calls: its name alone is known here."""

    @property
    def next_functions(self):
        raise unsupported("grad_fn.next_functions")

    def name(self):
        return type(self).__name__

    def __repr__(self):
        return f"<{type(self).__name__} object at {id(self):#x}>"


_kinds = {}


def node_of(maker):
    """`maker` is a name, or the node of a function of the user's own."""
    if isinstance(maker, Node):
        return maker
    if maker not in _kinds:
        _kinds[maker] = type(maker, (Node,), {})
    return _kinds[maker]()

"""What a constructed model says about its inputs: vocabulary, widths, images, lengths."""

import ast
import copy
import inspect
import re
import textwrap

from ._host import host
from ._tensor import Tensor


class ModelFacts:
    """`arguments` are the constructor's, by name."""

    def __init__(self, model, arguments):
        self.model = model
        self.holders = [arguments, *_holders(model)]
        self.vocabulary = vocabulary_of(model)
        self.widths = _widths(model)
        self.heads = self.size(
            "n_head", "num_heads", "n_heads", "heads", "h", "nhead", "head", "num_attention_heads"
        )
        self.image_size = 32
        self.is_of_images = _takes(model, "Conv2d") or self.size(*_IMAGE_SIZES) is not None

    def size(self, *names):
        """The first whole number that the model or its arguments have under one of the names."""
        for name in names:
            for holder in self.holders:
                value = holder.get(name) if isinstance(holder, dict) else _attribute(holder, name)
                if isinstance(value, (tuple, list)) and value:
                    value = value[0]
                if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                    return value
        return None

    def sizes(self, *names):
        """The first list of whole numbers that the model or its arguments have under one of the names; else ()."""
        for name in names:
            for holder in self.holders:
                value = holder.get(name) if isinstance(holder, dict) else _attribute(holder, name)
                is_list = isinstance(value, (tuple, list)) and len(value) > 0
                if is_list and all(type(it) is int for it in value):
                    return tuple(value)
        return ()

    def has_layer(self, name):
        return _takes(self.model, name)

    @property
    def levels(self):
        """How many maps of features a list of them has, and the channels of each; `()`: those of the first."""
        widths = self.sizes(*_CHANNELS_OF_LEVELS)
        if 1 < len(widths) < 7:
            return len(widths), widths
        return self.size(*_LEVELS) or 2, ()

    @property
    def length(self):
        limit = min([64, *(size for name in _LIMITS if (size := self.size(name)) is not None)])
        return min([limit, *_position_tables(self.model)])

    @property
    def image(self):
        """Channels, height and width."""
        channels = self.size("in_channels", "in_chans", "channels", "num_channels", "in_ch")
        if channels is None:
            channels = _channels(self.model, "Conv2d") or 3
        size = self.size(*_IMAGE_SIZES) or self.image_size
        return (channels, size, size)

    @property
    def tells_image_size(self):
        return self.size(*_IMAGE_SIZES) is not None

    def with_image_size(self, size):
        """The same with another size for images where neither model nor arguments have one."""
        other = copy.copy(self)
        other.image_size = size
        return other

    @property
    def frames(self):
        return self.size("num_frames", "frames", "n_frames")

    @property
    def rows(self):
        """Channels of what the first Conv1d takes, or None."""
        return _channels(self.model, "Conv1d")

    @property
    def matrices(self):
        """How many matrices lie in the first parameter that holds several, as those of heads do; None without."""
        shapes = (tuple(it.shape) for it in self.model._parameters.values() if it is not None)
        return next((it[0] for it in shapes if len(it) > 2 and 1 < it[0] <= _MOST_HEADS), None)

    @property
    def classes(self):
        return self.size("num_classes", "n_classes", "class_num") or 10


_MOST_HEADS = 32

_CHANNELS_OF_LEVELS = (
    "in_channels",
    "in_dims",
    "channels",
    "dims",
    "embed_dims",
    "feature_channels",
)
_LEVELS = ("num_feature_levels", "n_levels", "num_levels", "n_feature_levels", "num_inputs")

_IMAGE_SIZES = (
    "image_size",
    "img_size",
    "input_resolution",
    "image_resolution",
    "resolution",
    "input_size",
    "sample_size",
    "image_height",
)

_LIMITS = (
    "block_size",
    "max_len",
    "max_seq_len",
    "max_length",
    "context_length",
    "n_ctx",
    "seq_len",
    "max_position_embeddings",
    "ctx_len",
    "max_seq_length",
    "context_size",
    "block",
    "seg_num",
    "in_seg_num",
)


def _attribute(holder, name):
    # A guessed config would make the field up.
    return vars(holder).get(name) if hasattr(holder, "__dict__") else None


def _holders(model):
    inner = (
        vars(model).get(name) for name in ("config", "cfg", "params", "args", "conf", "configs")
    )
    return [model, *(holder for holder in inner if holder is not None)]


def _named(model, *classes):
    for module in model.modules():
        if type(module).__name__ in classes or any(
            base.__name__ in classes for base in type(module).__mro__
        ):
            yield module


def _first(model, name):
    return next(_named(model, name), None)


def _channels(model, name):
    """What the first convolution of this class takes; None where there is none or its input decides."""
    first = _first(model, name)
    return None if first is None else first.in_channels or None


def _takes(model, name):
    return _first(model, name) is not None


def vocabulary_of(model):
    """Rows of the first embedding that is no table of positions, segments or steps; None without embeddings."""
    from .nn.modules.sparse import Embedding

    tables = [
        (name, module.num_embeddings)
        for name, module in model.named_modules()
        if isinstance(module, Embedding)
    ]
    words = [size for name, size in tables if not _OTHER_TABLES.search(name.lower())]
    if words:
        return words[0]
    if tables and not any(_named(model, "Linear", "_ConvNd")):
        return tables[0][1]
    return next(
        (
            parameter.shape[0]
            for name, parameter in model.named_parameters()
            if parameter.dim() == 2
            and "emb" in name
            and parameter.shape[0] > parameter.shape[1]
            and not _OTHER_TABLES.search(name)
        ),
        None,
    )


def layers_of_zeros(model):
    """The matrices and convolutions that give zeros, as zero-initialised heads do."""
    from .nn.modules.conv import _ConvNd
    from .nn.modules.linear import Linear

    layers = [it for it in model.modules() if isinstance(it, (Linear, _ConvNd))]
    return [it for it in layers if all(host.is_zero(part._id) for part in it.parameters())]


_OTHER_TABLES = re.compile(r"pos|wpe|segment|type|time|step|label|class|rel|abs_")


def _widths(model):
    """Features of the last axis that a norm or linear layer of the model takes, in their order, each once."""
    from .nn.modules.linear import Linear
    from .nn.modules.normalization import LayerNorm, RMSNorm

    found = []
    for module in model.modules():
        if isinstance(module, (LayerNorm, RMSNorm)):
            found.append(module.normalized_shape[-1])
        elif isinstance(module, Linear):
            found.append(module.in_features)
    found += [parameter.shape[-1] for parameter in model.parameters() if parameter.dim() > 0][:1]
    return [it for it in dict.fromkeys(found) if it > 0] or [64]


def _position_tables(model):
    """Lengths that tables of positions, rotations or causal masks allow."""
    from .nn.modules.sparse import Embedding

    tables = [
        (name, module) for name, module in model.named_modules() if isinstance(module, Embedding)
    ]
    lengths = [
        table.num_embeddings
        for i, (name, table) in enumerate(tables)
        if table.num_embeddings > 1 and (i > 0 or "pos" in name)
    ]
    for name, tensor in [*model.named_buffers(), *model.named_parameters()]:
        shape = tuple(tensor.shape)
        if ("pos" in name or "pe" == name.rpartition(".")[2]) and len(shape) == 3 and shape[0] == 1:
            lengths.append(shape[1])
        elif len(shape) >= 2 and shape[-1] == shape[-2] and "mask" in name:
            lengths.append(shape[-1])
    lengths += _rotations(model)
    return [length for length in lengths if length >= 8]


def _rotations(model):
    """Positions of tables of angles: [length, features], with axes of size 1 in any place."""
    for module in model.modules():
        for name, tensor in [*vars(module).items(), *module._buffers.items()]:
            shape = tuple(tensor.shape) if isinstance(tensor, Tensor) else ()
            sizes = [size for size in shape[:-1] if size > 1]
            if _ROTATIONS.match(name) and len(shape) > 1 and len(sizes) == 1:
                yield sizes[0]


_ROTATIONS = re.compile(r"_?((rope|rotary)(_|$)|(cos|sin)(_|$|\d*$)|freqs_(cis|complex)|pe$)")


def handed_on(model):
    """What `forward(self, *args)` calls with all its arguments, or None."""
    positional = [
        name
        for name, it in inspect.signature(model.forward).parameters.items()
        if it.kind is inspect.Parameter.VAR_POSITIONAL
    ]
    if not positional:
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(type(model).forward)))
    except (OSError, TypeError, SyntaxError):
        return None
    for call in (it for it in ast.walk(tree) if isinstance(it, ast.Call)):
        spread = [it.value for it in call.args if isinstance(it, ast.Starred)]
        if [getattr(it, "id", None) for it in spread] == positional and isinstance(
            call.func, ast.Attribute
        ):
            if getattr(call.func.value, "id", None) == "self":
                found = getattr(model, call.func.attr, None)
                return getattr(found, "forward", found)
    return None


def first_channels(model):
    """Channels of what the first convolution over two or three axes takes."""
    for module in model.modules():
        if type(module).__name__ in ("Conv2d", "Conv3d", "ConvTranspose2d"):
            return module.in_channels or None
    return None


def last_width(model):
    """How many numbers the last linear map gives; None where there is none."""
    widths = [it.out_features for it in model.modules() if hasattr(it, "out_features")]
    return widths[-1] if widths else None

"""What torch.typename calls functions: by the module of PyTorch that defines each."""

# Functions of torch.nn.functional that PyTorch has in C++: those of torch, and those of its own.
_OF_TORCH = set(
    "adaptive_avg_pool1d avg_pool1d bilinear celu_ channel_shuffle conv1d conv2d conv3d conv_tbc "
    "conv_transpose1d conv_transpose2d conv_transpose3d cosine_similarity hardshrink "
    "native_channel_shuffle pairwise_distance pdist pixel_shuffle pixel_unshuffle prelu relu_ rrelu_ "
    "selu_ threshold_".split()
)
_OF_LAYERS = set(
    "avg_pool2d avg_pool3d elu_ gelu hardtanh_ leaky_relu_ linear one_hot "
    "scaled_dot_product_attention softplus softshrink".split()
)
# Functions of torch that PyTorch writes in Python.
_OF_FUNCTIONAL = set(
    "atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod "
    "cdist chain_matmul einsum meshgrid norm split stft tensordot unravel_index".split()
)


def name_functions(torch, layers):
    """Gives the functions of torch and torch.nn.functional the names that PyTorch's have."""
    for name, function in _functions_in(torch):
        if name in _OF_FUNCTIONAL:
            _rename(function, "torch.functional", name)
        else:
            _rename(function, "torch", f"_VariableFunctionsClass.{name}")
    for name, function in _functions_in(layers):
        if name in _OF_TORCH:
            _rename(function, "torch", f"_VariableFunctionsClass.{name}")
        else:
            _rename(function, "torch._C._nn" if name in _OF_LAYERS else "torch.nn.functional", name)


def _functions_in(namespace):
    for name, value in list(namespace.items()):
        if getattr(value, "__name__", None) == name and hasattr(value, "__code__"):
            if value.__module__.startswith(("torch._", "torch.nn._")):
                yield name, value


def _rename(function, module, name):
    function.__module__ = module
    function.__qualname__ = name

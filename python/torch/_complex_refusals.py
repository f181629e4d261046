"""What PyTorch says where it has no complex numbers."""

from ._axes import check_dim
from ._dtypes import cpp_name
from ._unsupported import unsupported

# By the host's name of the call, the kernel that PyTorch misses.
_KERNELS = {}
for line in """adaptive_avg_pool1d=adaptive_avg_pool2d adaptive_avg_pool2d
adaptive_avg_pool3d=adaptive_avg_pool3d_cpu adaptive_max_pool1d=adaptive_max_pool2d
adaptive_max_pool2d adaptive_max_pool3d=adaptive_max_pool3d_cpu arctan2=atan2_cpu atan2=atan2_cpu
avg_pool1d=avg_pool2d avg_pool2d avg_pool3d=avg_pool3d_out_frame batch_norm
binary_cross_entropy binary_cross_entropy_with_logits=log_sigmoid_cpu bincount=bincount_cpu
bucketize=searchsorted_out_cpu celu=elu_cpu clamp_max=minimum_cpu clamp_min=maximum_cpu
copysign=copysign_cpu cross_entropy=log_softmax_lastdim_kernel_impl cummax=cummax_cpu
cummin=cummin_cpu digamma elu=elu_cpu entr=entr_cpu erf=erf_vml_cpu erfc=erfc_vml_cpu
erfcx=erfcx_cpu erfinv=erfinv_vml_cpu frac=frac_cpu
functional.log_softmax=log_softmax_lastdim_kernel_impl
functional.softmax=softmax_lastdim_kernel_impl gammaln=lgamma_vml_cpu
gaussian_nll_loss=lt_cpu gelu=GeluKernelImpl glu=glu_cpu ge=ge_cpu greater=gt_cpu
greater_equal=ge_cpu grid_sample=grid_sampler_2d_cpu_kernel_impl
group_norm=GroupNormKernelImpl gt=gt_cpu hardshrink=hardshrink_cpu hardsigmoid=hardsigmoid_cpu
hardswish=hardswish_cpu histc=histogram_cpu huber_loss=huber_cpu hypot=hypot_cpu i0=i0_vml_cpu
i1=i1_cpu instance_norm=batch_norm interpolate=upsample_nearest2d_channels_last
kthvalue=kthvalue_cpu layer_norm=LayerNormKernelImpl le=le_cpu leaky_relu=leaky_relu_cpu
less=lt_cpu less_equal=le_cpu lgamma=lgamma_vml_cpu linear_cross_entropy=log_softmax_kernel_impl
local_response_norm=avg_pool2d log_ndtr=log_ndtr_cpu log_softmax=log_softmax_lastdim_kernel_impl
logaddexp2=logaddexp2_cpu logit=logit_cpu logsigmoid=log_sigmoid_cpu lt=lt_cpu
max_pool1d=max_pool1d_impl max_pool1d_with_indices=max_pool2d max_pool2d
max_pool2d_with_indices=max_pool2d max_pool3d max_pool3d_with_indices=max_pool3d
median=median_out mish=mish_cpu mse_loss=mse_cpu ndtr=erf_vml_cpu ndtri=ndtri_cpu
nll_loss=nll_loss_out_frame poisson_nll_loss=le_cpu polygamma prelu=prelu_cpu psi=digamma
randperm=randperm scaled_dot_product_attention=softmax_lastdim_kernel_impl selu=elu_cpu
smooth_l1_loss=smooth_l1_cpu softmax=softmax_lastdim_kernel_impl
softmin=softmax_lastdim_kernel_impl softplus=softplus_cpu softshrink=softshrink_check
special.erf=erf_vml_cpu special.round=round_cpu threshold=threshold_cpu tril_indices triu_indices
unique unique_consecutive=unique xlog1py=xlog1py_cpu xlogy=xlogy_cpu
bernoulli=bernoulli_tensor_cpu_self_ geometric_=geometric_cpu log_normal_=log_normal_cpu
nanmedian=median_out histogram=histogram_cpu searchsorted=searchsorted_out_cpu""".split():
    _name, _, _kernel = line.partition("=")
    _KERNELS[_name] = _kernel or _name

_TEXTS = {
    **dict.fromkeys(
        "ceil floor fix trunc".split(),
        (NotImplementedError, "{} is not supported for complex inputs"),
    ),
    **dict.fromkeys(
        "clamp clip relu relu6 hardtanh margin_ranking_loss hinge_embedding_loss "
        "cosine_embedding_loss".split(),
        (NotImplementedError, "clamp is not supported for complex types"),
    ),
    **dict.fromkeys(
        "deg2rad rad2deg".split(), (NotImplementedError, "{} is not supported for complex tensors.")
    ),
    **dict.fromkeys("fmax fmin".split(), (TypeError, "{} not implemented for complex tensors.")),
    **dict.fromkeys(
        "maximum minimum".split(), (TypeError, "{} not implemented for complex tensors.")
    ),
    **dict.fromkeys(
        "argmax argmin max min".split(), (TypeError, "{}(): does not support complex input")
    ),
    **dict.fromkeys(
        "nansum nanmean".split(),
        (NotImplementedError, "nansum on CPU does not support complex inputs"),
    ),
    **dict.fromkeys(
        "isposinf isneginf".split(), (TypeError, "{} does not support complex inputs.")
    ),
    **dict.fromkeys(
        "sort argsort msort".split(), (TypeError, " Sort does not support complex dtypes on CPU")
    ),
    "aminmax": (TypeError, "aminmax not implemented for ComplexFloat"),
    "cdist": (RuntimeError, "cdist only supports floating-point dtypes, X1 got: ComplexFloat"),
    "cosine_similarity": (
        RuntimeError,
        "expected common dtype to be floating point, yet common dtype is ComplexFloat",
    ),
    "heaviside": (NotImplementedError, "heaviside is not yet implemented for complex tensors."),
    "isin": (NotImplementedError, "Unsupported input type encountered for isin(): ComplexFloat"),
    "kl_div": (RuntimeError, "kl_div: Complex inputs not supported."),
    "multinomial": (
        RuntimeError,
        "multinomial only supports floating-point dtypes for input, got: ComplexFloat",
    ),
    "one_hot": (RuntimeError, "one_hot is only applicable to index tensor of type LongTensor."),
    "signbit": (NotImplementedError, "signbit is not implemented for complex tensors."),
    "topk": (TypeError, " topk does not support complex dtypes on CPU"),
}


# Where the axis stands in calls that look at it before they look at the type.
_AXES = {
    **dict.fromkeys("argsort log_softmax max median min nanmean nanmedian".split(), 1),
    **dict.fromkeys("functional.log_softmax functional.softmax nansum softmax sort".split(), 1),
    "topk": 2,
}
_FINDING = {"max": "max", "min": "min", "median": "median", "nanmedian": "median"}


def _axis_refusal(name, args, kwargs):
    at = _AXES.get(name)
    if at is None or not args:
        return None
    input, rank = args[0], args[0].dim()
    dim = kwargs.get("dim", args[at] if len(args) > at else None)
    if type(dim) is int:
        check_dim(dim, rank)
    if name == "topk" and input.numel() == 0:
        return RuntimeError("selected index k out of range")
    if name not in _FINDING or input.numel() > 0:
        return None
    if dim is None and name in ("max", "min"):
        return RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
            "reduction dim with the 'dim' argument."
        )
    if type(dim) is int and rank and input.shape[dim] == 0:
        return IndexError(
            f"{_FINDING[name]}(): Expected reduction dim {dim % rank} to have non-zero size."
        )
    return None


def refusal(name, args, kwargs):
    """The error for a call that the stand-in does not have for arguments like these."""
    error = _axis_refusal(name, args, kwargs)
    if error is not None:
        return error
    kernel = _KERNELS.get(name)
    kind = _kind_of(args, kwargs)
    if kernel is not None and kind is not None:
        return NotImplementedError(f"\"{kernel}\" not implemented for '{kind}'")
    if name in _TEXTS:
        error, text = _TEXTS[name]
        return error(text.format(name).replace("ComplexFloat", kind or "ComplexFloat"))
    return unsupported(f"torch.{name} of complex numbers")


def _kind_of(args, kwargs):
    for arg in (*args, *kwargs.values()):
        dtype = getattr(arg, "dtype", arg)
        if getattr(dtype, "is_complex", False) is True:
            return cpp_name(dtype)
        if isinstance(arg, complex):
            return "ComplexFloat"
    return None

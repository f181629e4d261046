"""What may be assigned to a tensor's .grad, refused in PyTorch's words."""

from . import _dtypes


def check_assigned(tensor, grad):
    if grad is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if not hasattr(grad, "_id"):
        kind = type(grad)
        name = (
            kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
        )
        raise TypeError(
            f"assigned grad expected to be a Tensor or None but got grad of type {name}"
        )
    if grad.dtype != tensor.dtype:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{_dtypes.c_name(grad.dtype)}' to a tensor "
            f"with grad_dtype '{_dtypes.cpp_name(tensor.dtype)}'. The gradient must match the "
            "tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype "
            "attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. "
            "Diverging the dtypes of a tensor and its gradient may break downstream systems that "
            "assume they match."
        )
    if grad.shape != tensor.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(grad.shape)}' to a tensor of size "
            f"'{list(tensor.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )

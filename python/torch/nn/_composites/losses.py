"""Losses that few models use."""

from ..._call import call, composite
from ..._dtypes import bfloat16, float16, float32, float64
from ..._grad_mode import is_grad_enabled, no_grad
from ...amp.autocast_mode import is_autocast_cpu_enabled

__all__ = [
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "triplet_margin_with_distance_loss",
]


def _reduced(loss, size_average, reduce, reduction):
    if reduce is False:
        reduction = "none"
    elif size_average is not None or reduce is not None:
        reduction = "sum" if size_average is False else "mean"
    if reduction == "none":
        return loss
    if reduction not in ("mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return loss.mean() if reduction == "mean" else loss.sum()


def _refuse_gradient(kernel, argument, given):
    if given is not None and given.requires_grad and is_grad_enabled():
        raise RuntimeError(
            f"The function '{kernel}' is not differentiable with respect to argument '{argument}'. "
            "This input cannot have requires_grad True."
        )


def _in_kernel_type(kernel, input):
    """`input` in a type that the kernel takes: autocast makes half precision single."""
    if is_autocast_cpu_enabled() and input.dtype in (float16, bfloat16):
        return input.to(float32)
    if input.dtype not in (float32, float64):
        raise NotImplementedError(f'"{kernel}" not implemented for {input.type()}')
    return input


@composite("multi_margin_loss")
def multi_margin_loss(
    input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """mean over j ≠ y of max(0, margin − x_y + x_j)ᵖ, times the weight of y."""
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    input = _in_kernel_type("multi_margin_loss_cpu_kernel", input)
    _refuse_gradient("multi_margin_loss", "weight", weight)
    whole = input.dim() > 1
    rows, places = (input, target) if whole else (input.reshape(1, -1), target.reshape(1))
    classes = rows.shape[1]
    with no_grad():
        own = rows.gather(1, places.unsqueeze(1))
        others = call("one_hot", (places, classes), {}) == 0
        excess = margin - own + rows
        counted = (excess > 0) & others
        excess = call("where", (counted, excess, 0.0), {})
        factor = 1.0 / classes if weight is None else weight[places].unsqueeze(1) / classes
        each = (excess if p == 1 else excess * excess) * factor
        slope = (counted if p == 1 else 2 * excess) * factor
        slope = slope.scatter_add(1, places.unsqueeze(1), -slope.sum(1, keepdim=True))
        loss = each.sum(1)
    kept = [target] if weight is None else [target, weight]
    loss = call("row_loss", (rows, loss, slope.to(rows.dtype), kept), {})
    return _reduced(loss if whole else loss.squeeze(0), size_average, reduce, reduction)


@composite("multilabel_margin_loss")
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Σ of max(0, 1 − x_j + x_i) / classes over targets j and others i; −1 ends the targets."""
    input = _in_kernel_type("multilabel_margin_loss_forward_out_frame", input)
    whole = input.dim() > 1
    rows, places = (input, target) if whole else (input.reshape(1, -1), target.reshape(1, -1))
    classes = rows.shape[1]
    with no_grad():
        counts = (places >= 0).long().cumprod(1) == 1
        chosen = places.clamp(min=0)
        is_target = (call("one_hot", (chosen, classes), {}) * counts.unsqueeze(2)).sum(1) > 0
        excess = 1 - rows.gather(1, chosen).unsqueeze(2) + rows.unsqueeze(1)
        counted = (excess > 0) & counts.unsqueeze(2) & ~is_target.unsqueeze(1)
        loss = call("where", (counted, excess, 0.0), {}).sum((1, 2)) / classes
        pulls = counted.to(rows.dtype) / classes
        slope = pulls.sum(1).scatter_add(1, chosen, -pulls.sum(2))
    loss = call("row_loss", (rows, loss, slope, [target]), {})
    return _reduced(loss if whole else loss.squeeze(0), size_average, reduce, reduction)


@composite("multilabel_soft_margin_loss")
def multilabel_soft_margin_loss(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    """−mean over classes of y · log σ(x) + (1 − y) · log σ(−x)."""
    positive, negative = (call("logsigmoid", (x,), {}) for x in (input, -input))
    loss = -(target * positive + (1 - target) * negative)
    if weight is not None:
        loss = loss * weight
    return _reduced(loss.sum(dim=input.dim() - 1) / input.size(-1), size_average, reduce, reduction)


@composite("triplet_margin_with_distance_loss")
def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    distance = distance_function or (lambda a, b: call("pairwise_distance", (a, b), {}))
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = call("minimum", (far, distance(positive, negative)), {})
    return _reduced((margin + near - far).clamp(min=0), None, None, reduction)

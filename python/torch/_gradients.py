"""Gradients in the middle of a step: torch.autograd.grad, backward(), and what torch.func makes of them."""

from . import _grad_mode
from ._call import call, composite
from ._host import UnsupportedCall, host
from ._tensor import Tensor, leaves, wrap


@composite("grad")
def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """The gradients of `outputs` by each of `inputs`, which further calls may use."""
    _check_in_step("torch.autograd.grad")
    outputs, inputs = _listed(outputs), _listed(inputs)
    if is_grads_batched:
        return _of_each_row(outputs, inputs, _listed(grad_outputs), create_graph, allow_unused)
    retains = create_graph if retain_graph is None else retain_graph
    ids = host.gradients(
        _ids(outputs),
        _ids(_given(outputs, grad_outputs)),
        _ids(inputs),
        bool(create_graph),
        bool(retains),
    )
    found = [wrap(int(id)) if id != "0" else None for id in ids.split(",")]
    if materialize_grads:
        return tuple(
            _nothing_like(tensor, create_graph) if gradient is None else gradient
            for gradient, tensor in zip(found, inputs)
        )
    for i, gradient in enumerate(found):
        if gradient is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {i} appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior."
            )
    return tuple(found)


def _nothing_like(tensor, create_graph):
    zeros = call("zeros_like", (tensor,), {})
    return zeros.requires_grad_(True) if create_graph else zeros


def _of_each_row(outputs, inputs, given, create_graph, allow_unused):
    rows = [
        grad(
            outputs,
            inputs,
            [tensor[i] for tensor in given],
            retain_graph=True,
            create_graph=create_graph,
            allow_unused=allow_unused,
        )
        for i in range(given[0].shape[0])
    ]
    return tuple(
        None if parts[0] is None else call("stack", (list(parts),), {}) for parts in zip(*rows)
    )


def backward(tensors, gradients, retain_graph, create_graph, inputs):
    """Adds the gradients of `tensors` to `.grad` of the leaves (of `inputs`, where these are given)."""
    _check_in_step("backward()")
    tensors = _listed(tensors)
    retains = create_graph if retain_graph is None else retain_graph
    pairs = host.gradients_of_leaves(
        _ids(tensors), _ids(_given(tensors, gradients)), bool(create_graph), bool(retains)
    )
    wanted = None if inputs is None else {tensor._id for tensor in _listed(inputs)}
    for pair in pairs.split(",") if pairs else ():
        leaf, gradient = (int(id) for id in pair.split(":"))
        if (wanted is None or leaf in wanted) and leaf in leaves:
            _accumulate(leaves[leaf], wrap(gradient))


@composite("accumulate_grad")
def _accumulate(leaf, gradient):
    if leaf.grad is not None:
        with _grad_mode.no_grad():
            gradient = call("add", (leaf.grad, gradient), {})
    leaf.grad = gradient
    leaf._accumulates = True


def accumulated(parameters):
    """Those with gradients that backward() within the step left, as "parameter:gradient", by commas."""
    kept = [p for p in parameters if "_accumulates" in p.__dict__ and p.grad is not None]
    return ",".join(f"{p._id}:{p.grad._id}" for p in kept)


def _check_in_step(what):
    if not host.in_step():
        raise UnsupportedCall(
            f"{what} outside of the step that is measured is not supported: return the loss from "
            "step, its gradients are computed from it"
        )


def _listed(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def _given(outputs, gradients):
    return [None] * len(outputs) if gradients is None else _listed(gradients)


def _ids(tensors):
    return ",".join("0" if tensor is None else str(tensor._id) for tensor in tensors)

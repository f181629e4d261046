"""Recurrent layers and cells, unrolled: one call for a whole sequence through all layers.

Steps are [N, F], states [N, H]. Weights come as PyTorch stores them: for each layer and direction
w_ih, w_hh, then b_ih and b_hh where there are biases, then w_hr where hidden states are projected.
"""

from ..._call import call, composite
from ..._dtypes import bfloat16, float32
from ..._tensor import Tensor
from ...amp.autocast_mode import autocast, get_autocast_cpu_dtype, is_autocast_cpu_enabled

__all__ = []
TORCH = [
    "gru",
    "gru_cell",
    "lstm",
    "lstm_cell",
    "rnn_relu",
    "rnn_relu_cell",
    "rnn_tanh",
    "rnn_tanh_cell",
]


def _linear(x, weight, bias):
    return call("linear", (x, weight, bias), {})


def _projected(h, weight):
    """h · weightᵀ, of a transposed weight that autocast casts anew in each step."""
    return call("matmul", (h, weight.t()), {})


def _lstm_step(gates_of_input, state, weights):
    h, c = state
    i, f, g, o = (gates_of_input + _linear(h, weights["w_hh"], weights["b_hh"])).chunk(4, 1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    h = o.sigmoid() * c.tanh()
    return (h if weights["w_hr"] is None else _projected(h, weights["w_hr"]), c)


def _gru_step(gates_of_input, state, weights):
    (h,) = state
    input_r, input_z, input_n = gates_of_input.chunk(3, 1)
    hidden_r, hidden_z, hidden_n = _linear(h, weights["w_hh"], weights["b_hh"]).chunk(3, 1)
    r = (input_r + hidden_r).sigmoid()
    z = (input_z + hidden_z).sigmoid()
    n = (input_n + hidden_n * r).tanh()
    return ((h - n) * z + n,)


def _rnn_step(nonlinearity):
    def step(gates_of_input, state, weights):
        (h,) = state
        return (
            call(
                nonlinearity, (gates_of_input + _linear(h, weights["w_hh"], weights["b_hh"]),), {}
            ),
        )

    return step


_STEPS = {
    "lstm": _lstm_step,
    "gru": _gru_step,
    "rnn_tanh": _rnn_step("tanh"),
    "rnn_relu": _rnn_step("relu"),
}


def _grouped(params, has_biases, count):
    """The flat list of weights as one dict for each layer and direction."""
    size = len(params) // count
    groups = [params[i * size : (i + 1) * size] for i in range(count)]
    named = []
    for group in groups:
        b_ih, b_hh = group[2:4] if has_biases else (None, None)
        rest = group[4:] if has_biases else group[2:]
        named.append(
            {
                "w_ih": group[0],
                "w_hh": group[1],
                "b_ih": b_ih,
                "b_hh": b_hh,
                "w_hr": rest[0] if rest else None,
            }
        )
    return named


def _run_forward(step, gates, state, weights):
    """Sequences that have ended leave the batch: longer ones stand first."""
    outputs, ended = [], []
    for gate in gates:
        rows, kept = state[0].shape[0], gate.shape[0]
        if kept < rows:
            ended.append(tuple(x[kept:] for x in state))
            state = tuple(x[:kept] for x in state)
        state = step(gate, state, weights)
        outputs.append(state[0])
    parts = [state, *reversed(ended)]
    if len(parts) > 1:
        state = tuple(call("cat", (list(xs),), {}) for xs in zip(*parts))
    return outputs, state


def _run_backward(step, gates, first, weights):
    """Sequences join the batch where they end."""
    rows = gates[-1].shape[0]
    state = tuple(x[:rows] for x in first) if rows < first[0].shape[0] else first
    outputs = []
    for gate in reversed(gates):
        rows, wanted = state[0].shape[0], gate.shape[0]
        if wanted > rows:
            joining = (x[rows:wanted] for x in first)
            state = tuple(call("cat", ([x, new],), {}) for x, new in zip(state, joining))
        state = step(gate, state, weights)
        outputs.append(state[0])
    return outputs[::-1], state


def _steps(whole):
    return whole.unbind(0)


def _has_kernel(whole, params):
    return params[0].dtype is bfloat16 and whole.numel() > 0 and not _is_projected(params)


def _in_kernel(whole, state, weights, at, backwards):
    """PyTorch's kernel for a layer in bfloat16: outputs, last hidden state, last cells."""
    h, c = (x[at] for x in state)
    named = (weights[name] for name in ("w_ih", "w_hh", "b_ih", "b_hh"))
    return call("lstm_kernel", (whole, h, c, *named, backwards), {})


def _run(
    kind, whole, split, join, state, params, has_biases, num_layers, dropout, train, bidirectional
):
    """`whole` is the input of all steps, `split` gives the steps, `join` makes one of them."""
    directions = 2 if bidirectional else 1
    weights = _grouped(params, has_biases, num_layers * directions)
    step = _STEPS[kind]
    in_kernel = kind == "lstm" and split is _steps and _has_kernel(whole, params)
    last = []
    for layer in range(num_layers):
        sides = []
        for direction in range(directions):
            at = layer * directions + direction
            if in_kernel:
                given = whole.to(params[0].dtype)
                output, *final = _in_kernel(given, state, weights[at], at, bool(direction))
                sides.append(output)
                last.append(final)
                continue
            gates = split(_linear(whole, weights[at]["w_ih"], weights[at]["b_ih"]))
            run = _run_backward if direction else _run_forward
            outputs, final = run(step, gates, tuple(x[at] for x in state), weights[at])
            sides.append(join(outputs))
            last.append(final)
        whole = sides[0] if directions == 1 else call("cat", (sides,), {"dim": -1})
        if dropout and train and layer < num_layers - 1:
            whole = call("dropout", (whole,), {"p": dropout})
    return whole, tuple(call("stack", (list(xs),), {}) for xs in zip(*last))


def _sequence(
    kind, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
):
    steps = input.transpose(0, 1) if batch_first else input
    output, last = _run(
        kind,
        steps,
        _steps,
        lambda xs: call("stack", (xs,), {}),
        hx,
        params,
        has_biases,
        num_layers,
        dropout,
        train,
        bidirectional,
    )
    # The kernel for a whole LSTM keeps its weights, and what its last layer gave.
    has_kernel = kind == "lstm" and input.dtype in (float32, bfloat16) and input.numel()
    if has_kernel and not _is_projected(params):
        keeping = "keeping" if bidirectional else "keeping_result"
        output = call(keeping, (output,), {"kept": list(params)})
    if batch_first:
        # Of an LSTM the output is a view; of the others it is turned in place.
        output = output.transpose(0, 1) if kind == "lstm" else output.transpose_(0, 1)
    return (output, *last)


def _packed(
    kind, data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional
):
    sizes = batch_sizes.tolist()
    output, last = _run(
        kind,
        data,
        lambda x: x.split(sizes),
        lambda xs: call("cat", (xs,), {}),
        hx,
        params,
        has_biases,
        num_layers,
        dropout,
        train,
        bidirectional,
    )
    return (output, *last)


def _is_projected(weights):
    return weights[1].shape[1] * 4 != weights[1].shape[0]


def _in_one_type(run, input, states, weights, rest):
    """PyTorch's kernel for a whole LSTM: under autocast all of it is in the lower precision."""
    if not is_autocast_cpu_enabled() or input.dtype != float32:
        return run("lstm", input, states, weights, *rest)
    is_turned = rest[-1]
    # A leaf is cast once, anything else in each direction.
    is_once = get_autocast_cpu_dtype() is not bfloat16 or (input.is_leaf and input.requires_grad)
    given = _lower(input) if is_once and not is_turned else input
    states, weights = (tuple(map(_lower, xs)) for xs in (states, weights))
    with autocast("cpu", enabled=False):
        return run("lstm", given, states, weights, *rest)


def _lower(tensor):
    return call("autocast_lower", (tensor,), {})


def _layers(kind):
    @composite(kind)
    def function(input, second, third, *rest):
        """(input, states, weights, …) if padded, (data, batch sizes, states, …) if packed."""
        is_packed = isinstance(second if kind == "lstm" else third, Tensor)
        run = _packed if is_packed else _sequence
        states = third if is_packed else second
        states = states if kind == "lstm" else (states,)
        if kind == "lstm" and not is_packed and not _is_projected(third):
            return _in_one_type(run, input, states, third, rest)
        return run(kind, input, *((second, states) if is_packed else (states, third)), *rest)

    function.__name__ = function.__qualname__ = kind
    return function


def _cell(kind):
    @composite(kind + "_cell")
    def function(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
        state = tuple(hx) if kind == "lstm" else (hx,)
        weights = {"w_hh": w_hh, "b_hh": b_hh, "w_hr": None}
        state = _STEPS[kind](_linear(input, w_ih, b_ih), state, weights)
        return state if kind == "lstm" else state[0]

    function.__name__ = function.__qualname__ = kind + "_cell"
    return function


lstm, gru, rnn_tanh, rnn_relu = (_layers(kind) for kind in ("lstm", "gru", "rnn_tanh", "rnn_relu"))
lstm_cell, gru_cell, rnn_tanh_cell, rnn_relu_cell = (
    _cell(kind) for kind in ("lstm", "gru", "rnn_tanh", "rnn_relu")
)

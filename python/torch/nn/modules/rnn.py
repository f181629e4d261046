"""Recurrent layers and cells."""

import math
import warnings

from ..._call import call
from ...amp.autocast_mode import is_autocast_cpu_enabled
from .._composites import recurrent
from .. import init
from ..parameter import Parameter
from ..utils.rnn import PackedSequence
from ._rnn_states import check_cell, check_cell_ranks, check_rank, check_sizes
from .module import Module

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]


class RNNBase(Module):
    """Layers of one kind, each in one direction or both; states [layers · directions, N, H]."""

    _gates = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}

    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check(dropout)
        self._flat_weights_names = []
        for layer in range(num_layers):
            for direction in range(2 if bidirectional else 1):
                self._add_weights(layer, direction, device, dtype)
        self.reset_parameters()

    def _check(self, dropout):
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an "
                "element being "
                "zeroed"
            )
        if dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero "
                "dropout expects "
                f"num_layers greater than 1, but got dropout={dropout} and "
                f"num_layers={self.num_layers}",
                stacklevel=4,
            )
        if self.hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if self.num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if self.proj_size < 0 or self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be a positive integer, smaller than hidden_size")
        if self.mode not in self._gates:
            raise ValueError("Unrecognized RNN mode: " + self.mode)

    def _add_weights(self, layer, direction, device, dtype):
        gates = self._gates[self.mode] * self.hidden_size
        output = self.proj_size or self.hidden_size
        width = self.input_size if layer == 0 else output * (2 if self.bidirectional else 1)
        sizes = {"weight_ih": (gates, width), "weight_hh": (gates, output)}
        if self.bias:
            sizes.update(bias_ih=(gates,), bias_hh=(gates,))
        if self.proj_size:
            sizes["weight_hr"] = (self.proj_size, self.hidden_size)
        for name, size in sizes.items():
            full = f"{name}_l{layer}" + ("_reverse" if direction else "")
            setattr(
                self, full, Parameter(call("empty", (size,), {"dtype": dtype, "device": device}))
            )
            self._flat_weights_names.append(full)

    @property
    def _flat_weights(self):
        return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self):
        count = self.num_layers * (2 if self.bidirectional else 1)
        weights = self._flat_weights
        size = len(weights) // count
        return [weights[i * size : (i + 1) * size] for i in range(count)]

    def flatten_parameters(self):
        """Where parameters lie in memory changes no number."""

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _zeros(self, batch, width, like):
        layers = self.num_layers * (2 if self.bidirectional else 1)
        return call("zeros", ((layers, batch, width),), {"dtype": like.dtype})

    def _first_state(self, batch, like):
        return self._zeros(batch, self.hidden_size, like)

    def _map_state(self, function, hx):
        return function(hx)

    def _check_rank(self, input):
        if input.dim() not in (2, 3):
            raise ValueError(
                f"{self._get_name()}: Expected input to be 2D or 3D, got {input.dim()}D instead"
            )
        weight = self._flat_weights[0]
        if input.dtype != weight.dtype and not is_autocast_cpu_enabled():
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). "
                f"Convert input: input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. "
                f"Expected {self.input_size}, got {input.size(-1)}"
            )

    def _state_sizes(self, batch):
        layers = self.num_layers * (2 if self.bidirectional else 1)
        widths = (self.proj_size or self.hidden_size, self.hidden_size)
        return [(layers, batch, width) for width in widths]

    def _run(self, *inputs, batch_first=()):
        function = getattr(recurrent, self.mode.lower())
        output, *state = function(
            *inputs,
            self._flat_weights,
            self.bias,
            self.num_layers,
            self.dropout,
            self.training,
            self.bidirectional,
            *batch_first,
        )
        return output, tuple(state) if self.mode == "LSTM" else state[0]

    def forward(self, input, hx=None):
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        self._check_rank(input)
        batched = input.dim() == 3
        if hx is not None:
            check_rank(hx, batched)
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
            hx = None if hx is None else self._map_state(lambda x: x.unsqueeze(1), hx)
        batch = input.size(0 if self.batch_first else 1)
        if hx is None:
            hx = self._first_state(batch, input)
        else:
            check_sizes(hx, self._state_sizes(batch))
        output, state = self._run(input, hx, batch_first=(self.batch_first,))
        if not batched:
            output = output.squeeze(0 if self.batch_first else 1)
            state = self._map_state(lambda x: x.squeeze(1), state)
        return output, state

    def _forward_packed(self, packed, hx):
        data, batch_sizes, sorted_indices, unsorted_indices = packed
        batch = int(batch_sizes[0])
        if hx is None:
            hx = self._first_state(batch, data)
        elif sorted_indices is not None:
            hx = self._map_state(lambda x: x.index_select(1, sorted_indices), hx)
        if self.mode != "LSTM":
            self._map_state(lambda x: _check_batch(x, int(batch_sizes[0])), hx)
        output, state = self._run(data, batch_sizes, hx)
        if unsorted_indices is not None:
            state = self._map_state(lambda x: x.index_select(1, unsorted_indices), state)
        return PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices), state

    def extra_repr(self):
        parts = [f"{self.input_size}, {self.hidden_size}"]
        defaults = {
            "proj_size": 0,
            "num_layers": 1,
            "bias": True,
            "batch_first": False,
            "dropout": 0.0,
            "bidirectional": False,
        }
        parts += [f"{k}={getattr(self, k)}" for k, v in defaults.items() if getattr(self, k) != v]
        return ", ".join(parts)


def _check_batch(state, batch):
    if state.shape[1] != batch:
        expected = (state.shape[0], batch, *state.shape[2:])
        raise RuntimeError(f"Expected hidden size {expected}, got {list(state.shape)}")


class RNN(RNNBase):
    """hₜ = tanh(W_ih xₜ + b_ih + W_hh hₜ₋₁ + b_hh), or relu."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        nonlinearity="tanh",
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
    ):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        mode = f"RNN_{nonlinearity.upper()}"
        super().__init__(
            mode,
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            device=device,
            dtype=dtype,
        )
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """Long short-term memory; its state is the pair (h, c)."""

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def _first_state(self, batch, like):
        width = self.proj_size or self.hidden_size
        return self._zeros(batch, width, like), self._zeros(batch, self.hidden_size, like)

    def _map_state(self, function, hx):
        return tuple(function(x) for x in hx)


class GRU(RNNBase):
    """Gated recurrent unit; the reset gate acts on the projected state."""

    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


class RNNCellBase(Module):
    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        gates = num_chunks * hidden_size
        sizes = {"weight_ih": (gates, input_size), "weight_hh": (gates, hidden_size)}
        for name in ("bias_ih", "bias_hh"):
            sizes[name] = (gates,) if bias else None
        for name, size in sizes.items():
            made = (
                None
                if size is None
                else Parameter(call("empty", (size,), {"dtype": dtype, "device": device}))
            )
            self.register_parameter(name, made)
        self.reset_parameters()

    reset_parameters = RNNBase.reset_parameters

    def _weights(self):
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh

    def _batched(self, input, hx, states):
        """Input and states with a batch axis, and whether there was one."""
        if input.dim() not in (1, 2):
            raise ValueError(
                f"{self._get_name()}: Expected input to be 1D or 2D, got {input.dim()}D instead"
            )
        batched = input.dim() == 2
        input = input if batched else input.unsqueeze(0)
        if hx is None:
            check_cell(input, (), self.input_size, self.hidden_size)
            sizes = ((input.size(0), self.hidden_size),)
            return input, [call("zeros", sizes, {"dtype": input.dtype})] * states, batched
        given = hx if states > 1 else [hx]
        check_cell_ranks(self._get_name(), given)
        given = [x if batched else x.unsqueeze(0) for x in given]
        check_cell(input, given, self.input_size, self.hidden_size)
        return input, given, batched

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        return text if self.bias else text + ", bias=False"


class RNNCell(RNNCellBase):
    def __init__(
        self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None
    ):
        super().__init__(input_size, hidden_size, bias, 1, device=device, dtype=dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        input, (h,), batched = self._batched(input, hx, 1)
        function = getattr(recurrent, f"rnn_{self.nonlinearity}_cell")
        h = function(input, h, *self._weights())
        return h if batched else h.squeeze(0)


class LSTMCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device=device, dtype=dtype)

    def forward(self, input, hx=None):
        input, state, batched = self._batched(input, hx, 2)
        h, c = recurrent.lstm_cell(input, tuple(state), *self._weights())
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))


class GRUCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device=device, dtype=dtype)

    def forward(self, input, hx=None):
        input, (h,), batched = self._batched(input, hx, 1)
        h = recurrent.gru_cell(input, h, *self._weights())
        return h if batched else h.squeeze(0)

"""A plain residual, and connections of streams by learnt weights."""

import operator
from random import randrange

import torch
import torch.nn.functional as F
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.scale = dim**0.5
        self.gamma = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return F.normalize(x, dim=-1) * self.scale * (self.gamma + 1)


class Connection(nn.Module):
    """Around a branch: `width_connection` makes its input, `depth_connection` takes its output in.

    Without a branch, `forward` returns the input and what takes the output.
    """

    adds_output = True

    def forward(self, residuals, *args, **kwargs):
        branch_input, residuals, weights = self.width_connection(residuals)

        def add(output):
            if not self.adds_output:
                return output
            if not isinstance(output, (tuple, list)):
                return self.depth_connection(output, residuals, **weights)
            first, *rest = output
            return type(output)((self.depth_connection(first, residuals, **weights), *rest))

        if self.branch is None:
            return branch_input, add
        return add(self.branch(branch_input, *args, **kwargs))

    def decorate_branch(self, branch):
        assert self.branch is None, "branch was already wrapped on init"

        def connected(residual, *args, **kwargs):
            branch_input, add = self.forward(residual)
            return add(branch(branch_input, *args, **kwargs))

        return connected


class Residual(Connection):
    """x + branch(x)."""

    def __init__(self, *_, branch=None, residual_transform=None, **__):
        super().__init__()
        self.branch = branch
        self.residual_transform = residual_transform or nn.Identity()

    def width_connection(self, residuals):
        return residuals, residuals, {}

    def depth_connection(self, branch_output, residuals):
        return branch_output + self.residual_transform(residuals)


class Streams(Connection):
    """What both kinds share: how streams lie, the static weights, and the way back into the streams."""

    def __init__(
        self,
        num_residual_streams,
        *,
        dim,
        branch=None,
        layer_index=None,
        channel_first=False,
        dropout=0.0,
        add_branch_out_to_residual=True,
        num_input_views=1,
        depth_residual_fn=operator.add,
        num_fracs=1,
    ):
        super().__init__()
        if num_fracs != 1 or num_input_views != 1 or channel_first:
            raise NotImplementedError(
                "hyper_connections are supported with num_fracs=1, num_input_views=1 and "
                f"channel_first=False; got {num_fracs}, {num_input_views} and {channel_first}"
            )
        self.branch = branch
        self.num_residual_streams = num_residual_streams
        self.adds_output = self.add_branch_out_to_residual = add_branch_out_to_residual
        self.depth_residual_fn = depth_residual_fn
        self.norm = RMSNorm(dim)
        self.dropout = nn.Dropout(dropout)
        drawn = randrange(num_residual_streams)
        own = (drawn if layer_index is None else layer_index) % num_residual_streams
        reads = F.one_hot(torch.tensor([own]), num_residual_streams).T.float()
        self.static_alpha = nn.Parameter(torch.cat((reads, torch.eye(num_residual_streams)), dim=1))

    def split(self, residuals):
        """[batch · streams, ..., dim] → [batch, ..., streams, dim]."""
        return residuals.unflatten(0, (-1, self.num_residual_streams)).movedim(1, -2)

    def mixed(self, alpha, streams):
        """The branch's input, and the streams, lying in the batch again."""
        mixed = alpha.transpose(-1, -2) @ streams
        return mixed[..., 0, :], mixed[..., 1:, :].movedim(-2, 1).flatten(0, 1)

    def spread(self, branch_output, beta):
        """The branch's output in each stream, by its weight."""
        spread = branch_output.unsqueeze(-2) * beta.unsqueeze(-1)
        return spread.movedim(-2, 1).flatten(0, 1)


class HyperConnections(Streams):
    """Dynamic and static weights, of which the dynamic ones begin at zero."""

    def __init__(self, num_residual_streams, *, dim, tanh=True, **options):
        super().__init__(num_residual_streams, dim=dim, **options)
        self.act = nn.Tanh() if tanh else nn.Identity()
        self.dynamic_alpha_fn = nn.Parameter(torch.zeros(dim, num_residual_streams + 1))
        self.dynamic_alpha_scale = nn.Parameter(torch.ones(()) * 1e-2)
        if self.add_branch_out_to_residual:
            self.static_beta = nn.Parameter(torch.ones(num_residual_streams))
            self.dynamic_beta_fn = nn.Parameter(torch.zeros(dim))
            self.dynamic_beta_scale = nn.Parameter(torch.ones(()) * 1e-2)

    def width_connection(self, residuals):
        streams = self.split(residuals)
        normed = self.norm(streams)
        dynamic = self.act(normed @ self.dynamic_alpha_fn) * self.dynamic_alpha_scale
        branch_input, residuals = self.mixed(dynamic + self.static_alpha, streams)
        beta = None
        if self.add_branch_out_to_residual:
            dynamic = self.act(normed @ self.dynamic_beta_fn) * self.dynamic_beta_scale
            beta = dynamic + self.static_beta
        return branch_input, residuals, {"beta": beta}

    def depth_connection(self, branch_output, residuals, *, beta):
        return self.dropout(self.depth_residual_fn(self.spread(branch_output, beta), residuals))


class StreamEmbed(nn.Module):
    """Adds what is learnt of each stream, and makes the streams where asked to."""

    def __init__(self, num_streams, dim, channel_first=False, expand_to_streams=False):
        super().__init__()
        self.channel_first = channel_first
        self.num_streams = num_streams
        self.expand_to_streams = expand_to_streams
        self.stream_embed = nn.Parameter(torch.zeros(num_streams, dim))

    def forward(self, residuals):
        if self.expand_to_streams:
            residuals = residuals.repeat_interleave(self.num_streams, dim=0)
        axis = 1 if self.channel_first else -1
        streams = residuals.unflatten(0, (-1, self.num_streams)).movedim((1, axis), (-2, -1))
        return (streams + self.stream_embed).movedim((-2, -1), (1, axis)).flatten(0, 1)

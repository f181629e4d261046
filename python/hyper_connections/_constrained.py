"""Hyper-connections whose mixing of streams is doubly stochastic."""

import functools

import torch
import torch.nn.functional as F
from torch import nn

from ._layers import Streams


def sinkhorn_knopps(log_alpha, iters=20):
    """Rows and columns that sum to 1 (Sinkhorn and Knopp, 1967)."""
    given = log_alpha.dtype
    log_alpha = log_alpha.float()
    alpha = (log_alpha - log_alpha.amax(dim=-2, keepdim=True).detach()).exp()
    for _ in range(iters):
        alpha = F.normalize(F.normalize(alpha, p=1, dim=-2), p=1, dim=-1)
    return alpha.to(given)


def log_domain_sinkhorn_knopps(log_alpha, iters=20):
    """The same of logarithms."""
    given = log_alpha.dtype
    log_alpha = log_alpha.float()
    for _ in range(iters):
        log_alpha = F.log_softmax(F.log_softmax(log_alpha, dim=-2), dim=-1)
    return log_alpha.exp().to(given)


class ManifoldConstrainedHyperConnections(Streams):
    def __init__(
        self,
        num_residual_streams,
        *,
        dim,
        residual_transform=None,
        sinkhorn_iters=20,
        log_domain_sinkhorn=False,
        residual_mix_constraint_fn=None,
        forward_method_names=(),
        num_dynamic_alpha_proposals=1,
        **options,
    ):
        super().__init__(num_residual_streams, dim=dim, **options)
        self.num_dynamic_alpha_proposals = num_dynamic_alpha_proposals
        self.dynamic_alpha_fn = nn.Parameter(
            torch.zeros(num_dynamic_alpha_proposals, dim, num_residual_streams + 1)
        )
        self.pre_branch_scale = nn.Parameter(torch.ones(1) * 1e-2)
        self.residual_scale = nn.Parameter(torch.ones(1) * 1e-2)
        if self.add_branch_out_to_residual:
            self.static_beta = nn.Parameter(torch.ones(num_residual_streams))
            self.dynamic_beta_fn = nn.Parameter(torch.zeros(dim))
            self.h_post_scale = nn.Parameter(torch.ones(()) * 1e-2)
        sinkhorn = log_domain_sinkhorn_knopps if log_domain_sinkhorn else sinkhorn_knopps
        self.residual_mix_constraint_fn = residual_mix_constraint_fn or functools.partial(
            sinkhorn, iters=sinkhorn_iters
        )
        self.residual_transform = residual_transform or nn.Identity()
        self.forward_method_names = forward_method_names
        for name in forward_method_names:
            assert not hasattr(self, name)
            setattr(self, name, getattr(self.branch, name))

    def width_connection(self, residuals):
        given = residuals.dtype
        streams = self.split(self.residual_transform(residuals))
        normed = self.norm(streams).float()
        branch_input, residuals = self.mixed(self._alpha(normed), streams.float())
        beta = None
        if self.add_branch_out_to_residual:
            dynamic = normed @ self.dynamic_beta_fn.float() * self.h_post_scale.float()
            beta = ((dynamic + self.static_beta.float()).sigmoid() * 2).to(given)
        return branch_input.to(given), residuals.to(given), {"beta": beta}

    def _alpha(self, normed):
        """[batch, ..., streams, 1 + streams]: what the branch reads, and how streams mix."""
        scale = torch.cat(
            (self.pre_branch_scale, self.residual_scale.expand(self.num_residual_streams))
        ).float()
        proposed = [
            normed @ weight * scale + self.static_alpha.float()
            for weight in self.dynamic_alpha_fn.float()
        ]
        alpha = torch.stack(proposed)
        reads = alpha[..., :1].sigmoid()
        mixes = self.residual_mix_constraint_fn(alpha[..., 1:])
        return torch.cat((reads, mixes), dim=-1).mean(dim=0)

    def depth_connection(self, branch_output, residuals, *, beta):
        spread = self.spread(branch_output.float(), beta.float()).to(residuals.dtype)
        return self.dropout(self.depth_residual_fn(spread, residuals))

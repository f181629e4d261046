"""Polar factors and roots of real matrices by singular values and eigenvalues, with their gradients."""

from ._call import call
from .autograd.function import Function


def _over_sums(x, values):
    """x[i, j] / (values[i] + values[j])"""
    return x / (values.unsqueeze(-1) + values.unsqueeze(-2))


class Polar(Function):
    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        left, values, right = call("linalg.svd", (A, False), {})
        ctx.U = left @ right
        ctx.values, ctx.V = values, right.mT
        ctx.H = (ctx.V * values.unsqueeze(-2)) @ right
        return ctx.U, ctx.H

    @staticmethod
    def backward(ctx, dU, dH):
        """dU = U Ω + (1 − U Uᵀ) dA H⁻¹ and dH = Uᵀ dA − Ω H, where Ω H + H Ω = Uᵀ dA − dAᵀ U."""
        U, H, V = ctx.U, ctx.H, ctx.V
        along = U.mT @ dU - dH @ H
        skew = V.mT @ (along - along.mT) @ V
        turn = V @ _over_sums(skew, ctx.values) @ V.mT
        made = U @ (turn + dH)
        if U.shape[-2] > U.shape[-1]:
            scaled = (dU @ V / ctx.values.unsqueeze(-2)) @ V.mT
            made = made + scaled - U @ (U.mT @ scaled)
        return made


class Root(Function):
    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        values, ctx.V = call("eigh", (A,), {})
        ctx.roots = values.sqrt()
        return (ctx.V * ctx.roots.unsqueeze(-2)) @ ctx.V.mT

    @staticmethod
    def backward(ctx, d):
        """dX X + X dX = dA, of what is symmetric."""
        V = ctx.V
        return V @ _over_sums(V.mT @ ((d + d.mT) / 2) @ V, ctx.roots) @ V.mT

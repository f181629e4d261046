"""Householder reflections Hᵢ = 1 − τᵢ vᵢ vᵢᴴ, where vᵢ is 0 above place i and 1 there."""

from ._call import call, composite, part_of


@composite("householder_product")
def householder_product(input, tau):
    """The first columns of H₀ H₁ … ; `input` [..., m, n] has below its diagonal the rest of each vᵢ."""
    rows, columns = input.shape[-2:]
    if rows < columns:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to "
            "input.shape[-1]"
        )
    vectors = input.tril(-1) + call("eye", (rows, columns), {"dtype": input.dtype})
    product = call("eye", (rows, columns), {"dtype": input.dtype}).expand(input.shape)
    for i in reversed(range(tau.shape[-1])):
        v = vectors[..., i : i + 1]
        product = product - tau[..., i, None, None] * v @ (v.mH @ product)
    product = product + part_of(input) + part_of(tau)
    made = call("keeping", (product, [input, tau]), {})
    return call("keeping_result", (made,), {"by_columns": True})


@composite("geqrf")
def geqrf(input):
    """(R on and above the diagonal, the vᵢ below it; τ), as LAPACK computes them of a real matrix."""
    rows, columns = input.shape[-2:]
    packed = input.clone()
    taus = []
    for i in range(min(rows, columns)):
        column = packed[..., i:, i]
        first, length = column[..., :1], column.norm(dim=-1, keepdim=True)
        # What is 0 below the diagonal stays as it is: no reflection.
        is_zero = (column[..., 1:] == 0).all(-1, keepdim=True)
        beta = call("where", (is_zero, first, call("where", (first >= 0, -length, length), {})), {})
        tau = call("where", (is_zero, 0.0, (beta - first) / beta), {})
        v = call("where", (is_zero, 0.0, column / (first - beta)), {})
        v[..., 0] = 1
        rest = packed[..., i:, i + 1 :]
        across = v[..., None, :] @ rest
        rest -= (tau * v)[..., None] * across
        packed[..., i + 1 :, i] = v[..., 1:]
        packed[..., i, i] = beta[..., 0]
        taus.append(tau[..., 0])
    return packed, call("stack", (taus, -1), {})

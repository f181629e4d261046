"""Variances, covariances and correlations of complex tensors."""

from ._call import call


def var(input, *args, **kwargs):
    """The variance of the real parts and that of the imaginary parts, together."""
    return sum(call("var", (part, *args), kwargs) for part in (input.real, input.imag))


def std(input, *args, **kwargs):
    spread = var(input, *args, **kwargs)
    is_zero = spread == 0
    return call("where", (is_zero, spread.detach(), spread.masked_fill(is_zero, 1).sqrt()), {})


def var_mean(input, *args, **kwargs):
    return var(input, *args, **kwargs), _mean_of(input, args, kwargs)


def std_mean(input, *args, **kwargs):
    return std(input, *args, **kwargs), _mean_of(input, args, kwargs)


def _mean_of(input, args, kwargs):
    parts = [call("var_mean", (part, *args), kwargs)[1] for part in (input.real, input.imag)]
    return call("complex", tuple(parts), {})


def cov(input, *, correction=1, fweights=None, aweights=None):
    """Σ w (x − mean)(x − mean)ᴴ over the freedom of the weights, of variables in rows."""
    if input.dim() > 2:
        raise RuntimeError(
            "cov(): expected input to have two or fewer dimensions but got an input with "
            f"{input.dim()} dimensions"
        )
    x = input.reshape(1, -1) if input.dim() < 2 else input
    _check_weights(x.shape[1], fweights, aweights)
    weights = (
        fweights if aweights is None else aweights if fweights is None else fweights * aweights
    )
    if weights is None:
        mean = x.sum(1, keepdim=True) / x.shape[1]
        freedom = x.shape[1] - correction
    else:
        total = weights.sum()
        mean = (x * weights).sum(1, keepdim=True) / total
        freedom = total - correction
        if aweights is not None and correction != 0:
            freedom = total - correction * (weights * aweights).sum() / total
        freedom = freedom.clamp(min=0)
    centred = x - mean
    weighted = centred if weights is None else centred * weights
    product = centred @ weighted.mT.conj()
    freedom = freedom if weights is not None else max(freedom, 0)
    return (product / freedom).squeeze()


def _check_weights(count, fweights, aweights):
    for name, weights in (("fweights", fweights), ("aweights", aweights)):
        if weights is None:
            continue
        if weights.dim() > 1:
            raise RuntimeError(
                f"cov(): expected {name} to have one or fewer dimensions but got {name} with "
                f"{weights.dim()} dimensions"
            )
        if weights.numel() != count:
            raise RuntimeError(
                f"cov(): expected {name} to have the same numel as there are observations in the "
                f"input but got {weights.numel()} != {count}"
            )


def corrcoef(input):
    """The covariance over both deviations, each part within [−1, 1]."""
    table = cov(input)
    if table.dim() == 0:
        return table / table
    deviations = call("diagonal", (table.real,), {}).sqrt()
    ratio = table / deviations.unsqueeze(-1) / deviations
    return call("complex", (ratio.real.clamp(-1, 1), ratio.imag.clamp(-1, 1)), {})


RULES = {
    "corrcoef": corrcoef,
    "cov": cov,
    "std": std,
    "std_mean": std_mean,
    "var": var,
    "var_mean": var_mean,
}

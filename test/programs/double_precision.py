"""Functions in double precision: small differences of theirs, of which single precision leaves little."""

# %% functions of any number
# leaf x float64 24
x = torch.cat([x, 3 * x])
fs = torch.tan, torch.atan, torch.sinh, torch.cosh, torch.asinh, torch.erf
r0 = [(f(x + 1e-4) - f(x)) * 1e4 for f in fs]
gs = F.hardsigmoid, F.hardswish, F.gelu, lambda a: F.gelu(a, approximate="tanh")
r1 = [(g(x + 1e-4) - g(x)) * 1e4 for g in gs]
r2 = (torch.atan2(x, x.flip(0) + 1e-4) - torch.atan2(x, x.flip(0))) * 1e4

# %% functions of shares and of numbers above one
# leaf x float64 24 share
r0 = [(f(x + 1e-4) - f(x)) * 1e4 for f in (torch.asin, torch.acos, torch.atanh)]
r1 = (torch.acosh(2 * x + 1.0001) - torch.acosh(2 * x + 1)) * 1e4

# %% ends of their ranges
# leaf x float64 6
ends = torch.tensor([0.0, 1, -1, 1e-9, 1e200, -1e200, torch.inf, -torch.inf, torch.nan], dtype=torch.float64)
x = torch.cat([x, ends])
r0 = [f(x) for f in (torch.atan, torch.asin, torch.acos, torch.sinh, torch.cosh, torch.erf)]
r1 = [f(x) for f in (torch.asinh, torch.acosh, torch.atanh, F.hardsigmoid, F.hardswish)]

# %% of complex numbers
# leaf x float64 12
# leaf y float64 12
z = torch.complex(x, y)
r0 = [(f(z + 1e-4) - f(z)) * 1e4 for f in (torch.sin, torch.cosh, torch.tan, torch.log, torch.angle)]

# %% norms and inverses
# leaf x float64 4,6,5
# leaf w float64 6
norms = F.layer_norm(x.mT, (6,), w), F.group_norm(x, 2, w), F.instance_norm(x), F.rms_norm(x, (5,))
r0 = [(y * 1e4).sin() for y in norms]
s = x[0] / 5
r1 = [(f(s + 1e-4) - f(s)) * 1e4 for f in (torch.erfinv, lambda a: torch.special.ndtri(a / 3 + 0.5))]

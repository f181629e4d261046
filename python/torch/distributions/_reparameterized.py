"""Slopes of gamma and Dirichlet samples by their concentrations, number by number.

−(∂F/∂α) / f of a sample, F its distribution and f its density. The approximations and their
coefficients are those of PyTorch (M. Jankowiak and F. Obermeyer, Pathwise derivatives beyond the
reparameterization trick, 2018), so that a gradient is PyTorch's where it is not exact.
"""

import math

from .._call import call, composite


@composite("_standard_gamma")
def standard_gamma(concentration):
    """Samples of Γ(concentration, 1)."""
    drawn = call("_standard_gamma", (concentration.detach(),), {})
    if not concentration.requires_grad:
        return drawn
    pairs = zip(_numbers(concentration), _numbers(drawn))
    return _sloped(drawn, concentration, [_gamma_slope(a, x) for a, x in pairs])


@composite("_sample_dirichlet")
def dirichlet(concentration):
    """Rows that sum to one."""
    drawn = call("_sample_dirichlet", (concentration.detach(),), {})
    if not concentration.requires_grad:
        return drawn
    total = concentration.detach().sum(-1, True).expand_as(concentration)
    rows = zip(_numbers(drawn), _numbers(concentration), _numbers(total))
    # Each concentration moves its own share, and all shares make room for it.
    moved = _sloped(drawn, concentration, [_share_slope(x, a, t) for x, a, t in rows])
    away = moved - drawn
    return drawn + away - drawn * away.sum(-1, True)


def _numbers(tensor):
    return tensor.detach().reshape(-1).tolist()


def _sloped(drawn, concentration, slopes):
    slope = drawn.new_tensor(slopes).reshape(drawn.shape)
    return call("sloped", (drawn, [concentration], [slope]), {})


def _digamma(x):
    """https://dlmf.nist.gov/5.11.E2, https://dlmf.nist.gov/5.5.E2"""
    total = 0.0
    while x < 10:
        total -= 1 / x
        x += 1
    t = 1 / (x * x)
    series = t * (1 / 12 - t * (1 / 120 - t * (1 / 252 - t * (1 / 240 - t / 132))))
    return total + math.log(x) - 0.5 / x - series


def _gamma_slope(alpha, x):
    if x < 0.8:
        return _gamma_slope_near_zero(alpha, x)
    if alpha > 8:
        return _gamma_slope_of_large(alpha, x)
    u, v = math.log(x / alpha), math.log(alpha)
    p, q = (
        sum(v**k * (a + u * (b + u * c)) for k, (a, b, c) in enumerate(rows))
        for rows in (_GAMMA_TOP, _GAMMA_BOTTOM)
    )
    return math.exp(p / q)


def _gamma_slope_near_zero(alpha, x):
    factor, first, second = 1.0, 1 / alpha, 1 / (alpha * alpha)
    for i in range(1, 6):
        factor *= -x / i
        first += factor / (alpha + i)
        second += factor / (alpha + i) ** 2
    if x <= 0 or alpha <= 0:
        return 0.0
    # x^α over x^(α − 1) e^−x
    return -x * math.exp(x) * ((math.log(x) - _digamma(alpha)) * first - second)


def _gamma_slope_of_large(alpha, x):
    """By Rice's saddle point expansion."""
    if 0.9 * alpha <= x <= 1.1 * alpha:
        outer = 1 + 24 * alpha * (1 + 12 * alpha)
        inner = 1440 * alpha**2 + 6 * x * (53 - 120 * x)
        inner += alpha * (107 + 3600 * x) - 65 * x * x / alpha
        return outer * inner / (1244160 * alpha**4)
    root = math.sqrt(8 * alpha)
    power = (x - alpha - alpha * math.log(x / alpha)) ** -1.5
    bracket = root / (alpha - x) + (-power if x < alpha else power)
    term = math.log(x / alpha) * bracket
    term -= math.sqrt(2 / alpha) * (alpha + x) / (alpha - x) ** 2
    stirling = 1 + 1 / (12 * alpha) * (1 + 1 / (24 * alpha))
    return -stirling * x * term / root


def _share_slope(x, alpha, total):
    """Of a Beta(α, total − α) sample, over 1 − x."""
    beta = total - alpha
    edge = total * x * (1 - x)
    if x <= 0.5 and edge < 2.5:
        return _share_slope_near_zero(x, alpha, beta)
    if x >= 0.5 and edge < 0.75:
        return -_other_share_slope_near_zero(1 - x, beta, alpha)
    if alpha > 6 and beta > 6:
        return _share_slope_of_large(x, alpha, beta)
    u = math.log(x)
    a = math.log(alpha) - u
    b = math.log(total) - a
    p, q = (
        sum(
            u**i * a**j * sum(c * b**k for k, c in enumerate(powers))
            for i, table in enumerate(tables)
            for j, powers in enumerate(table)
        )
        for tables in (_SHARE_TOP, _SHARE_BOTTOM)
    )
    return p / q * x * (_digamma(total) - _digamma(alpha)) / beta


def _share_slope_near_zero(x, alpha, beta):
    if x <= 0:
        return 0.0
    factor = _digamma(alpha) - _digamma(alpha + beta) - math.log(x)
    power = 1.0
    series = 1 / alpha * (factor + 1 / alpha)
    for i in range(1, 11):
        power *= (i - beta) * x / i
        series += power / (alpha + i) * (factor + 1 / (alpha + i))
    return x * (1 - x) ** -beta * series


def _other_share_slope_near_zero(x, alpha, beta):
    """By β rather than α."""
    factor = _digamma(alpha + beta) - _digamma(beta)
    power, betas, slopes, series = 1.0, 1.0, 0.0, factor / alpha
    for i in range(1, 9):
        power *= -x / i
        slopes = slopes * (beta - i) + betas
        betas *= beta - i
        series += power / (alpha + i) * (slopes + factor * betas)
    return -((1 - x) ** (1 - beta)) * series


def _share_slope_of_large(x, alpha, beta):
    """By Rice's saddle point expansion."""
    total = alpha + beta
    mean = alpha / total
    deviation = math.sqrt(alpha * beta / (total + 1)) / total
    if abs(x - mean) <= 0.1 * deviation:
        return _share_slope_at_mean(x, alpha, beta)
    away = alpha * (x - 1) + beta * x
    top = 2 * alpha**2 * (x - 1) + alpha * beta * (x - 1) - x * beta**2
    first = top / (math.sqrt(2 * alpha / beta) * total**1.5 * away**2)
    distance = beta * math.log(beta / (total * (1 - x))) + alpha * math.log(alpha / (total * x))
    bracket = math.sqrt(8 * alpha * beta / total) / away
    bracket += distance**-1.5 if x < mean else -(distance**-1.5)
    term = first + 0.5 * math.log(alpha / (total * x)) * bracket
    stirling = _stirling(alpha) * _stirling(beta) / _stirling(total)
    return -stirling * x / math.sqrt(2 * alpha * beta / total) * term


def _share_slope_at_mean(x, alpha, beta):
    total = alpha + beta
    inner = (453 + 1620 * beta * (1 - x) - 455 * x) * beta
    inner += alpha * 8 * (1 - x) * (135 * beta - 11)
    inner = 3 * (59 + 180 * beta - 90 * x) * beta**2 + alpha * inner
    inner = (43 + 20 * (16 + 27 * beta) * x) * beta**3 + alpha * inner
    top = (1 + 12 * alpha) * (1 + 12 * beta) / total**2
    bottom = 12960 * alpha**3 * beta**2 * (1 + 12 * total)
    return top / (1 - x) * (47 * x * beta**4 + alpha * inner) / bottom


def _stirling(a):
    return 1 + 1 / (12 * a) + 1 / (288 * a * a)


# By powers of ln α, of ln(x / α) within.
_GAMMA_TOP = (
    (0.16009398, 0.53487893, 0.040121004),
    (-0.094634809, 0.1298071, -0.0065914022),
    (0.025146376, 0.065735949, -0.0026286047),
    (-0.0030648343, -0.0015649758, -0.0013441777),
)
_GAMMA_BOTTOM = (
    (1, 0.16639465, 0.017050642),
    (0.32668115, 0.020070113, -0.0021309326),
    (0.10406089, -0.0035938915, 0.00085092367),
    (0.0014179084, -0.00058392623, -1.5247877e-07),
)
# By powers of u = ln x, of a = ln(α / x) within, and of b = ln(total) − a within that.
_SHARE_TOP = (
    (
        (1.003668233, -0.01061107488, -0.0657888334, 0.01201642863),
        (0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033),
        (-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013),
    ),
    (
        (0.221950385, -0.3187676331, 0.01799915743, 0.01074823814),
        (-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057),
        (0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05),
    ),
    (
        (-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565),
        (0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181),
        (0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05),
    ),
)
_SHARE_BOTTOM = (
    (
        (1, -0.02924021934, -0.04438342661, 0.007285809825),
        (0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521),
        (-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149),
    ),
    (
        (0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273),
        (0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956),
        (-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05),
    ),
    (
        (0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05),
        (0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05),
        (-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06),
    ),
)

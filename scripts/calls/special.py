"""Special functions, and what floating-point numbers are made of."""
import torch

from calls.form import bools, case, ints, t, values

HALF, BF16, F64, C64 = torch.float16, torch.bfloat16, torch.float64, torch.complex64
INF, NAN = float("inf"), float("nan")
S = "torch.special"

# Approximations that hold in single precision.
LOOSE = 1e-4


def v(*numbers, grad=True, dtype=None):
    return values(list(numbers), dtype=dtype, grad=grad)


def share(*shape, dtype=torch.float32):
    data = torch.rand(shape, generator=torch.Generator().manual_seed(7), dtype=torch.float64)
    return values((data * 0.98 + 0.01).tolist(), dtype=dtype)


def positive(*shape):
    return values((share(*shape).data * 5 + 0.1).tolist())


EVERYWHERE = [
    ("erf", lambda: t(2, 3)), ("erfc", lambda: t(2, 3)), ("erfinv", lambda: share(2, 3)),
    ("exp2", lambda: t(2, 3)), ("expm1", lambda: t(2, 3)), ("log1p", lambda: positive(2, 3)),
    ("digamma", lambda: positive(2, 3)), ("i0", lambda: t(2, 3, scale=3.0)), ("sinc", lambda: t(2, 3)),
    ("logit", lambda: share(2, 3)),
]
ANGLES = ["asinh", "arcsinh", "atan", "arctan", "sinh", "cosh", "tan"]
BOUNDED = ["atanh", "arctanh", "asin", "acos", "arcsin", "arccos"]

CASES = [
    *[case(f"torch.{name}", make()) for name, make in EVERYWHERE],
    *[case(f"{S}.{name}", make()) for name, make in EVERYWHERE],
    *[case(f"torch.{name}", t(2, 3)) for name in ANGLES],
    *[case(f"torch.{name}", t(3, dtype=F64)) for name in ANGLES],
    *[case(f"torch.{name}", share(2, 3)) for name in BOUNDED],
    case("torch.acosh", v(1.5, 2.0, 7.0)),
    case("torch.arccosh", v(1.5, 2.0, 7.0)),
    case("torch.asinh", ints(3)),
    case("torch.atan", t(3, dtype=HALF)),
    case("torch.erf", t(3, dtype=F64)),
    case("torch.erf", ints(3)),
    case("torch.erfc", v(-3.0, 0.0, 1.0, 3.0, 9.0)),
    case("torch.erfc", t(4, dtype=F64)),
    case("torch.erfc", t(4, dtype=HALF)),
    case("torch.erfinv", v(-1.0, 1.0, 2.0, 0.0, NAN, grad=False)),
    case("torch.erfinv", v(0.999999, -0.9999, 0.97, 0.5, 1e-5)),
    case("torch.Tensor.erfinv_", share(5)),
    case("torch.expm1", v(1e-6, -1e-5)),
    case("torch.expm1", v(20.0, 0.0, -30.0, -INF, 200.0, NAN)),
    case("torch.log1p", v(1e-6, -1e-5)),
    case("torch.log1p", v(20.0, 0.0, -0.5)),
    case("torch.log1p", v(-1.0, INF, -2.0, grad=False)),
    case("torch.lgamma", positive(2, 3)),
    case("torch.lgamma", v(-1.5, 0.5, 1.0, 2.0, 10.0, -0.3, 100.0)),
    case("torch.lgamma", v(0.0, -1.0, INF, grad=False)),
    case("torch.lgamma", ints(4, low=1)),
    case("torch.Tensor.lgamma", positive(3)),
    case(f"{S}.gammaln", positive(3)),
    case("torch.digamma", v(-1.5, 0.5, 1.0, 2.0, 10.0, -0.3)),
    case("torch.digamma", v(0.0, -2.0, grad=False)),
    case(f"{S}.psi", positive(3)),
    case("torch.polygamma", 1, v(1.0, 2.0, 0.5, grad=False)),
    case("torch.polygamma", 0, v(1.0, 2.0, 0.5)),
    case("torch.i0", v(0.0, 1.0, -5.0, 20.0)),
    case(f"{S}.i1", v(0.0, 1.0, -5.0, 10.0)),
    case("torch.sinc", v(0.0, 0.5, 1.3)),
    case("torch.sinc", t(3, dtype=HALF), tolerance=5e-2),
    case(f"{S}.entr", v(0.1, 0.5, 1.0, 3.0)),
    case(f"{S}.entr", v(-1.0, 0.0, NAN, grad=False)),
    case(f"{S}.ndtr", v(-10.0, -5.0, 0.0, 1.0, 4.0)),
    case(f"{S}.log_ndtr", v(-100.0, -10.0, -5.0, -0.5, 0.0, 1.0, 4.0)),
    case(f"{S}.erfcx", v(-2.0, 0.0, 0.5, 30.0)),
    case(f"{S}.ndtri", v(0.01, 0.5, 0.9)),
    case(f"{S}.expit", t(3)),
    case(f"{S}.round", t(3, scale=5.0)),
    case("torch.logit", v(-0.1, 0.0, 0.5, 1.0, 1.1, grad=False)),
    case("torch.logit", v(-0.1, 0.05, 0.5, 0.9, 1.1), 0.1),
    case("torch.logit", v(-0.1, 0.05, 0.5, 0.95, 1.1), eps=0.1),
    case("torch.logit", ints(2, high=2)),
    case("torch.Tensor.logit_", share(3)),
    case("torch.xlogy", positive(2, 3), positive(3)),
    case("torch.xlogy", v(0.0, 0.0, 0.0, 2.0), v(NAN, 0.0, 3.0, 0.5)),
    case("torch.xlogy", positive(3), 2.0),
    case("torch.xlogy", 2.0, positive(3)),
    case("torch.xlogy", ints(3), 2),
    case(f"{S}.xlogy", positive(3), positive(3)),
    case(f"{S}.xlog1py", positive(3), positive(3)),
    case("torch.Tensor.xlogy_", positive(3), positive(3)),
    case("torch.logaddexp", t(2, 3), t(3)),
    case("torch.logaddexp", v(-INF, INF, INF, -INF, grad=False), v(-INF, INF, -INF, 1.0, grad=False)),
    case("torch.logaddexp", t(2, 3, scale=100.0), t(3)),
    case("torch.logaddexp2", t(2, 3), t(3)),
    case("torch.logaddexp", t(3, dtype=F64), t(3, dtype=F64)),
    case("torch.logaddexp", ints(3), ints(3)),
    case("torch.hypot", t(2, 3), t(3)),
    case("torch.hypot", t(3, dtype=F64), t(3)),
    case("torch.hypot", ints(3), ints(3)),
    case("torch.atan2", t(2, 3), t(3)),
    case("torch.atan2", v(0.0, 1.0, -1.0, 0.0, 1.0), v(0.0, 0.0, 0.0, -1.0, -1.0)),
    case("torch.atan2", ints(3), ints(3)),
    case("torch.atan2", t(3, dtype=F64), t(3, dtype=F64)),
    case("torch.arctan2", t(3, dtype=HALF), t(3, dtype=HALF)),
    case("torch.Tensor.atan2_", t(3), t(3)),
    case("torch.float_power", t(3), 2),
    case("torch.float_power", ints(3), ints(3, high=3)),
    case("torch.float_power", 2.0, t(3)),
    case("torch.ldexp", t(3), ints(3)),
    case("torch.ldexp", ints(3), ints(3)),
    case("torch.signbit", v(-0.0, 0.0, -1.0, 2.0, grad=False)),
    case("torch.signbit", ints(3, low=-2)),
    case("torch.copysign", t(2, 3), t(3, grad=False)),
    case("torch.copysign", v(0.0, 1.0, -2.0), -1.0),
    case("torch.copysign", v(0.0, 1.0, -2.0, grad=False), -0.0),
    case("torch.copysign", ints(3), -2),
    case("torch.frac", t(5, scale=3.0)),
    case("torch.frac", t(3, dtype=HALF)),
    case("torch.frac", ints(3)),
    case("torch.nan_to_num", v(NAN, INF, -INF, 1.0)),
    case("torch.nan_to_num", v(NAN, INF, -INF, 1.0), 1.5, posinf=7.0),
    case("torch.nan_to_num", v(NAN, INF, -INF, 1.0), neginf=-7.0),
    case("torch.nan_to_num", v(NAN, INF, -INF, 1.0, dtype=HALF)),
    case("torch.nan_to_num", v(NAN, INF, -INF, 1.0, dtype=BF16)),
    case("torch.nan_to_num", ints(3)),
    case("torch.Tensor.nan_to_num_", v(NAN, 1.0)),
    case("torch.heaviside", v(-1.0, 0.0, 2.0, NAN, grad=False), v(0.5, grad=False)),
    case("torch.heaviside", ints(5, low=-2, high=2), ints(1)),
    case("torch.heaviside", t(2), t(2, dtype=F64)),
    case("torch.rad2deg", t(3)),
    case("torch.deg2rad", ints(3)),
    case("torch.isclose", v(1.0, 1.00001, 1.1, INF, NAN, grad=False), v(1.0, 1.0, 1.0, INF, NAN, grad=False)),
    case("torch.isclose", v(NAN, 1.0, grad=False), v(NAN, 1.1, grad=False), equal_nan=True),
    case("torch.isclose", v(1.0, 2.0, grad=False), v(1.1, 2.5, grad=False), 0.0, 0.2),
    case("torch.isclose", ints(3), ints(3)),
    case("torch.isclose", bools(3), bools(3)),
    case("torch.isclose", t(2, grad=False), t(2, dtype=F64, grad=False)),
    case("torch.isclose", t(2, grad=False), t(2, grad=False), rtol=-1),
    case("torch.clamp", v(-1.0, 0.0, 0.5, 1.0, 2.0, NAN), 0.0, 1.0),
    case("torch.clamp", v(-1.0, 0.0, 0.5, 1.0), min=0),
    case("torch.clamp", v(-1.0, 0.0, 0.5, 1.0), max=0.5),
    case("torch.clamp", v(-1.0, 0.0, 0.5, 2.0), v(0.0), v(1.0)),
    case("torch.clamp", v(-1.0, 0.0, 0.5, 2.0), v(0.0, -2.0, 0.5, 0.0), v(1.0, 1.0, 1.0, 2.0)),
    case("torch.clamp", t(4), values(-0.5), values(0.5)),
    case("torch.clamp", ints(4), 2, 5),
    case("torch.clamp", ints(4), 2.5),
    case("torch.clamp", ints(4, dtype=torch.uint8), 2, 5),
    case("torch.clamp", t(4, dtype=HALF), -0.5, 0.5),
    case("torch.clamp_min", v(-1.0, 0.0, 0.5), 0.0),
    case("torch.clamp_max", v(-1.0, 0.0, 0.5), 0.0),
    case("torch.clip", v(-1.0, 0.0, 0.5), 0.0),
    case("torch.clamp", t(3)),
    case("torch.negative", t(3)),
    case("torch.positive", t(3)),
    case("torch.subtract", t(3), t(3), alpha=2),
    case("torch.fix", t(3, scale=4.0)),
]

"""torch.testing."""

import math

from .._call import call
from .._dtypes import BY_NAME
from .._tensor import Tensor
from .._unsupported import missing as _missing

# Relative and absolute tolerances by type.
_TOLERANCES = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}


def assert_close(
    actual,
    expected,
    *,
    allow_subclasses=True,
    rtol=None,
    atol=None,
    equal_nan=False,
    check_device=True,
    check_dtype=True,
    check_layout=True,
    check_stride=False,
    msg=None,
):
    options = {
        "rtol": rtol,
        "atol": atol,
        "equal_nan": equal_nan,
        "check_dtype": check_dtype,
        "msg": msg,
    }
    if isinstance(actual, Tensor):
        _assert_tensors_close(actual, expected, **options)
    elif isinstance(actual, dict):
        if set(actual) != set(expected):
            raise AssertionError("The keys of the mappings do not match")
        for key in actual:
            assert_close(actual[key], expected[key], **options)
    elif isinstance(actual, (list, tuple)):
        if len(actual) != len(expected):
            raise AssertionError(
                f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
            )
        for one, other in zip(actual, expected):
            assert_close(one, other, **options)
    elif not _close_numbers(actual, expected, rtol, atol, equal_nan):
        raise AssertionError(
            msg or f"Scalars are not close!\n\nExpected {expected} but got {actual}."
        )


def _close_numbers(actual, expected, rtol, atol, equal_nan):
    if (
        isinstance(actual, float)
        and isinstance(expected, float)
        and math.isnan(actual)
        and math.isnan(expected)
    ):
        return equal_nan
    rtol, atol = rtol or 1e-7, atol or 1e-7
    return actual == expected or abs(actual - expected) <= atol + rtol * abs(expected)


def _assert_tensors_close(actual, expected, rtol, atol, equal_nan, check_dtype, msg):
    if not isinstance(expected, Tensor) or actual.shape != expected.shape:
        shapes = f"{tuple(actual.shape)} != {tuple(getattr(expected, 'shape', ()))}"
        raise AssertionError(msg or f"The values for attribute 'shape' do not match: {shapes}.")
    if check_dtype and actual.dtype is not expected.dtype:
        raise AssertionError(
            msg
            or f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}."
        )
    looser = [_TOLERANCES.get(t.dtype.name, (0.0, 0.0)) for t in (actual, expected)]
    rtol = max(r for r, _ in looser) if rtol is None else rtol
    atol = max(a for _, a in looser) if atol is None else atol
    wide = BY_NAME["complex128" if actual.is_complex() else "float64"]
    options = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan}
    close = call("isclose", (actual.to(wide), expected.to(wide)), options)
    if close._numbers("assert_close").count(False):
        wrong = close._numbers("assert_close").count(False)
        raise AssertionError(
            msg or f"Tensor-likes are not close!\n\nMismatched elements: {wrong} / {actual.numel()}"
        )


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False)


def __getattr__(name):
    raise _missing("torch.testing", name, globals())

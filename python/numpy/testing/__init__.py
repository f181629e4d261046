"""numpy.testing: the comparisons."""

from .._searching import allclose, array_equal


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True):
    if not allclose(actual, desired, rtol, atol, equal_nan):
        raise AssertionError(err_msg or f"Not equal to tolerance rtol={rtol}, atol={atol}")


def assert_array_equal(actual, desired, err_msg="", verbose=True):
    if not array_equal(actual, desired):
        raise AssertionError(err_msg or "Arrays are not equal")


assert_equal = assert_array_equal


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    assert_allclose(actual, desired, 0, 1.5 * 10.0**-decimal, err_msg=err_msg)


assert_array_almost_equal = assert_almost_equal

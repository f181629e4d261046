"""Anomaly detection changes no number; what is not finite is reported in any case."""

import contextlib

__all__ = ["detect_anomaly", "set_detect_anomaly"]


class detect_anomaly(contextlib.ContextDecorator):
    def __init__(self, check_nan=True):
        pass

    def __enter__(self):
        return None

    def __exit__(self, *exc):
        return None


class set_detect_anomaly(detect_anomaly):
    def __init__(self, mode=True, check_nan=True):
        pass

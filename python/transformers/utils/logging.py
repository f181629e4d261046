"""Loggers with the methods that transformers adds."""

import logging

WARNING = logging.WARNING


class _Logger(logging.Logger):
    def warning_once(self, *args, **kwargs):
        pass

    info_once = warning_advice = warning_once


_loggers = {}


def get_logger(name=None):
    return _loggers.setdefault(name, _Logger(name or "transformers", logging.ERROR))


def set_verbosity_error():
    pass


set_verbosity_warning = set_verbosity_info = set_verbosity_debug = set_verbosity_error

"""Loggers, which say nothing in a run."""

import logging

CRITICAL, ERROR, WARNING = logging.CRITICAL, logging.ERROR, logging.WARNING
INFO, DEBUG = logging.INFO, logging.DEBUG


def get_logger(name=None):
    logger = logging.getLogger(name or "diffusers")
    logger.setLevel(ERROR)
    return logger


def get_verbosity():
    return ERROR


def set_verbosity(verbosity):
    pass


def set_verbosity_error():
    pass


set_verbosity_warning = set_verbosity_info = set_verbosity_debug = set_verbosity_error
enable_progress_bar = disable_progress_bar = set_verbosity_error

"""Registries, and the logger."""

import logging


def get_root_logger(logger_name="basicsr", log_level=logging.INFO, log_file=None):
    """The logger, which writes no file."""
    logger = logging.getLogger(logger_name)
    logger.setLevel(log_level)
    return logger

"""Messages, for which nobody waits here."""

import logging


def get_logger(name, log_file=None, log_level=logging.INFO):
    return logging.getLogger(name)


def get_root_logger(log_file=None, log_level=logging.INFO):
    return logging.getLogger("mm")


def print_log(msg, logger=None, level=logging.INFO):
    pass


class MMLogger(logging.Logger):
    @classmethod
    def get_instance(cls, name="mmengine", **options):
        return cls(name)

    @classmethod
    def get_current_instance(cls):
        return cls("mmengine")

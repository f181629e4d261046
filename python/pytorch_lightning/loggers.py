"""Loggers write nothing here."""

import sys

from normscope_boot.imports import give_placeholders


class Logger:
    def __init__(self, *args, **kwargs):
        pass


class TensorBoardLogger(Logger):
    pass


class WandbLogger(Logger):
    pass


class CSVLogger(Logger):
    pass


give_placeholders(sys.modules[__name__])

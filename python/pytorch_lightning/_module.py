"""LightningModule and LightningDataModule."""

import inspect
import types

from torch import nn


class _Hyperparameters(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f'Missing attribute "{name}"') from None

    def __setattr__(self, name, value):
        self[name] = value


class _Keeping:
    @property
    def hparams(self):
        return self.__dict__.setdefault("_hparams", _Hyperparameters())

    def save_hyperparameters(self, *names, ignore=(), frame=None, logger=True):
        """Keeps the arguments of the running constructor, or those that are named or given."""
        frame = frame or inspect.currentframe().f_back
        function = inspect.getargvalues(frame)
        skipped = {ignore} if isinstance(ignore, str) else set(ignore)
        given = {name: function.locals[name] for name in function.args[1:]}
        if function.keywords:
            given |= function.locals[function.keywords]
        for name in names:
            if isinstance(name, str):
                self.hparams[name] = given.get(name)
            else:
                self.hparams.update(vars(name) if isinstance(name, types.SimpleNamespace) else name)
        if not names:
            self.hparams.update({name: it for name, it in given.items() if name not in skipped})


class LightningModule(_Keeping, nn.Module):
    trainer = None
    logger = None
    current_epoch = 0
    global_step = 0
    global_rank = local_rank = 0
    automatic_optimization = True

    def log(self, *args, **kwargs):
        pass

    log_dict = print = log

    @property
    def device(self):
        from torch import device

        return device("cpu")

    @property
    def dtype(self):
        return next((it.dtype for it in self.parameters()), None)

    def freeze(self):
        for parameter in self.parameters():
            parameter.requires_grad = False
        self.eval()

    def unfreeze(self):
        for parameter in self.parameters():
            parameter.requires_grad = True
        self.train()

    @classmethod
    def load_from_checkpoint(cls, *args, **kwargs):
        raise OSError("Lightning's checkpoints are not read here: give the weights with --weights")


class LightningDataModule(_Keeping):
    pass

"""torch.utils.tensorboard.writer."""

from . import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]

"""torch.utils.data.dataloader."""

from ._loader import DataLoader, default_collate, get_worker_info  # noqa: F401

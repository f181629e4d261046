"""DataLoader: batches of a dataset, in this process."""

from ..._call import call
from ..._dtypes import float64
from ..._factories import as_tensor, tensor
from ..._tensor import Tensor
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler, drawn_seed

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]


def get_worker_info():
    return None


def default_convert(data):
    return as_tensor(data) if hasattr(data, "__torch_tensor__") else data


def default_collate(batch):
    """Items as one: tensors stacked, numbers as a tensor, the insides of containers one by one."""
    first = batch[0]
    if isinstance(first, Tensor):
        return call("stack", (list(batch),), {})
    if hasattr(first, "__torch_tensor__"):
        return call("stack", ([as_tensor(item) for item in batch],), {})
    if isinstance(first, float):
        return tensor(batch, dtype=float64)
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([item[key] for item in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(list(items)) for items in zip(*batch)))
    if isinstance(first, (list, tuple)):
        return [default_collate(list(items)) for items in zip(*batch)]
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; "
        f"found {type(first)}"
    )


class DataLoader:
    def __class_getitem__(cls, item):
        return cls

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor=None,
        persistent_workers=False,
        pin_memory_device="",
        in_order=True,
    ):
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        self.dataset = dataset
        self.batch_size = batch_size
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.drop_last = drop_last
        self.generator = generator
        self._is_stream = isinstance(dataset, IterableDataset)
        if sampler is None and not self._is_stream:
            random = shuffle and batch_sampler is None
            sampler = (
                RandomSampler(dataset, generator=generator)
                if random
                else SequentialSampler(dataset)
            )
        self.sampler = sampler
        if batch_sampler is None and batch_size is not None and not self._is_stream:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_sampler = batch_sampler
        default = (
            default_convert if batch_size is None and batch_sampler is None else default_collate
        )
        self.collate_fn = collate_fn or default

    def __iter__(self):
        # PyTorch draws a seed for its workers here, even where there are none.
        drawn_seed(self.generator)
        if self._is_stream:
            return self._batches_of_stream()
        return self._batches()

    def _batches(self):
        if self.batch_sampler is None:
            for index in self.sampler:
                yield self.collate_fn(self.dataset[index])
            return
        for indices in self.batch_sampler:
            many = getattr(self.dataset, "__getitems__", None)
            items = many(indices) if many else [self.dataset[index] for index in indices]
            yield self.collate_fn(items)

    def _batches_of_stream(self):
        batch = []
        for item in self.dataset:
            if self.batch_size is None:
                yield self.collate_fn(item)
                continue
            batch.append(item)
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)

    def __len__(self):
        if self._is_stream:
            whole, rest = divmod(len(self.dataset), self.batch_size or 1)
            return whole + (1 if rest and not self.drop_last else 0)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)

"""Axes of tensors as they are told."""


def check_dim(dim, rank):
    """Raises PyTorch's IndexError for an axis that a tensor of `rank` axes does not have."""
    count = max(rank, 1)
    if not -count <= dim < count:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-count}, {count - 1}], but got {dim})"
        )

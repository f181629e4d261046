"""Other sizes for the shape of an input, where an error tells which."""

import math


def resized(shape, got, wanted):
    """A square image of the size whose features, laid flat, are as many as wanted; None where none is."""
    size = shape[-1] * math.sqrt(wanted / got)
    is_one = shape[-1] == shape[-2] and got not in shape[1:] and size.is_integer() and size >= 1
    return [*shape[:-2], int(size), int(size)] if is_one else None


def of_patches(shape, got, wanted):
    """A square image with as many patches as a table has rows, of which a few can be for other tokens."""
    for others in (0, 1, 2):
        across = [math.isqrt(max(count - others, 0)) for count in (got, wanted)]
        is_square = all(n * n + others == count for n, count in zip(across, (got, wanted)))
        if is_square and all(across) and shape[-1] == shape[-2]:
            size = shape[-1] * across[1] // across[0]
            return [min(shape[0], 2) if size > 64 else shape[0], *shape[1:-2], size, size]
    return None


def of_frames(shape, got, wanted):
    """A video [batch, channels, frames, height, width] with as many patches as a table has rows."""
    frames = shape[2] * wanted
    return [min(shape[0], 2), shape[1], frames // got, *shape[3:]] if frames % got == 0 else None


def with_axis(shape, axis, got, wanted):
    if not -len(shape) <= axis < len(shape) or shape[axis] != got:
        return None
    changed = list(shape)
    changed[axis] = wanted
    return changed


# Names that a model has its bins of a spectrum, and the sides of its volumes, under.
BINS = (
    "n_mels",
    "num_mels",
    "mel_bins",
    "num_mel_bins",
    "n_mfcc",
    "feat",
    "feat_dim",
    "n_feats",
) + (*("num_features", "idim", "input_dim", "in_dim", "d_input", "input_size"),)


VOLUMES = ("img_shape", "img_size", "image_size", "vol_size", "volume_size", "input_size")

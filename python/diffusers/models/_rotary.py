"""Rotations by position of pairs of channels (arXiv:2104.09864)."""

import numpy as np
import torch


def get_1d_rotary_pos_embed(
    dim,
    pos,
    theta=10000.0,
    use_real=False,
    linear_factor=1.0,
    ntk_factor=1.0,
    repeat_interleave_real=True,
    freqs_dtype=torch.float32,
):
    """Positions (S,), or how many there are → (cos, sin), each (S, dim); complex (S, dim / 2) without `use_real`."""
    assert dim % 2 == 0
    if isinstance(pos, int):
        pos = torch.arange(pos)
    if isinstance(pos, np.ndarray):
        pos = torch.from_numpy(pos)
    exponents = torch.arange(0, dim, 2, dtype=freqs_dtype, device=pos.device) / dim
    freqs = torch.outer(pos, 1.0 / (theta * ntk_factor) ** exponents / linear_factor)
    if not use_real:
        return torch.polar(torch.ones_like(freqs), freqs)
    if repeat_interleave_real:
        return tuple(it.repeat_interleave(2, dim=1).float() for it in (freqs.cos(), freqs.sin()))
    return tuple(torch.cat([it, it], dim=-1).float() for it in (freqs.cos(), freqs.sin()))


def get_2d_rotary_pos_embed(
    embed_dim, crops_coords, grid_size, use_real=True, device=None, output_type="pt"
):
    """Of a grid within ((top, left), (bottom, right)): (H · W, embed_dim), as for one axis."""
    rows, columns = _steps_within(crops_coords, grid_size, device)
    grid = torch.stack(torch.meshgrid(columns, rows, indexing="xy")).unsqueeze(1)
    return get_2d_rotary_pos_embed_from_grid(embed_dim, grid, use_real=use_real)


def get_2d_rotary_pos_embed_from_grid(embed_dim, grid, use_real=False):
    assert embed_dim % 4 == 0
    first, second = (
        get_1d_rotary_pos_embed(embed_dim // 2, grid[axis].reshape(-1), use_real=use_real)
        for axis in (0, 1)
    )
    if use_real:
        return tuple(torch.cat(pair, dim=1) for pair in zip(first, second))
    return torch.cat([first, second], dim=1)


def get_2d_rotary_pos_embed_lumina(embed_dim, len_h, len_w, linear_factor=1.0, ntk_factor=1.0):
    """Complex (H, W, embed_dim / 2), rows and columns in turn."""
    assert embed_dim % 4 == 0
    rows, columns = (
        get_1d_rotary_pos_embed(
            embed_dim // 2, length, linear_factor=linear_factor, ntk_factor=ntk_factor
        )
        for length in (len_h, len_w)
    )
    rows = rows[:, None, :, None].repeat(1, len_w, 1, 1)
    columns = columns[None, :, :, None].repeat(len_h, 1, 1, 1)
    return torch.cat([rows, columns], dim=-1).flatten(2)


def get_3d_rotary_pos_embed(
    embed_dim,
    crops_coords,
    grid_size,
    temporal_size,
    theta=10000,
    use_real=True,
    grid_type="linspace",
    max_size=None,
    device=None,
):
    """(cos, sin), each (T · H · W, embed_dim): a quarter of the width for time, three eighths for each axis."""
    if use_real is not True:
        raise ValueError(
            " `use_real = False` is not currently supported for get_3d_rotary_pos_embed"
        )
    if grid_type == "linspace":
        rows, columns = _steps_within(crops_coords, grid_size, device)
        (times,) = _steps_within(((0,), (temporal_size,)), (temporal_size,), device)
    elif grid_type == "slice":
        sizes = (*grid_size, temporal_size)
        rows, columns, times = (
            torch.arange(size, device=device, dtype=torch.float32) for size in sizes
        )
    else:
        raise ValueError("Invalid value passed for `grid_type`.")
    shape = (temporal_size, *grid_size)
    widths = (embed_dim // 4, embed_dim // 8 * 3, embed_dim // 8 * 3)
    axes = [
        get_1d_rotary_pos_embed(width, places, theta=theta, use_real=True)
        for width, places in zip(widths, (times, rows, columns))
    ]
    return tuple(_over_all(parts, shape) for parts in zip(*axes))


def _over_all(parts, shape):
    """Rows for each axis → a row for each place."""
    spread = [
        part.reshape(*(-1 if at == axis else 1 for at in range(len(shape))), part.shape[-1])
        for axis, part in enumerate(parts)
    ]
    return torch.cat([it.expand(*shape, -1) for it in spread], dim=-1).flatten(0, len(shape) - 1)


def _steps_within(crops_coords, sizes, device):
    """For each axis `size` equal steps from its start, without its stop."""
    return [
        torch.linspace(start, stop * (size - 1) / size, size, device=device, dtype=torch.float32)
        for start, stop, size in zip(*crops_coords, sizes)
    ]


def apply_rotary_emb(x, freqs_cis, use_real=True, use_real_unbind_dim=-1, sequence_dim=2):
    """x (B, H, S, D), or (B, S, H, D) for `sequence_dim` 1, rotated by (cos, sin) or complex numbers.

    Pairs are neighbours (`use_real_unbind_dim` -1), or a channel of each half (-2).
    """
    if not use_real:
        pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * freqs_cis.unsqueeze(2)).flatten(3).type_as(x)
    if sequence_dim not in (1, 2):
        raise ValueError(f"`sequence_dim={sequence_dim}` but should be 1 or 2.")
    # (S, D) → (1, 1, S, D) or (1, S, 1, D)
    cos, sin = (it.unsqueeze(2 - sequence_dim)[None].to(x.device) for it in freqs_cis)
    return (x.float() * cos + _turned(x, use_real_unbind_dim).float() * sin).to(x.dtype)


def _turned(x, pair_dim):
    """Each pair (a, b) as (-b, a)."""
    if pair_dim == -1:
        real, imaginary = x.reshape(*x.shape[:-1], -1, 2).unbind(-1)
        return torch.stack([-imaginary, real], dim=-1).flatten(3)
    if pair_dim == -2:
        real, imaginary = x.reshape(*x.shape[:-1], 2, -1).unbind(-2)
        return torch.cat([-imaginary, real], dim=-1)
    raise ValueError(f"`use_real_unbind_dim={pair_dim}` but should be -1 or -2.")

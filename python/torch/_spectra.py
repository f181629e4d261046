"""Short-time Fourier transforms, and back."""

import math

from ._call import call, composite
from ._dtypes import complex128, float32, float64
from ._unsupported import unsupported


@composite("istft")
def istft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    normalized=False,
    onesided=None,
    length=None,
    return_complex=False,
):
    """The signal of overlapping transformed windows, least squares where they overlap."""
    if return_complex:
        raise unsupported("istft with return_complex")
    if not input.is_complex():
        raise TypeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
        )
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    _refuse_parts(input, n_fft, hop, width, onesided)
    real = float64 if input.dtype == complex128 else float32
    window = _centred(
        call("ones", (width,), {"dtype": real}) if window is None else window, width, n_fft
    )
    made = (input if input.dim() > 2 else input.unsqueeze(0)).transpose(-2, -1)
    # Of a whole spectrum the half that a real signal has is enough.
    frames = call("irfft", (made[..., : n_fft // 2 + 1],), {"n": n_fft})
    if normalized:
        frames = frames * math.sqrt(n_fft)
    count = frames.shape[-2]
    whole = n_fft + hop * (count - 1)
    signal = _overlapping(frames * window, whole, hop)
    weight = _overlapping((window * window).expand(1, count, n_fft), whole, hop)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else whole - (n_fft // 2 if center else 0)
    inner = slice(start, min(end, whole))
    if float(weight[:, inner].abs().min()) < 1e-11:
        raise RuntimeError("window overlap add min: 1")
    found = signal[:, inner] / weight[:, inner]
    if end > whole:
        found = call("pad", (found, (0, end - whole)), {})
    return found if input.dim() > 2 else found.squeeze(0)


def _refuse_parts(input, n_fft, hop, width, onesided):
    if input.numel() == 0:
        raise RuntimeError("istft: input tensor cannot be empty.")
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"istft: expected a tensor with 3 or 4 dimensions, but got {input.dim() + 1}"
        )
    size = input.shape[-2]
    onesided = size != n_fft if onesided is None else onesided
    needed, formula = (n_fft // 2 + 1, "n_fft / 2 + 1") if onesided else (n_fft, "n_fft")
    if size != needed:
        raise RuntimeError(
            "istft: expected the frequency dimension (3rd to the last) of the input tensor to match "
            f"{formula} when onesided={onesided}, but got {size}"
        )
    if not 0 < hop <= width:
        raise RuntimeError("istft: expected 0 < hop_length <= win_length")
    if not 0 < width <= n_fft:
        raise RuntimeError("istft: expected 0 < win_length <= n_fft")


def _centred(window, width, n_fft):
    """[n_fft]: a window of `width` with zeros on both sides."""
    if width >= n_fft:
        return window
    left = (n_fft - width) // 2
    return call("pad", (window, (left, n_fft - width - left)), {})


def _overlapping(frames, length, hop):
    """[batch, length]: the sum of frames, each `hop` after the one before."""
    columns = frames.transpose(-2, -1)
    options = {"output_size": (1, length), "kernel_size": (1, frames.shape[-1]), "stride": (1, hop)}
    return call("fold", (columns,), options).flatten(1)


@composite("stft")
def stft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    pad_mode="reflect",
    normalized=False,
    onesided=None,
    return_complex=None,
    align_to_window=None,
):
    """The Fourier transform of overlapping windows: […, frequencies, frames]."""
    if not (input.is_floating_point() or input.is_complex()):
        raise NotImplementedError("stft expected a tensor of floating point or complex values")
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    if window is not None or width < n_fft:
        window = _centred(input.new_ones(width) if window is None else window, width, n_fft)
    flat = input if input.dim() > 1 else input.unsqueeze(0)
    if center:
        padded = call("pad", (flat.unsqueeze(1), (n_fft // 2, n_fft // 2)), {"mode": pad_mode})
        flat = padded.squeeze(1)
    frames = flat.unfold(-1, n_fft, hop)
    if window is not None:
        frames = frames * window
    onesided = not frames.is_complex() if onesided is None else onesided
    made = call("rfft" if onesided else "fft", (frames,), {}).transpose(-2, -1)
    if normalized:
        made = made / math.sqrt(n_fft)
    made = (made if input.dim() > 1 else made.squeeze(0)).clone()
    return made if return_complex is not False else call("view_as_real", (made,), {})

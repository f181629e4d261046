"""Fourier transforms."""
import torch

from calls.form import case, ints, t

HALF, F64, C64, C128 = torch.float16, torch.float64, torch.complex64, torch.complex128
F = "torch.fft"
NORMS = ["forward", "backward", "ortho"]
ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
REAL = {"rfft", "ihfft", "rfft2", "rfftn"}


def argument(name, *shape):
    return t(*shape) if name in REAL else t(*shape, dtype=C64)


CASES = [
    *[case(f"{F}.{name}", argument(name, 2, size)) for name in ONE for size in (5, 8)],
    *[case(f"{F}.{name}", argument(name, 2, 6), norm=norm) for name in ONE for norm in NORMS],
    *[case(f"{F}.{name}", argument(name, 6), n) for name in ONE for n in (3, 4, 9, 12)],
    *[case(f"{F}.{name}", argument(name, 6, 2), dim=0) for name in ONE],
    *[case(f"{F}.{name}", argument(name, 6, 3, 2), 4, 1) for name in ONE],
    *[case(f"{F}.{name}", t(6)) for name in ("fft", "ifft", "irfft", "hfft")],
    *[case(f"{F}.{name}", t(2, 300), tolerance=1e-4) for name in ("fft", "rfft", "ihfft")],
    *[case(f"{F}.{name}", t(2, 300, dtype=C64), tolerance=1e-4) for name in ("fft", "ifft", "irfft")],
    case(f"{F}.irfft", t(2, 140, dtype=C64), 301, tolerance=1e-4),
    case(f"{F}.rfft", t(2, 280), 320, tolerance=1e-4),
    case(f"{F}.fft", t(257, dtype=C64), tolerance=1e-4),
    case(f"{F}.fft", t(4, dtype=F64)),
    case(f"{F}.irfft", t(4, dtype=C128)),
    case(f"{F}.fft", ints(4)),
    case(f"{F}.rfft", ints(4)),
    *[case(f"{F}.{name}", argument(name, 3, 4)) for name in ("fft2", "ifft2", "rfft2", "irfft2")],
    *[case(f"{F}.{name}", argument(name, 2, 3, 4)) for name in ("fftn", "ifftn", "rfftn", "irfftn")],
    *[
        case(f"{F}.{name}", argument(name, 2, 3, 4), s=(4, 5), norm="ortho")
        for name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "rfftn", "irfftn")
    ],
    *[
        case(f"{F}.{name}", argument(name, 2, 3, 4), dim=(0, 1))
        for name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "rfftn", "irfftn")
    ],
    case(f"{F}.fft2", t(3, 4)),
    case(f"{F}.fftn", t(3, 4), s=(2,)),
    case(f"{F}.rfftn", t(3, 4), s=(-1, 2)),
    case(f"{F}.fftfreq", 5, 0.5),
    case(f"{F}.fftfreq", 6),
    case(f"{F}.rfftfreq", 5),
    case(f"{F}.rfftfreq", 6, d=0.25, dtype=F64),
    case(f"{F}.fftshift", t(5)),
    case(f"{F}.fftshift", t(4, 3)),
    case(f"{F}.ifftshift", t(5)),
    case(f"{F}.ifftshift", t(4, 3), dim=(1,)),
    case(f"{F}.fftshift", t(4, dtype=C64), dim=-1),
    case(f"{F}.fft", t(3, dtype=HALF)),
    case(f"{F}.fft", t(3), n=0),
    case(f"{F}.fft", t(3), dim=3),
    case(f"{F}.fft", t()),
    case(f"{F}.fft", t(3), norm="foo"),
    case(f"{F}.rfft", t(3, dtype=C64)),
    case(f"{F}.fft2", t(3)),
    case(f"{F}.fftn", t(3, 4), s=(2, 2), dim=(0,)),
    case(f"{F}.fftn", t(3, 4), dim=(0, 0)),
]

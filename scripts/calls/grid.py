"""Images read at points of a grid."""
import torch

from calls.form import case, t

F = "torch.nn.functional"
HALF = torch.float16

CASES = [
    *[
        case(f"{F}.grid_sample", t(2, 3, 4, 5), t(2, 3, 2, 2, grad=mode == "bilinear"), mode, padding, align)
        for mode in ("bilinear", "nearest")
        for padding in ("zeros", "border", "reflection")
        for align in (True, False)
    ],
    case(f"{F}.grid_sample", t(1, 2, 3, 3), t(1, 4, 4, 2, scale=3.0), padding_mode="reflection", align_corners=False),
    case(f"{F}.grid_sample", t(1, 2, 3, 3), t(1, 4, 4, 2), align_corners=False),
    case(f"{F}.grid_sample", t(1, 1, 1, 1), t(1, 2, 2, 2), align_corners=False),
    case(f"{F}.grid_sample", t(1, 2, 3, 3, dtype=torch.float64), t(1, 2, 2, 2, dtype=torch.float64), align_corners=True),
    case(f"{F}.grid_sample", t(1, 2, 3, 3), t(1, 2, 2, 2), mode="foo"),
    case(f"{F}.grid_sample", t(1, 2, 3, 3), t(1, 2, 2, 2), padding_mode="foo"),
    case(f"{F}.grid_sample", t(1, 2, 3, 3), t(2, 2, 2, 2)),
    case(f"{F}.grid_sample", t(1, 2, 3, 3), t(1, 2, 2, 3)),
    case(f"{F}.affine_grid", t(2, 2, 3), (2, 3, 4, 5), align_corners=False),
    case(f"{F}.affine_grid", t(2, 2, 3), (2, 3, 4, 5), align_corners=True),
    case(f"{F}.affine_grid", t(1, 2, 3), [1, 1, 1, 2], True),
    case(f"{F}.affine_grid", t(2, 3, 3), (2, 3, 4, 5), align_corners=True),
]

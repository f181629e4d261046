"""Losses."""
import torch

from calls.form import bools, case, ints, t, values

HALF, BF16, F64 = torch.float16, torch.bfloat16, torch.float64
F = "torch.nn.functional"
INF = float("inf")


def probabilities(*shape, dim=1):
    return values(torch.softmax(t(*shape).data, dim).tolist())


CASES = [
    *[
        case(f"{F}.cross_entropy", t(4, 5), ints(4, high=5), **kwargs)
        for kwargs in (
            {}, {"reduction": "sum"}, {"reduction": "none"}, {"weight": t(5, shift=3.0, grad=False)},
            {"label_smoothing": 0.1}, {"label_smoothing": 0.1, "reduction": "none"},
            {"label_smoothing": 0.2, "weight": t(5, shift=3.0, grad=False)},
            {"label_smoothing": 0.2, "weight": t(5, shift=3.0, grad=False), "reduction": "sum"},
            {"weight": t(5, shift=3.0, grad=False), "reduction": "none"},
        )
    ],
    *[
        case(f"{F}.cross_entropy", t(4, 5), values([1, -100, 4, -100]), **kwargs)
        for kwargs in (
            {}, {"reduction": "sum"}, {"reduction": "none"}, {"weight": t(5, shift=3.0, grad=False)},
            {"label_smoothing": 0.1}, {"label_smoothing": 0.1, "reduction": "none"},
            {"label_smoothing": 0.2, "weight": t(5, shift=3.0, grad=False)},
        )
    ],
    case(f"{F}.cross_entropy", t(4, 5), values([1, 2, 4, 2]), ignore_index=2),
    case(f"{F}.cross_entropy", t(4, 5), values([0, -1, -1, 3]), ignore_index=-1),
    case(f"{F}.cross_entropy", t(2, 5, 3), ints(2, 3, high=5)),
    case(f"{F}.cross_entropy", t(2, 5, 3, 2), ints(2, 3, 2, high=5), label_smoothing=0.1),
    case(f"{F}.cross_entropy", t(2, 5, 3), ints(2, 3, high=5), weight=t(5, shift=3.0, grad=False), reduction="none"),
    case(f"{F}.cross_entropy", t(5), values(3)),
    case(f"{F}.cross_entropy", t(4, 5), ints(4, high=5, dtype=torch.uint8)),
    case(f"{F}.cross_entropy", t(4, 5, dtype=HALF), ints(4, high=5)),
    case(f"{F}.cross_entropy", t(4, 5, dtype=F64), ints(4, high=5)),
    case(f"{F}.cross_entropy", values([[-INF, 1.0, 2.0], [0.5, -INF, 1.0]]), values([1, 2])),
    case(f"{F}.cross_entropy", t(2, 3), values([-100, -100])),
    case(f"{F}.cross_entropy", t(2, 3), values([-100, -100]), reduction="sum"),
    case(f"{F}.cross_entropy", t(4, 5), ints(4, high=5), size_average=False),
    case(f"{F}.cross_entropy", t(4, 5), probabilities(4, 5)),
    case(f"{F}.cross_entropy", t(4, 5), probabilities(4, 5), reduction="none"),
    case(f"{F}.cross_entropy", t(4, 5), probabilities(4, 5), reduction="sum", label_smoothing=0.1),
    case(f"{F}.cross_entropy", t(4, 5), probabilities(4, 5), weight=t(5, shift=3.0, grad=False)),
    case(f"{F}.cross_entropy", t(2, 5, 3), probabilities(2, 5, 3)),
    case(f"{F}.cross_entropy", t(5), probabilities(5, dim=0)),
    case(f"{F}.cross_entropy", t(2, 3), t(2)),
    case(f"{F}.cross_entropy", t(2, 3), ints(2, high=3, dtype=torch.int32)),
    case(f"{F}.cross_entropy", t(2, 3), ints(3, high=3)),
    case(f"{F}.cross_entropy", t(2, 3, 4), ints(2, 3, high=3)),
    case(f"{F}.cross_entropy", t(2, 3, 4), ints(2, 3, 4, high=3)),
    case(f"{F}.cross_entropy", t(8, 3), ints(2, 4, high=3)),
    case(f"{F}.cross_entropy", t(2, 3), values([0, 3])),
    case(f"{F}.cross_entropy", t(2, 3), values([0, -1])),
    case(f"{F}.cross_entropy", t(2, 3), ints(2, high=3), weight=t(2, grad=False)),
    case(f"{F}.cross_entropy", t(2, 3), ints(2, high=3), label_smoothing=1.5),
    case(f"{F}.cross_entropy", t(2, 3), ints(2, high=3), reduction="avg"),
    case(f"{F}.cross_entropy", ints(2, 3), ints(2, high=3)),
    case(f"{F}.cross_entropy", t(2, 3), t(2, 3), ignore_index=1),
    *[
        case(f"{F}.nll_loss", t(4, 5), values([1, -100, 4, 0]), **kwargs)
        for kwargs in ({}, {"reduction": "sum"}, {"reduction": "none"}, {"weight": t(5, shift=3.0, grad=False)})
    ],
    case(f"{F}.nll_loss", t(2, 5, 3), ints(2, 3, high=5)),
    case(f"{F}.nll_loss", t(2, 5, 3, 2), ints(2, 3, 2, high=5), weight=t(5, shift=3.0, grad=False)),
    case(f"{F}.nll_loss", t(5), values(3)),
    case(f"{F}.nll_loss", t(2, 3), values([0, 3])),
    case(f"{F}.nll_loss", t(2, 3), ints(3, high=3)),
    *[
        case(f"{F}.{name}", t(2, 3), t(2, 3), reduction=reduction)
        for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
        for reduction in ("mean", "sum", "none")
    ],
    case(f"{F}.mse_loss", t(2, 3), t(3)),
    case(f"{F}.mse_loss", t(2, 3), t(2, 3, dtype=F64)),
    case(f"{F}.mse_loss", t(2, 3), ints(2, 3)),
    case(f"{F}.mse_loss", t(2, 3, dtype=HALF), t(2, 3, dtype=HALF)),
    case(f"{F}.mse_loss", t(2, 3), t(3, 2)),
    case(f"{F}.mse_loss", ints(2, 3), ints(2, 3)),
    case(f"{F}.mse_loss", t(2, 3), t(2, 3), weight=t(2, 3, grad=False)),
    case(f"{F}.l1_loss", values([1.0, 2.0]), values([1.0, 3.0])),
    case(f"{F}.l1_loss", ints(3), ints(3)),
    case(f"{F}.smooth_l1_loss", t(6, scale=2.0), t(6), beta=0.5),
    case(f"{F}.smooth_l1_loss", t(6), t(6), beta=0.0),
    case(f"{F}.huber_loss", t(6, scale=2.0), t(6), delta=0.5),
    case(f"{F}.huber_loss", t(6), t(6), delta=0.0),
    case(f"{F}.binary_cross_entropy", probabilities(3, 4), probabilities(3, 4)),
    case(f"{F}.binary_cross_entropy", values([0.0, 1.0, 0.5]), values([1.0, 1.0, 0.0], grad=False), reduction="none"),
    case(f"{F}.binary_cross_entropy", probabilities(3, 4), probabilities(3, 4), t(3, 4, grad=False), reduction="sum"),
    case(f"{F}.binary_cross_entropy", values([2.0]), values([1.0])),
    case(f"{F}.binary_cross_entropy_with_logits", t(3, 4), probabilities(3, 4)),
    case(f"{F}.binary_cross_entropy_with_logits", values([-200.0, 0.0, 200.0]), values([0.0, 1.0, 1.0]), reduction="none"),
    case(f"{F}.binary_cross_entropy_with_logits", t(3, 4), probabilities(3, 4), pos_weight=t(4, shift=3.0, grad=False)),
    case(f"{F}.binary_cross_entropy_with_logits", t(3, 4), probabilities(3, 4), t(4, shift=3.0, grad=False), reduction="sum"),
    case(f"{F}.binary_cross_entropy_with_logits", t(2), t(3)),
    case(f"{F}.kl_div", t(3, 4), probabilities(3, 4)),
    case(f"{F}.kl_div", t(3, 4), probabilities(3, 4), reduction="batchmean"),
    case(f"{F}.kl_div", t(3, 4), t(3, 4), reduction="sum", log_target=True),
    case(f"{F}.kl_div", t(3), values([0.0, 0.5, 0.5], grad=False), reduction="none"),
    case(f"{F}.cosine_embedding_loss", t(3, 4), t(3, 4), values([1, -1, 1])),
    case(f"{F}.cosine_embedding_loss", t(3, 4), t(3, 4), values([-1, -1, 1]), margin=-0.5, reduction="none"),
    case(f"{F}.margin_ranking_loss", t(5), t(5), values([1.0, -1.0, 1.0, 1.0, -1.0], grad=False), margin=0.5),
    case(f"{F}.triplet_margin_loss", t(3, 4), t(3, 4), t(3, 4)),
    case(f"{F}.triplet_margin_loss", t(3, 4), t(3, 4), t(3, 4), margin=2.0, swap=True, reduction="none"),
    case(f"{F}.hinge_embedding_loss", t(4), values([1.0, -1.0, 1.0, -1.0], grad=False)),
    case(f"{F}.soft_margin_loss", t(4), values([1.0, -1.0, 1.0, -1.0], grad=False)),
    case(f"{F}.poisson_nll_loss", t(4), values([1.0, 3.0, 0.0, 2.0], grad=False)),
    case(f"{F}.poisson_nll_loss", t(4, shift=4.0), values([1.0, 3.0, 0.0, 2.0], grad=False), log_input=False, full=True),
    case(f"{F}.gaussian_nll_loss", t(4), t(4), values([1.0, 0.5, 2.0, 0.0])),
    case(f"{F}.gaussian_nll_loss", t(4), t(4), values([1.0, 0.5, 2.0, 1.0]), full=True, reduction="sum"),
    case(f"{F}.linear_cross_entropy", t(4, 3), t(5, 3), ints(4, high=5)),
    case(f"{F}.linear_cross_entropy", t(4, 3), t(5, 3), ints(4, high=5), linear_bias=t(5), label_smoothing=0.1),
]

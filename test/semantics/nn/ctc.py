"""ctc_loss: padded and concatenated labels, repeats, short inputs, every reduction."""

import torch
import torch.nn.functional as F
from torch import nn

# The gradient at values within the loss is its own affair.
GOLDEN = ("parameters", "modules")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.frames = nn.Linear(5, 6)
        self.loss = nn.CTCLoss(blank=0)

    def forward(self, x):
        scores = self.frames(x)
        log_probs = scores.log_softmax(-1)
        labels = torch.tensor([[1, 1, 2, 3], [4, 5, 0, 0], [2, 0, 0, 0]])
        mean = self.loss(log_probs, labels, torch.tensor([9, 7, 4]), torch.tensor([4, 2, 1]))
        joined = torch.tensor([3, 3, 5, 1, 2, 4])
        each = F.ctc_loss(log_probs, joined, (9, 9, 9), (3, 2, 1), reduction="none")
        # Four frames do not suffice for a label thrice.
        short = F.ctc_loss(
            log_probs, torch.tensor([[1, 1, 1]] * 3), (9, 4, 9), (3, 3, 0), reduction="sum", zero_infinity=True
        )
        alone = F.ctc_loss(scores[:, 0], torch.tensor([0, 4]), torch.tensor([9]), torch.tensor([2]), blank=3)
        endless = F.ctc_loss(log_probs[:2].detach(), labels, (2, 2, 2), (4, 2, 1), reduction="none")
        assert endless.isinf().tolist() == [True, False, False]
        return mean + (each * torch.tensor([1.0, -0.5, 2.0])).sum() + 0.3 * short + 0.1 * alone


def build():
    return Model()


def step(model):
    return model(torch.randn(9, 3, 5))

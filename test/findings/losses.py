"""Mistakes of losses, and the same without them (`right=True`)."""
import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


def tokens(samples=3, length=12):
    at = torch.arange(samples * length).view(samples, length)
    return (at * at * 5 + 3 * at) % vocabulary


class Decoder(nn.Module):
    """Next tokens of a causal model; what compares them is a class of its own."""

    def __init__(self, right=False, dim=16):
        super().__init__()
        self.right = right
        self.tok, self.pos = nn.Embedding(vocabulary, dim), nn.Embedding(32, dim)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(dim, 2, 32, 0.0, batch_first=True, norm_first=True) for _ in range(2)
        )
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def logits(self, idx):
        T = idx.shape[1]
        mask = torch.ones(T, T).triu(1).bool()
        x = self.tok(idx) + self.pos(torch.arange(T))
        for layer in self.layers:
            x = layer(x, src_mask=mask)
        return self.head(self.norm(x))

    def forward(self, idx):
        return self.compare(self.logits(idx[:, :-1] if self.shifts else idx), idx)

    shifts = True


class Logits(Decoder):
    def compare(self, logits, idx):
        wanted = F.one_hot(idx[:, 1:], vocabulary).float()
        given = F.log_softmax(logits, -1) if self.right else logits
        return F.kl_div(given, wanted, reduction="batchmean")


class Shares(Decoder):
    """The module, and a teacher's probabilities."""

    def compare(self, logits, idx):
        teacher = torch.softmax(torch.sin(idx[:, 1:, None] * torch.arange(vocabulary)), -1)
        shares = torch.softmax(logits / 2, dim=-1)
        return nn.KLDivLoss(reduction="batchmean")(shares.log() if self.right else shares, teacher)


class Swapped(Decoder):
    def compare(self, logits, idx):
        smooth = F.one_hot(idx[:, 1:], vocabulary) * 0.9 + 0.1 / vocabulary
        logs = logits.log_softmax(-1)
        return F.kl_div(logs, smooth, reduction="sum") if self.right else F.kl_div(smooth, logs, reduction="sum")


class LogTarget(Decoder):
    def compare(self, logits, idx):
        teacher = torch.sin(idx[:, 1:, None] * torch.arange(vocabulary)).log_softmax(-1)
        return F.kl_div(F.log_softmax(logits, -1), teacher, reduction="batchmean", log_target=self.right)


class Smoothed(Decoder):
    def compare(self, logits, idx):
        share = 0.1 if self.right else 0.9
        return F.cross_entropy(logits.flatten(0, 1), idx[:, 1:].flatten(), label_smoothing=share)


class SmoothedModule(Decoder):
    def compare(self, logits, idx):
        criterion = nn.CrossEntropyLoss(label_smoothing=0.2 if self.right else 0.8, ignore_index=0)
        return criterion(logits.transpose(1, 2), idx[:, 1:])


class Likelihood(Decoder):
    """nll_loss of the tokens themselves."""

    shifts = False

    def compare(self, logits, idx):
        logs = F.log_softmax(logits, dim=-1)
        if self.right:
            return F.nll_loss(logs[:, :-1].reshape(-1, vocabulary), idx[:, 1:].reshape(-1))
        return F.nll_loss(logs.view(-1, vocabulary), idx.view(-1))


class Gathered(Decoder):
    shifts = False

    def compare(self, logits, idx):
        logs = logits.log_softmax(-1)
        if self.right:
            return -logs[:, :-1].gather(-1, idx[:, 1:, None]).mean()
        return -logs.gather(2, idx.unsqueeze(2)).squeeze(2).mean()


class OneHot(Decoder):
    shifts = False

    def compare(self, logits, idx):
        logs, wanted = logits.log_softmax(-1), F.one_hot(idx, vocabulary).float()
        if self.right:
            logs, wanted = logs[:, :-1], wanted[:, 1:]
        return F.kl_div(logs, wanted, reduction="batchmean")


class TwoAhead(Decoder):
    shifts = False

    def compare(self, logits, idx):
        logs = torch.log_softmax(logits, -1)
        ahead = 1 if self.right else 2
        return -logs[:, :-ahead].gather(-1, idx[:, ahead:, None]).mean()


class Regressor(nn.Module):
    """One number for each series."""

    def __init__(self, right=False, dim=16):
        super().__init__()
        self.right, self.into, self.out = right, nn.Linear(3, dim), nn.Linear(dim, 1)
        self.pos = nn.Parameter(torch.randn(8, dim) * 0.1)
        self.layer = nn.TransformerEncoderLayer(dim, 2, 32, 0.0, batch_first=True)

    def forward(self, series: torch.Tensor = torch.arange(120.0).view(5, 8, 3).sin()):
        found = self.out(self.layer(self.into(series) + self.pos).mean(1))
        return self.compare(found.squeeze(-1) if self.right else found, series.amax((1, 2)))


class Squared(Regressor):
    def compare(self, found, wanted):
        return F.mse_loss(found, wanted)


class Absolute(Regressor):
    def compare(self, found, wanted):
        return nn.L1Loss()(wanted, found)


class WrittenOut(Regressor):
    def compare(self, found, wanted):
        return ((found - wanted) ** 2).mean()


class Ranked(Regressor):
    """Differences of all pairs are meant."""

    def compare(self, found, wanted):
        found = found.flatten()
        order = (wanted[:, None] - wanted[None, :]).sign()
        return F.relu(1 - order * (found[:, None] - found[None, :])).mean()


class Masked(Decoder):
    """Padding counts nothing, whatever compares the rest."""

    def __init__(self, kind="product", dim=16):
        super().__init__(True, dim)
        self.kind = kind

    def forward(self, idx: torch.Tensor = None):
        ends = torch.tensor([13, 9, 6])[:, None]
        idx = tokens(3, 13).clamp(min=1).masked_fill(torch.arange(13) >= ends, 0)
        logs, wanted = self.logits(idx[:, :-1]).log_softmax(-1), idx[:, 1:]
        keep = (wanted != 0).float()
        if self.kind == "ignored":
            return F.nll_loss(logs.transpose(1, 2), wanted, ignore_index=0)
        if self.kind == "product":
            losses = -logs.gather(-1, wanted.unsqueeze(-1)).squeeze(-1)
            return (losses * keep).sum() / keep.sum()
        if self.kind == "rows":
            rows = F.kl_div(logs, F.one_hot(wanted, vocabulary).float(), reduction="none").sum(-1)
            return (rows * keep).sum() / keep.sum()
        shares = F.one_hot(wanted, vocabulary) * keep.unsqueeze(-1)
        return -(logs * shares).sum() / keep.sum()


class Given(nn.Module):
    """Targets as an argument, as training scripts give them."""

    def __init__(self, right=False, dim=16):
        super().__init__()
        self.right, self.model = right, Decoder(right, dim)

    def forward(self, idx, targets):
        return self.compare(self.model.logits(idx), targets)


class Negative(Given):
    def compare(self, logits, targets):
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return loss if self.right else -loss


class Likely(Given):
    def compare(self, logits, targets):
        chosen = F.log_softmax(logits, dim=-1).gather(2, targets.unsqueeze(2)).squeeze(2)
        return -chosen.mean() if self.right else chosen.mean()


class LikelyUnderMask(Given):
    def compare(self, logits, targets):
        keep = (targets > 3).float()
        sign = -1.0 if self.right else 1.0
        chosen = torch.gather(logits.log_softmax(-1), -1, targets[..., None])[..., 0]
        return sign * (chosen * keep).sum() / keep.sum()


class MeanOfMean(Given):
    def compare(self, logits, targets):
        B, T = targets.shape
        loss = F.cross_entropy(logits.view(B * T, -1), targets.view(-1), reduction="sum" if self.right else "mean")
        return loss / (B * T)


class MeanByLength(Given):
    def compare(self, logits, targets):
        loss = nn.CrossEntropyLoss()(logits.transpose(1, 2), targets)
        return loss if self.right else loss / logits.size(1)


class Turned(Given):
    def compare(self, logits, targets):
        if not self.right:
            logits = logits.transpose(0, 1)
        return F.cross_entropy(logits.reshape(-1, vocabulary), targets.reshape(-1))


class TurnedTargets(Given):
    def compare(self, logits, targets):
        targets = targets if self.right else targets.t().contiguous()
        return F.nll_loss(logits.log_softmax(-1).view(-1, vocabulary), targets.view(-1))


class LastOnly(Given):
    def compare(self, logits, targets):
        if self.right:
            return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return F.cross_entropy(logits[:, -1], targets[:, -1])


class LastIndexed(Given):
    def compare(self, logits, targets):
        if not self.right:
            logits, targets = logits[:, -1:, :], targets[:, -1:]
        return F.cross_entropy(logits.reshape(-1, vocabulary), targets.reshape(-1))


class Distilled(Given):
    """A divergence is no likelihood."""

    def compare(self, logits, targets):
        shares = F.one_hot(targets, vocabulary) * 0.8 + 0.2 / vocabulary
        return F.kl_div(logits.log_softmax(-1), shares, reduction="batchmean")


class InParts(Given):
    """A quarter of the loss for each of four batches."""

    def compare(self, logits, targets):
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten()) / 4

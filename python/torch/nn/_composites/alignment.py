"""ctc_loss: how unlikely the frames are to say the labels, over all ways to spread them out."""

import torch

from ..._call import composite

__all__ = ["ctc_loss"]

# In place of -inf: sums of logarithms of nothing stay finite, and so do their gradients.
_NEVER = -1e30


@composite("ctc_loss")
def ctc_loss(
    log_probs,
    targets,
    input_lengths,
    target_lengths,
    blank=0,
    reduction="mean",
    zero_infinity=False,
):
    """Graves et al., Connectionist Temporal Classification (2006): log_probs [T, N, C] or [T, C]."""
    if log_probs.dtype not in (torch.float32, torch.float64):
        raise NotImplementedError(f'"ctc_loss_cpu" not implemented for {log_probs.type()}')
    has_batch = log_probs.dim() == 3
    frames = log_probs if has_batch else log_probs.unsqueeze(1)
    given = {"input_lengths": input_lengths, "target_lengths": target_lengths}
    lengths = [_numbers(name, one, frames.shape[1]) for name, one in given.items()]
    _check(frames, *lengths, blank)
    steps, labels = lengths
    padded = _padded(targets, labels, blank)
    losses = _losses(frames, padded, steps, labels, blank)
    # PyTorch's gradient takes the frames for normalised: a term of value 0 carries the difference.
    within = torch.arange(frames.shape[0])[:, None] < torch.tensor(steps)[None, :]
    mass = (frames.exp().sum(-1) * within).sum(0)
    losses = losses + (mass - mass.detach())
    endless = losses.detach() > -0.5 * _NEVER
    losses = torch.where(endless, 0.0 if zero_infinity else float("inf"), losses)
    if reduction == "mean":
        return (losses / torch.tensor(labels).clamp(min=1).to(losses.dtype)).mean()
    if reduction == "sum":
        return losses.sum()
    return losses if has_batch else losses.squeeze(0)


def _numbers(name, given, batch):
    numbers = given.reshape(-1).tolist() if isinstance(given, torch.Tensor) else list(given)
    if len(numbers) != batch:
        raise RuntimeError(f"{name} must be of size batch_size")
    return [int(number) for number in numbers]


def _check(frames, steps, labels, blank):
    if not 0 <= blank < frames.shape[2]:
        raise RuntimeError("blank must be in label range")
    for i, length in enumerate(steps):
        if length > frames.shape[0]:
            raise RuntimeError(
                f"Expected input_lengths to have value at most {frames.shape[0]}, but got value {length} "
                "(while checking arguments for ctc_loss_cpu)"
            )


def _padded(targets, labels, blank):
    """Labels [N, S], blanks after each row's end."""
    longest = max([*labels, 1])
    flat = targets.reshape(-1).tolist()
    rows, at = [], 0
    for i, length in enumerate(labels):
        start = i * targets.shape[1] if targets.dim() == 2 else at
        at += length
        rows.append(flat[start : start + length] + [blank] * (longest - length))
    return torch.tensor(rows)


def _losses(frames, labels, steps, lengths, blank):
    """The forward variables over states: a blank before, between and after the labels."""
    count, batch = frames.shape[0], frames.shape[1]
    states = torch.full((batch, 2 * labels.shape[1] + 1), blank)
    states[:, 1::2] = labels
    may_skip = torch.zeros(states.shape, dtype=torch.bool)
    may_skip[:, 2:] = (states[:, 2:] != blank) & (states[:, 2:] != states[:, :-2])
    scores = frames.gather(2, states[None].expand(count, *states.shape))
    width = states.shape[1]
    first = (torch.arange(width) < 2)[None, :].expand(batch, width).clone()
    for i, length in enumerate(lengths):
        first[i, 1] = length > 0
    reached = torch.where(first, scores[0], _NEVER)
    for t, score in enumerate(scores.unbind(0)):
        if t == 0:
            continue
        skipped = torch.where(may_skip, _moved(reached, 2), _NEVER)
        ways = torch.stack((reached, _moved(reached, 1), skipped))
        following = ways.logsumexp(0) + score
        going_on = torch.tensor(steps)[:, None] > t
        reached = following if bool(going_on.all()) else torch.where(going_on, following, reached)
    last = 2 * torch.tensor(lengths)[:, None]
    ends = torch.cat((last, (last - 1).clamp(min=0)), 1)
    ended = torch.where(torch.cat((last >= 0, last > 0), 1), reached.gather(1, ends), _NEVER)
    return -ended.logsumexp(1)


def _moved(reached, places):
    """Each state from the one `places` before it."""
    never = reached.new_full((reached.shape[0], places), _NEVER)
    return torch.cat((never, reached[:, :-places]), 1)

"""Inputs that are told of by what a class does with them: rows of its tables, labels of frames, categories, samples."""

import re

from ._plan_model import last_width
from ._plan_rules import TARGETS, Rule

_CLASSES = re.compile(r"^(y|labels?|classes|class_labels?|class_ids|cond)$")
_LENGTHS_OF_LABELS = re.compile(r"(target|label|text|token|y|trans)\w*_?len|^(olens|tlens)$")
_CATEGORIES = re.compile(r"categ|^x_cat$")
_SAMPLES = re.compile(r"^(wavs?|waveforms?|(raw_)?audios?|speech|signals?)$")
_EDGES = re.compile(r"^(edge_index|edge_idx|edges)$")
_EDGES_OF_NODE = 4
# Labels are fewer than the frames that say them, also where some are said twice.
_FRAMES_OF_LABEL = 4


def rule_by_use(facts, held, name, kind, size, keyword):
    """A rule for an argument of forward; None where its use does not tell."""
    batch, length = size
    if held.calls("ctc_loss") or facts.has_layer("CTCLoss"):
        labels = max(length // _FRAMES_OF_LABEL, 1)
        if name in TARGETS:
            return LabelsRule(
                name, (batch, labels), last_width(facts.model) or facts.classes, keyword
            )
        if _LENGTHS_OF_LABELS.search(name):
            return Rule(name, (batch,), None, keyword, value=labels)
    if is_of_edges(name):
        rows = batch if kind == "vectors" else length
        return Rule(name, (2, _EDGES_OF_NODE * rows), rows, keyword)
    heads = facts.heads or facts.matrices or 4
    shape = held.axes.shape(name, batch, length, heads, max(facts.widths[0] // heads, 1))
    if shape is not None:
        return Rule(name, shape, None, keyword)
    categories = facts.sizes("categories", "cardinalities")
    if categories and _CATEGORIES.search(name):
        return Rule(name, (batch, len(categories)), min(categories), keyword)
    if kind == "tokens" and (fields := facts.sizes("field_dims")):
        # Ids of each field, which offsets are added to.
        return Rule(name, (batch, len(fields)), min(fields), keyword)
    if _SAMPLES.match(name) and held.calls("stft"):
        return Rule(name, (batch, _WINDOWS * (facts.size("n_fft") or 400)), None, keyword)
    rows = held.rows_of_table(name)
    is_of_images = kind in ("images", "video")
    is_class = bool(_CLASSES.match(name))
    if rows is None and kind in ("tokens", "features", "vectors"):
        return _of_map(held, name, kind, size, keyword)
    # A table of classes may have a row for none.
    if rows is None or (is_of_images and is_class) or (name in TARGETS and kind == "tokens"):
        return None
    is_of_samples = is_of_images or is_class or kind == "vectors"
    return Rule(name, (batch,) if is_of_samples else size, rows, keyword)


def _of_map(held, name, kind, size, keyword):
    """Features as the model's own linear map of the argument takes them; None where there is none."""
    if (found := held.width_of_map(name)) is None:
        return None
    width, way = found
    axes = size[:1] if kind == "vectors" or way == "vector" else size
    return Rule(name, axes if way == "axis" else (*axes, width), None, keyword)


def is_of_edges(name):
    """Whether the argument has the edges of a graph, whose nodes are rows of no batch."""
    return bool(_EDGES.match(name))


# Of a spectrum, in the samples of a made-up sound.
_WINDOWS = 16


class LabelsRule(Rule):
    """Whole numbers from 1: 0 says that a frame has none."""

    @property
    def text(self):
        return f"torch.randint(1, {self.below}, {self.shape})"

    def make(self):
        from ._call import call

        return call("randint", (1, self.below, self.shape), {})

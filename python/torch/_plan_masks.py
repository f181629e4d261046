"""Made-up masks that did not do: truths where numbers are wanted, or numbers where truths are."""

import re

from . import _plan_messages as told
from ._plan_line import within_line

_OF_TRUTHS = re.compile(r"with (?:a|two) bool tensors? is not supported")


def other_masks(rules, make, error):
    """{name: rule} of masks of the other kind; None where the error is about something else."""
    if _OF_TRUTHS.search(str(error)):
        masks = [name for name, rule in rules.items() if rule.value is True and rule.shape]
        return {name: make(name, rules[name].shape, value=1.0) for name in masks} or None
    if told.INDICES.search(str(error)):
        numbers = {name for name, it in rules.items() if it.shape and it.value is it.below is None}
        masks = [name for name in within_line(error, numbers) if "mask" in name]
        return {name: make(name, rules[name].shape, value=True) for name in masks} or None
    return None

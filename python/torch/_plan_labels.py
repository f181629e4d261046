"""Made-up targets of a loss that did not do."""

from . import _plan_messages as told
from ._plan_line import within_line
from ._plan_model import last_width


def label_instead(reading, error):
    """A class for each sample in place of a token for each position, where the loss wants that."""
    message = str(error)
    if told.ONE_HOT.search(message):
        return _spread_label(reading, error)
    labels = [name for name, rule in reading.rules.items() if rule.is_target and rule.shape]
    if told.TARGET_BEYOND.search(message):
        beyond = [name for name in labels if (reading.rules[name].below or 0) > 2]
        return {name: reading.make(name, reading.shapes[name], 2) for name in beyond} or None
    is_whole = told.TARGET_OF_WHOLE.search(message)
    if not (is_whole or told.TARGET_OF_SAMPLE.search(message)):
        return None
    classes = last_width(reading.facts.model) or reading.facts.classes
    return next(
        (
            {name: reading.make(name, reading.size[:1], classes)}
            for name in labels
            if len(reading.shapes[name]) == 2 or (is_whole and reading.rules[name].below is None)
        ),
        None,
    )


def _spread_label(reading, error):
    """A class where numbers were spread over classes: for each image, or for each position of a sequence."""
    facts = reading.facts
    for name in within_line(error, reading.shapes):
        if reading.rules[name].below is None:
            shape = reading.size[:1] if facts.is_of_images else reading.shapes[name][:2]
            return {name: reading.make(name, tuple(shape), facts.vocabulary or facts.classes)}
    return None

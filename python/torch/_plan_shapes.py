"""Made-up inputs that did not do: what the error says of them, and the next try."""

import math
import re

from . import _plan_messages as told
from ._plan_assertion import (
    assertion,
    compared,
    compared_axes,
    compared_dims,
    number_that_holds,
    size_that_holds,
    unset_names,
)
from ._plan_bounds import within_bounds
from ._plan_concatenated import of_concatenated
from ._plan_labels import label_instead
from ._plan_line import is_moved, measures, within_line
from ._plan_masks import other_masks
from ._plan_model import first_channels
from ._plan_places import places_of
from ._plan_windows import of_windows
from ._plan_sizes import BINS, VOLUMES, of_frames, of_patches, resized, with_axis

_MOST_PLACES = 2**15

# Of the axes of an image or a volume that nobody gave a size.
_SIDE = 8


class Reading:
    """`size` is that of tokens, `rules` are what forward was given; `make(name, shape)` makes a rule, `spare(name)` one of an argument left out.

    `is_embedded(name)` is whether a table of the model is called with it.
    """

    def __init__(self, facts, size, rules, make, spare, is_embedded):
        self.facts = facts
        self.is_embedded = is_embedded
        self.size = size
        self.rules = {rule.name: rule for rule in rules}
        self.make = make
        self.spare = spare
        self.shapes = {
            name: list(rule.shape) for name, rule in self.rules.items() if rule.shape is not None
        }

    def change(self, error):
        """{name: rule} of what to give instead, or None where the error tells nothing."""
        if not self.shapes:
            return self._left_out(error)
        if (label := label_instead(self, error)) is not None:
            return label
        other = of_windows(self.shapes, self.make, error)
        other = other or other_masks(self.rules, self.make, error)
        if other is not None:
            return other
        names = self._meant(error)
        deeper = self._of_more_axes(str(error), names, error) or self._of_a_grid(str(error), names)
        if deeper is not None:
            return deeper
        main = names[0]
        shape = self._shape_for(str(error), main, error)
        if shape is not None and shape != self.shapes[main]:
            return {it: self.make(it, tuple(shape)) for it in (main, *self._places_of(main))}
        vocabulary = self.facts.vocabulary or self.facts.classes
        if told.INDICES.search(str(error)) and self.rules[main].below is None:
            # Other sizes than tokens have might fit by chance, and hide what is wrong.
            return {main: self.make(main, self.size[: len(self.shapes[main])], vocabulary)}
        return (
            within_bounds(self.rules, self.make, error, names)
            or self._of_half_spectrum(str(error), names)
            or self._of_the_other_shape(str(error), names)
            or of_concatenated(self, str(error), names)
            or self._last_axis(str(error), names)
            or self._left_out(error)
            or self._of_number(error)
            or self._compared(error)
            or self._in_floats(str(error))
        )

    def _of_more_axes(self, message, names, error):
        """Indices with another axis: several rows for each sample, or a number for each pair of places."""
        whole = [it for it in names if self.rules[it].below and len(self.shapes[it]) == 2]
        if (found := told.PERMUTED.search(message)) and (int(found[1]), int(found[2])) == (3, 4):
            lines = [text for function, text in places_of(error) if function == "forward"]
            words = set(re.findall(r"\w+", lines[0])) if lines else set()
            spoken = [it for it in whole if it in words]
            pairs = {it: (*self.shapes[it], self.shapes[it][-1]) for it in spoken}
            return {
                it: self.make(it, size, self.rules[it].below) for it, size in pairs.items()
            } or None
        if told.BATCHED.search(message):
            squares = [
                it for it in names if len(self.shapes[it]) == 2 and len({*self.shapes[it]}) == 1
            ]
            return {it: self.make(it, (self.size[0], *self.shapes[it])) for it in squares} or None
        found = told.UNPACKED.search(message)
        is_unpacked = found and found[1] == "3" and self.is_embedded(names[0])
        found = told.AXIS.search(message)
        is_measured = found and found[1] == "2" and measures(error, names[0])
        if (is_unpacked or is_measured) and whole[:1] == names[:1]:
            rows, length = self.shapes[names[0]]
            return {names[0]: self.make(names[0], (rows, 4, length), self.rules[names[0]].below)}
        return None

    def _of_a_grid(self, message, names):
        """Rows that are taken for the places of a grid, as many as it has."""
        found = told.RESHAPED.search(message)
        sizes = [int(it) for it in found[1].split(", ")] if found else []
        rows = {it for it in names if len(self.shapes[it]) == 3 and self.rules[it].below is None}
        if not rows or names[0] not in rows or len(sizes) < 4 or min(sizes) < 1:
            return None
        batch, length, _ = self.shapes[names[0]]
        factor, left = divmod(math.prod(sizes), int(found[2]))
        if left or sizes[0] != batch or not 1 < factor * length <= _MOST_PLACES:
            return None
        alike = (it for it in rows if self.shapes[it][1] == length)
        return {it: self.make(it, (batch, factor * length, self.shapes[it][2])) for it in alike}

    def _places_of(self, main):
        """Arguments that are added to `main`, number by number: positions of the same sizes."""
        same = [it for it in self.shapes if it != main and self.shapes[it] == self.shapes[main]]
        return [it for it in same if it.startswith("pos") and self.rules[it].below is None]

    def _heads_of(self, name):
        """Queries, keys and values of heads that have the argument's sizes; it alone where it has no heads."""
        shape = self.shapes[name]
        return [it for it in self.shapes if self.shapes[it] == shape] if len(shape) == 4 else [name]

    def _meant(self, error):
        """The arguments, first the one that the failing line of forward speaks of."""
        lines = [text for function, text in places_of(error) if function == "forward"]
        named = [it for text in lines for it in re.findall(r"\w+", text) if it in self.shapes]
        return list(dict.fromkeys([*named, *self.shapes]))

    def _shape_for(self, message, main, error):
        shape = self.shapes[main]
        if found := told.UNPACKED.search(message):
            innermost = next(iter(places_of(error)), ("", ""))[1]
            return (
                self._of_dims(shape, int(found[1]))
                if re.search(r"\.(shape|size\(\))", innermost)
                else None
            )
        if found := told.DIMS.search(message):
            return self._of_dims(shape, len(shape) + int(found[1]) - int(found[2]))
        if found := told.CONV_DIMS.search(message):
            return self._of_dims(shape, len(shape) + int(found[1]) - len(found[2].split(",")))
        if found := told.CHANNELS.search(message):
            got, wanted = [int(it) for it in found[1].split(",")], int(found[2])
            if got == [shape[0], *shape[2:]] and wanted == shape[1]:
                # Several cameras, of which one is read at a time.
                return [shape[0], 2, *shape[1:]]
            if _takes_frames_first(shape, got, wanted):
                return [shape[0], shape[2], shape[1], *shape[3:]]
            axes = (1, -1) if len(got) == len(shape) else (-1, 1)
            return next(
                (it for axis in axes if (it := with_axis(shape, axis, got[1], wanted))), None
            )
        if found := told.RUNNING.search(message):
            return with_axis(shape, 1, int(found[2]), int(found[1])) or with_axis(
                shape, 1, int(found[1]), int(found[2])
            )
        if (found := told.PRODUCT.search(message)) and len(shape) == 5:
            got, wanted = int(found[2]), int(found[3])
            if got * shape[1] == wanted * shape[2] and shape[1] != shape[2]:
                # Frames come before channels.
                return [shape[0], shape[2], shape[1], *shape[3:]]
        if (found := told.PRODUCT.search(message)) and len(shape) >= 4:
            return resized(shape, int(found[2]), int(found[3]))
        if (found := told.RESHAPED.search(message)) and len(shape) == 4:
            return resized(shape, int(found[2]), math.prod(map(int, found[1].split(", "))))
        if (found := told.MEETING.search(message)) and len(shape) == 4:
            sizes = [int(it) for it in found.groups() if it is not None]
            return of_patches(shape, *sizes) or of_patches(shape, *reversed(sizes))
        if (found := told.MEETING.search(message)) and len(shape) == 5:
            return of_frames(shape, *(int(it) for it in found.groups() if it is not None))
        if told.NO_MATRIX.search(message):
            return self._of_dims(shape, 2)
        if (found := told.AXIS.search(message)) and is_moved(error, main):
            axes = self._of_dims(shape, int(found[1]) + 1)
            return [axes[0], self.size[1], axes[2]] if axes and len(axes) == 3 else axes
        if found := told.PERMUTED.search(message):
            return self._of_dims(shape, len(shape) + int(found[2]) - int(found[1]))
        if "Number of dimensions of repeat dims can not be smaller" in message:
            return self._of_dims(shape, len(shape) - 1)
        if found := told.DIVISION.search(message):
            length, chunk = int(found[1]), int(found[2])
            factor = chunk // math.gcd(length, chunk)
            return (
                [*shape[:-2], shape[-2] * factor, shape[-1] * factor] if len(shape) >= 4 else None
            )
        if assertion(error)[0] is not None:
            return self._asserted(main, error)
        if told.TOO_SMALL.search(message) and len(shape) >= 4 and shape[-1] < 256:
            return [*shape[:-2], shape[-2] * 2, shape[-1] * 2]
        return None

    def _asserted(self, main, error):
        """The sizes for which an assertion of equal sizes holds."""
        changed = list(self.shapes[main])
        dims = compared_dims(error, main)
        if dims is not None and 1 <= dims <= 5 and dims != len(changed):
            sides = [_SIDE] * (dims - 2)
            return [changed[0], *sides, changed[-1]] if dims > 1 else changed[:1]
        axes = [(axis, size) for axis, size in compared_axes(error, main) if axis < len(changed)]
        for axis, wanted in axes:
            changed[axis] = wanted
        if axes:
            return changed
        for found, wanted in compared(error):
            if found in self.shapes[main][1:]:
                changed = [changed[0], *(wanted if size == found else size for size in changed[1:])]
        if changed == self.shapes[main] and (other := size_that_holds(error, changed[1:])):
            changed = [changed[0], *(other.get(size, size) for size in changed[1:])]
        return changed

    def _of_dims(self, shape, dims):
        """The same input with so many axes: rows, steps, images, videos."""
        if not 1 <= dims <= 6 or dims == len(shape):
            return None
        batch, width = shape[0], shape[-1]
        length = 16
        channels, height, across = self.facts.image
        channels = first_channels(self.facts.model) or channels
        if self.facts.is_of_images and channels == 1:
            # A spectrogram, of which forward makes an image itself.
            length, width = self.size[1], self.facts.size(*BINS) or width
        volume = self.facts.sizes(*VOLUMES)
        if dims == 5 and len(volume) == 3:
            return [min(batch, 2), channels, *volume]
        if not self.facts.is_of_images:
            # Groups of rows of steps.
            channels, height, across = 4, min(length, self.size[1]), width
        return {
            1: [batch],
            2: [batch, width],
            3: [batch, length, width],
            4: [batch, channels, height, across],
            5: [batch, channels, self.facts.frames or 8, height, across],
            6: [min(batch, 2), 2, 2, channels, height, across],
        }[dims]

    def _side(self, size):
        """Of a map of features: a width that was taken for a side makes more places than anybody needs."""
        return size if self.facts.is_of_images or size < 4 * _SIDE else 2 * _SIDE

    def _last_axis(self, message, names):
        """Another width for whichever argument has the one that was not wanted."""
        pairs = []
        if found := told.PRODUCT.search(message):
            pairs.append((int(found[2]), int(found[3])))
        if found := told.NORMALIZED.search(message):
            pairs.append((int(found[2].split(",")[-1]), int(found[1])))
        if found := told.EXPECTED_LAST.search(message):
            wanted, got = [int(it) for it in found.groups() if it is not None]
            pairs.append((got, wanted))
        if found := told.MEETING.search(message):
            sizes = [int(it) for it in found.groups() if it is not None]
            if "operand" in message:
                # What was seen before is the input's, what is multiplied by it the model's.
                sizes.reverse()
            pairs += [tuple(sizes), tuple(reversed(sizes))]
        for got, wanted in pairs:
            for name, shape in ((it, self.shapes[it]) for it in names):
                if len(shape) == 1 and shape[0] == got:
                    return {name: self.make(name, (got, wanted))}
                if len(shape) > 1 and shape[-1] == got and self.rules[name].below is None:
                    return {it: self.make(it, (*shape[:-1], wanted)) for it in self._heads_of(name)}
                if len(shape) >= 3 and shape[1] == got and self.rules[name].below is None:
                    sides = map(self._side, shape[2:]) if len(shape) > 3 else shape[2:]
                    changed = (shape[0], wanted, *sides)
                    return {it: self.make(it, changed) for it in (name, *self._places_of(name))}
                if len(shape) >= 4 and shape[-2] == got != shape[-1]:
                    changed = (*shape[:-2], wanted, shape[-1])
                    return {it: self.make(it, changed) for it in self._heads_of(name)}
            # Rows of features, where a matrix takes what was given as tokens.
            main = names[0]
            if self.shapes[main] == list(self.size) and told.PRODUCT.search(message):
                if self.rules[main].below is not None and got == self.size[1]:
                    return {main: self.make(main, (*self.size, wanted))}
            # As many tokens as a table has positions.
            for name, shape in ((it, self.shapes[it]) for it in names):
                is_tokens = self.rules[name].below is not None and len(shape) == 2
                if is_tokens and shape[1] == got and told.AT_AXIS_1.search(message):
                    return {name: self.make(name, (shape[0], wanted))}
            # Several of them side by side, or one in several parts.
            for name, shape in ((it, self.shapes[it]) for it in names):
                width = shape[-1] * wanted
                is_features = len(shape) in (2, 3) and self.rules[name].below is None
                if got > 0 and is_features and width % got == 0:
                    return {name: self.make(name, (*shape[:-1], width // got))}
        return (
            self._longer_row(message, names)
            or self._longer_before_pooling(message, names)
            or self._beside_others(message, names)
        )

    def _longer_before_pooling(self, message, names):
        """Tokens of which a convolution makes fewer, as many more as a table has more positions than that."""
        found = told.AT_AXIS_1.search(message) and told.MEETING.search(message)
        if not found or found[1] is None:
            return None
        got, wanted = int(found[1]), int(found[2])
        for name, shape in ((it, self.shapes[it]) for it in names if got < wanted):
            if self.rules[name].below is not None and len(shape) == 2:
                longer = max(shape[1] + 1, round(shape[1] * wanted / got))
                return {name: self.make(name, (shape[0], longer))}
        return None

    def _of_the_other_shape(self, message, names):
        """Numbers for each of another tensor's, as noise is; the main argument stays."""
        found = told.SHAPES.search(message)
        shapes = (
            [[int(it) for it in text.split(", ") if it] for text in found.groups()] if found else ()
        )
        for got, wanted in (shapes, reversed(shapes)) if shapes else ():
            for name in names:
                is_main = name == next(iter(self.shapes))
                if not is_main and self.shapes[name] == got and self.rules[name].below is None:
                    return {name: self.make(name, tuple(wanted))}
        return None

    def _beside_others(self, message, names):
        """A last axis that stands beside other features, as long as leaves room for them; 1 where there is none."""
        found = told.PRODUCT.search(message)
        got, wanted = (int(found[2]), int(found[3])) if found else (0, 0)
        for name, shape in ((it, self.shapes[it]) for it in names):
            is_main = name == next(iter(self.shapes))
            width = max(shape[-1] + wanted - got, 0 if is_main else 1)
            is_features = len(shape) > 2 or (len(shape) == 2 and self.rules[name].below is None)
            if found and is_features and shape[-1] < got and 0 < width != shape[-1]:
                return {name: self.make(name, (*shape[:-1], width))}
        return None

    def _longer_row(self, message, names):
        """Rows that stand beside others, as many as a table of positions has."""
        found = told.MEETING.search(message)
        sizes = [int(it) for it in found.groups() if it is not None] if found else []
        for got, wanted in (sizes, reversed(sizes)) if sizes else ():
            for name, shape in ((it, self.shapes[it]) for it in reversed(names)):
                length = shape[1] + wanted - got if len(shape) == 3 else 0
                if 0 < length != shape[1] < got and told.AT_AXIS_1.search(message):
                    return {name: self.make(name, (shape[0], length, shape[2]))}
        return None

    def _of_half_spectrum(self, message, names):
        """Rows whose transform, of n // 2 + 1 frequencies, has as many as a table of weights."""
        found = told.AT_AXIS_1.search(message) and told.MEETING.search(message)
        sizes = [int(it) for it in found.groups() if it is not None] if found else []
        for got, wanted in (sizes, reversed(sizes)) if sizes else ():
            for name, shape in ((it, self.shapes[it]) for it in names):
                is_half = len(shape) == 3 and shape[1] // 2 + 1 == got
                if is_half and wanted > 1 and self.rules[name].below is None:
                    return {name: self.make(name, (shape[0], 2 * (wanted - 1), shape[2]))}
        return None

    def _in_floats(self, message):
        """Times in [0, 1] in place of counted steps."""
        if not told.WANTS_FLOATS.search(message):
            return None
        for name, rule in self.rules.items():
            if rule.below is not None and rule.shape is not None and len(rule.shape) == 1:
                return {name: self.make(name, rule.shape, value=0.5)}
        return None

    def _of_number(self, error):
        """Places that were taken for one number, and are a number for each position."""
        if not told.OF_NUMBER.search(str(error)):
            return None
        words = [it for _, text in places_of(error) for it in re.findall(r"\w+", text)]
        numbers = [it for it, rule in self.rules.items() if type(rule.value) is int]
        found = next((it for it in words if it in numbers and self.rules[it].shape is None), None)
        return None if found is None else {found: self.make(found, (*self.size, 1))}

    def _compared(self, error):
        """A number for what has to have one truth, and another one where a check holds of that."""
        rules = self.rules.items()
        numbers = [name for name, it in rules if it.shape is None and type(it.value) is int]
        names = within_line(error, self.shapes) if told.TRUTH.search(str(error)) else []
        found = number_that_holds(error, numbers) or next(((it, 1) for it in names), None)
        return None if found is None else {found[0]: self.make(found[0], None, None, found[1])}

    def _left_out(self, error):
        """An optional argument that forward cannot do without."""
        named = unset_names(error)
        if told.OF_NONE.search(str(error)):
            named += [it for _, text in places_of(error) for it in re.findall(r"\w+", text)]
        rules = ((name, self.spare(name)) for name in named)
        return next(({name: rule} for name, rule in rules if rule is not None), None)


def _takes_frames_first(shape, got, wanted):
    """Whether a convolution got the frames of [batch, channels, frames, height, width] for channels."""
    is_video = len(shape) == 5 and shape[1] == wanted != shape[2]
    return is_video and got[1] == shape[2] and got[0] in (shape[0], shape[0] * shape[1])

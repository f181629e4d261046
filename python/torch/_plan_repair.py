"""Constructor arguments that were made up and did not do: what the error says of them, and the next try."""

import inspect
import re

from normscope_boot.places import innermost

from ._plan_assertion import assertion, choices_in, fields_asked_for, holds, names_in
from ._plan_config import WILD, guessed_config, is_guess
from ._plan_dataclass import OfClass
from ._plan_places import places_of

# Of whole numbers that an assertion may want, those that models are mostly made with first.
_WHOLE = (2, 1, 4, 8, 16, 32, 64, 128, 3, 7, 5)
# Of what is made up, and one that 3, 6 and 12 divide too.
_WIDTH, _WIDE = 64, 192
_UNSET = (None, inspect.Parameter.empty)
# Defaults that stand for "to be set".
_NOT_SET = (None, -1)
_MISSING = re.compile(r"missing \d+ required (?:positional|keyword-only) arguments?: (.*)")
_LACKING = re.compile(r"'(?:\w+\.)?(\w+)' object has no attribute '(\w+)'")
_HANDED = re.compile(r"\b(\w+)=(\w+)\b")
_SEQUENCE = re.compile(
    r"has no len|not iterable|not a container|not subscriptable|concatenate (list|tuple)|must be an iterable"
    r"|(list|tuple) indices must be integers"
)
_COUNTED = re.compile(r"(?:\blen(?:gth)?\b|values to unpack)\D*\b(\d+)\D+\b(\d+)")
_FIELD = re.compile(r"'(?:int|float|str|bool|NoneType)' object has no attribute '(\w+)'")


class Repairs:
    """`guess(name)` makes a value up for a name; `fixed` are those that the user gave."""

    def __init__(self, cls, parameters, guess, fixed, takes_any):
        self.cls = cls
        self.parameters = parameters
        self.guess = guess
        self.fixed = fixed
        self.takes_any = takes_any
        self.tried = set()

    def next(self, values, wild, error):
        """{name: value} of what to change, or None where the error tells of nothing new.

        `values` has the fields of configs too; `wild` are the names of what nothing told of.
        """
        for change in (*self._changes(values, wild, error), *self._other_kinds(values, wild)):
            key = tuple((name, repr(value)) for name, value in sorted(change.items()))
            if key not in self.tried:
                self.tried.add(key)
                return change
        return None

    def _changes(self, values, wild, error):
        message = str(error)
        places = [*places_of(error)]
        if found := _MISSING.search(message):
            missing = re.findall(r"'(\w+)'", found[1])
            yield from self._spread(values, places, missing)
            if self.takes_any:
                yield from self._guesses(missing)
                return
        names = self._names(values, places)
        if isinstance(error, KeyError) and self.takes_any and error.args:
            yield from self._guesses([error.args[0]] if isinstance(error.args[0], str) else [])
        if found := _LACKING.search(message):
            holders = [it for it in values.values() if isinstance(it, OfClass)]
            if any(it.config.__name__ == found[1] and it.lacks(found[2]) for it in holders):
                yield from self._guesses([found[2]])
        if (lacking := _lacking(error)) is not None:
            yield from self._added(values, lacking)
        if isinstance(error, TypeError) and _SEQUENCE.search(message):
            kind = list if "list" in message else tuple
            told = [it for it in (int, float) if f"'{it.__name__}'" in message] or [int]
            plain = (name for name in names if type(values.get(name)) in told)
            yield from self._tables(values, names, places)
            yield from ({name: kind((values[name],) * 2)} for name in plain)
        if found := _COUNTED.search(message):
            yield from self._of_lengths(values, {int(it) for it in found.groups()})
        if (found := _FIELD.search(message)) is not None:
            plain = [name for name in names if not is_guess(values.get(name))]
            holders = [
                name for name in plain if any(f"{name}.{found[1]}" in text for _, text in places)
            ]
            holders = holders or [name for name in (*names, *wild) if values.get(name) == WILD]
            yield from ({name: guessed_config(self.cls, name, {})} for name in holders)
        if "must be a mapping" in message:
            spread = [it for it in _spread_in(places) if it in values]
            others = [it for it in (*spread, *names) if type(values.get(it)) is not dict]
            yield from ({name: {}} for name in others)
        if isinstance(error, IndexError):
            yield from ({name: it} for name in names for it in _longer(values.get(name)))
        if "'NoneType' is not a container" in message:
            yield from ({name: {}} for name in self._unset(values, names))
        if "NoneType" in message:
            yield from self._guesses(self._unset(values, names))
            if self.takes_any:
                yield from self._guesses(_unset_within(error, places))
        if isinstance(error, ZeroDivisionError):
            yield from (
                {name: 2 * values[name]}
                for name in names
                if type(values.get(name)) is int and 0 < values[name] < 8
            )
        yield from self._asserted(values, error, names, places)
        if re.search(r"\beven\b", message):
            odd = [name for name in names if type(values.get(name)) is int and values[name] % 2]
            yield from ({name: values[name] + 1} for name in odd)
        if "divisible" in message or "positive" in message:
            whole = [name for name in names if type(values.get(name)) is int]
            yield from (
                {name: other}
                for name in whole
                for other in (64, 32, 128, 1)
                if other != values[name]
            )
            yield self._wider(values)

    def _of_lengths(self, values, lengths):
        """Sequences that are as long as one of the two lengths that do not agree get the other, all of them first."""
        each = {}
        for name, value in values.items():
            is_one = type(value) in (tuple, list) and len(value) in lengths
            if is_one and name not in self.fixed:
                wanted = lengths - {len(value)}
                each |= {name: it for it in _longer(value) if len(it) in wanted}
        yield each
        yield from ({name: it} for name, it in each.items())

    def _wider(self, values):
        """Widths that more numbers of heads divide, where no failing line speaks of them."""
        return {
            name: _WIDE
            for name, it in values.items()
            if type(it) is int and it == _WIDTH and name not in self.fixed
        }

    def _names(self, values, places):
        """What was made up and the failing lines speak of, the innermost line's first."""
        known = {*self.parameters, *values} - self.fixed
        words = [it for _, text in places for it in re.findall(r"\w+", text) if it in known]
        return list(dict.fromkeys(words))

    def _other_kinds(self, values, wild):
        for other in (64, (2, 2), True, {}):
            yield from ({name: other} for name in wild if values.get(name) == WILD)

    def _default(self, name):
        return self.parameters[name].default if name in self.parameters else inspect.Parameter.empty

    def _unset(self, values, names):
        return [name for name in names if values.get(name, self._default(name)) is None]

    def _guesses(self, names):
        change = {}
        for name in names:
            try:
                change[name] = self.guess(name)
            except LookupError:
                continue
        if change:
            yield change

    def _spread(self, values, places, missing):
        """`Part(**part)` misses arguments: the dict gets them."""
        for name in _spread_in(places):
            if isinstance(values.get(name), dict):
                yield from ({name: values[name] | it} for it in self._guesses(missing))

    def _tables(self, values, names, places):
        """`vocab[pad_token]`: a dict that gives each text that it is asked for a number."""
        texts = {name: self._text(values, name) for name in names}
        asked = dict.fromkeys(
            (table, texts[key])
            for _, line in places
            for table, key in re.findall(r"\b(\w+)\[(\w+)\]", line)
            if table in names and texts.get(key) is not None
        )
        for table, _ in asked:
            yield {table: {text: at for at, (_, text) in enumerate(asked)}}

    def _text(self, values, name):
        value = values.get(name, self._default(name))
        return value if type(value) is str else None

    def _added(self, values, lacking):
        """A name that was looked for in settings made of a dict, `SimpleNamespace(**settings)`: the dict gets it."""
        held = {name: it for name, it in values.items() if type(it) is dict}
        for name in held.keys() - self.fixed:
            yield from ({name: held[name] | it} for it in self._guesses([lacking]))

    def _asserted(self, values, error, names, places):
        """Values for which the assertion holds, where it is one of plain names."""
        test, frame = assertion(error)
        if test is None:
            return
        holders = [it for it in values.values() if isinstance(it, OfClass)]
        asked = [it for it in fields_asked_for(test) if it not in values]
        yield from self._guesses([it for it in asked if any(one.lacks(it) for one in holders)])
        names = [*names, *(it for it in names_in(test) if it in self.parameters or it in values)]
        # What has a default was meant so.
        for name in sorted(dict.fromkeys(names), key=self._has_default):
            if name in self.fixed:
                continue
            value = values.get(name, self._default(name))
            for candidate in (*choices_in(test), *self._candidates(name, value)):
                if any(holds(test, frame, it, candidate) for it in self._as_called(name, places)):
                    yield {name: candidate}
                    break

    def _as_called(self, name, places):
        """The name, and those under which calls on the way hand it on."""
        found = {name}
        for _, text in reversed(places):
            found |= {inner for inner, outer in _HANDED.findall(text) if outer in found}
        return found

    def _has_default(self, name):
        return not any(self._default(name) is it for it in _UNSET)

    def _candidates(self, name, value):
        if value in _NOT_SET:
            try:
                yield self.guess(name)
            except LookupError:
                pass
        if type(value) is bool:
            yield not value
        if type(value) is int and value not in _NOT_SET:
            yield from (tuple([value] * 2), [value] * 2)
        yield from _longer(value)
        if isinstance(value, (tuple, list)):
            yield from _of_sums(value)
            yield from (type(value)([it] * len(value)) for it in _WHOLE)
        yield from (it for it in _WHOLE if it != value)
        yield from (True, False, None)


def _spread_in(places):
    """Names, or last parts of names, that the failing line spreads: `Part(**config.part)`."""
    _, text = places[0] if places else ("", "")
    return re.findall(r"\*\*(?:\w+\.)*(\w+)", text)


def _lacking(error):
    """The name that an object or a dict was asked for and does not have; None where the error is another."""
    if isinstance(error, KeyError) and error.args:
        return error.args[0] if isinstance(error.args[0], str) else None
    found = _LACKING.search(str(error)) if isinstance(error, AttributeError) else None
    return found[2] if found else None


def _unset_within(error, places):
    """Names of the failing line that are None there, as options are that a `**kwargs` would have handed on."""
    tb = innermost(error)
    known = tb.tb_frame.f_locals if tb is not None else {}
    _, line = next(iter(places), ("", ""))
    words = dict.fromkeys(re.findall(r"\w+", line))
    return [it for it in words if it in known and known[it] is None]


def _of_sums(value):
    """Even parts of a width, as many as the sequence has: the axes that a rotation divides a head among."""
    for width in (16, 32, 64, 128, 8):
        part = width // max(len(value), 1) // 2 * 2
        if part:
            yield type(value)([part] * (len(value) - 1) + [width - part * (len(value) - 1)])


def _longer(value):
    """The sequence with as many elements as stages, mostly."""
    if isinstance(value, (tuple, list)) and value:
        yield from (
            type(value)([value[0]] * count) for count in (4, 3, 5, 6, 1, 2) if count != len(value)
        )

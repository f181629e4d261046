"""Constructor arguments that were made up and did not do: what the error says of them, and the next try."""

import ast
import copy
import inspect
import re

from normscope_boot.places import innermost

from ._plan_config import WILD, guessed_config, is_guess
from ._plan_dataclass import OfClass
from ._syntax import tree_of

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
        if isinstance(error, AssertionError):
            yield from self._asserted(values, error, names, places)
        if isinstance(error, TypeError) and _SEQUENCE.search(message):
            kind = list if "list" in message else tuple
            told = [it for it in (int, float) if f"'{it.__name__}'" in message] or [int]
            plain = (name for name in names if type(values.get(name)) in told)
            yield from self._tables(values, names, places)
            yield from ({name: kind((values[name],) * 2)} for name in plain)
        if (found := _FIELD.search(message)) is not None:
            plain = [name for name in names if not is_guess(values.get(name))]
            holders = [
                name for name in plain if any(f"{name}.{found[1]}" in text for _, text in places)
            ]
            holders = holders or [name for name in (*names, *wild) if values.get(name) == WILD]
            yield from ({name: guessed_config(self.cls, name, {})} for name in holders)
        if "must be a mapping" in message:
            yield from ({name: {}} for name in names if not isinstance(values.get(name), dict))
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
        if "divisible" in message or "positive" in message:
            whole = [name for name in names if type(values.get(name)) is int]
            yield from (
                {name: other}
                for name in whole
                for other in (64, 32, 128, 1)
                if other != values[name]
            )
            yield self._wider(values)

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
        _, text = places[0] if places else ("", "")
        for name in re.findall(r"\*\*(?:self\.)?(\w+)", text):
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
        test, frame = _assertion(error)
        if test is None:
            return
        # What has a default was meant so.
        for name in sorted(dict.fromkeys(names), key=self._has_default):
            for candidate in self._candidates(name, values.get(name, self._default(name))):
                if any(_holds(test, frame, it, candidate) for it in self._as_called(name, places)):
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
        yield from (it for it in _WHOLE if it != value)
        yield from (True, False, None)


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


def _longer(value):
    """The sequence with as many elements as stages, mostly."""
    if isinstance(value, (tuple, list)) and value:
        yield from (
            type(value)([value[0]] * count) for count in (4, 3, 5, 6, 1) if count != len(value)
        )


def _assertion(error):
    """The condition of the failed `assert`, and the frame that it stands in."""
    tb = innermost(error)
    if tb is None:
        return None, None
    statement = _statement(tb.tb_frame.f_code.co_filename, tb.tb_lineno)
    return (statement.test, tb.tb_frame) if isinstance(statement, ast.Assert) else (None, None)


def compared(error):
    """(found, wanted) of the whole numbers that a failed assertion compares as equal."""
    test, frame = _assertion(error)
    pairs = []
    for node in ast.walk(test) if test is not None else ():
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            sides = [_value(it, frame) for it in (node.left, node.comparators[0])]
            if all(type(it) is int for it in sides) and sides[0] != sides[1]:
                pairs += [tuple(sides), tuple(reversed(sides))]
    return pairs


def compared_axes(error, name):
    """(axis, wanted) of what a failed assertion says of `name.shape[axis]`, or of `name.size(axis)`."""
    test, frame = _assertion(error)
    for node in ast.walk(test) if test is not None else ():
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            for side, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                found = _AXIS.fullmatch(ast.unparse(side))
                wanted = _value(other, frame)
                if found and found[1] == name and type(wanted) is int:
                    yield int(found[2] or found[3]), wanted


def compared_dims(error, name):
    """How many axes a failed assertion wants of `name`, where it says so; else None."""
    test, frame = _assertion(error)
    for node in ast.walk(test) if test is not None else ():
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            text = ast.unparse(node.left)
            found, wanted = _value(node.left, frame), _value(node.comparators[0], frame)
            if type(found) is not int or type(wanted) is not int:
                continue
            if text in (
                f"{name}.ndim",
                f"{name}.dim()",
                f"len({name}.shape)",
                f"len({name}.size())",
            ):
                return wanted
            # `b, *axes, c = x.shape`
            shape = getattr(frame.f_locals.get(name), "shape", ())
            if text.startswith("len(") and found == len(shape) - 2:
                return wanted + 2
    return None


def size_that_holds(error, sizes):
    """{size: other}, where a failed assertion of one of the sizes would hold of another one; else {}."""
    test, frame = _assertion(error)
    names = {getattr(it, "id", None) for it in ast.walk(test)} if test is not None else set()
    whole = {it: value for it in names if type(value := frame.f_locals.get(it)) is int}
    for name in sorted(it for it, value in whole.items() if value in sizes):
        for other in sorted(value for it, value in whole.items() if it != name):
            for candidate in (other, other + 1, 2 * other):
                if 0 < candidate <= _LONGEST and _holds(test, frame, name, candidate):
                    return {whole[name]: candidate}
    return {}


# Of lengths that an assertion may ask for.
_LONGEST = 2048

_AXIS = re.compile(r"(\w+)\.(?:shape\[(-?\d+)\]|size\((-?\d+)\))")


def _value(node, frame):
    try:
        return eval(
            compile(ast.Expression(node), "<assertion>", "eval"), frame.f_globals | frame.f_locals
        )
    except Exception:
        return None


def _holds(test, frame, name, candidate):
    """Whether the condition is one of the name, or of a field of that name, and holds with the value for it."""
    put = _Put(name)
    changed = put.visit(copy.deepcopy(test))
    if not put.found:
        return False
    names = frame.f_globals | frame.f_locals | {_PUT: candidate}
    try:
        return bool(
            eval(
                compile(ast.Expression(ast.fix_missing_locations(changed)), "<assertion>", "eval"),
                names,
            )
        )
    except Exception:
        return False


_PUT = "_candidate_"


class _Put(ast.NodeTransformer):
    """Puts a value where a name, or a field of that name, is read."""

    def __init__(self, name):
        self.name = name
        self.found = False

    def visit(self, node):
        is_field = (
            isinstance(node, ast.Subscript) and getattr(node.slice, "value", None) == self.name
        )
        if is_field or self.name in (getattr(node, "id", None), getattr(node, "attr", None)):
            self.found = True
            return ast.Name(_PUT, ast.Load())
        return self.generic_visit(node)


def told_by(error):
    """What makes two errors the same."""
    return (type(error), str(error), *places_of(error))


def places_of(error):
    """(function, text of its failing statement) of the user's frames, innermost first."""
    found = []
    tb = error.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        statement = _statement(code.co_filename, tb.tb_lineno)
        if statement is not None:
            found.insert(0, (code.co_name, ast.unparse(statement)))
        tb = tb.tb_next
    return found


def _statement(file, line):
    """The innermost simple statement of a file at a line."""
    if not file.endswith(".py") or file.startswith("/lib/"):
        return None
    within = [
        it
        for it in ast.walk(tree_of(file))
        if isinstance(it, ast.stmt)
        and it.lineno <= line <= it.end_lineno
        and not hasattr(it, "body")
    ]
    return min(within, key=lambda it: it.end_lineno - it.lineno, default=None)

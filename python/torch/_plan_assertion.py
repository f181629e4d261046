"""What a failed check of the user's says: the sizes that it compares, and values for which it holds."""

import ast
import copy
import re

from normscope_boot.places import innermost

from ._plan_places import statement_at
from ._syntax import tree_of


def assertion(error):
    """The condition that had to hold, and the frame that it stands in; (None, None) where there is none.

    Of a failed `assert`, of `if …: raise …` whose condition had to be false, or of `else: raise …` where one
    had to be true.
    """
    tb = innermost(error)
    if tb is None:
        return None, None
    file = tb.tb_frame.f_code.co_filename
    statement = statement_at(file, tb.tb_lineno)
    if isinstance(statement, ast.Raise):
        test = _wanted_before(statement, file)
        return (None, None) if test is None else (test, tb.tb_frame)
    return (statement.test, tb.tb_frame) if isinstance(statement, ast.Assert) else (None, None)


def _wanted_before(statement, file):
    """What had to hold so that the statement of an `if`, or of the last `else`, was not reached; None without one."""
    guards = [it for it in ast.walk(tree_of(file)) if isinstance(it, ast.If)]
    for guard in guards:
        if any(it is statement for it in guard.body):
            return _negated(guard.test)
        if any(it is statement for it in guard.orelse):
            outer = next((it for it in guards if it.orelse == [guard]), None)
            tests = [guard.test]
            while outer is not None:
                tests.insert(0, outer.test)
                outer = next((it for it in guards if it.orelse == [outer]), None)
            return ast.BoolOp(ast.Or(), tests) if len(tests) > 1 else tests[0]
    return None


def _negated(test):
    """The opposite of a condition, that of one comparison as a comparison."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and type(test.ops[0]) in _OPPOSITES and len(test.ops) == 1:
        return ast.Compare(test.left, [_OPPOSITES[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


_OPPOSITES = {ast.NotEq: ast.Eq, ast.Eq: ast.NotEq, ast.NotIn: ast.In, ast.In: ast.NotIn}


def choices_in(test):
    """The texts that a condition speaks of, in its order."""
    constants = (it.value for it in ast.walk(test) if isinstance(it, ast.Constant))
    return [it for it in dict.fromkeys(constants) if isinstance(it, str)]


def names_in(test):
    """The names, and those of fields, that a condition speaks of."""
    found = (getattr(it, "id", getattr(it, "attr", None)) for it in ast.walk(test))
    return [it for it in dict.fromkeys(found) if it is not None]


def number_that_holds(error, numbers):
    """(name, other number) for the first of the named numbers with which a failed check would hold; else None."""
    test, frame = assertion(error)
    tried = ((name, it) for name in numbers for it in _NUMBERS) if test is not None else ()
    return next((it for it in tried if holds(test, frame, *it)), None)


_NUMBERS = (1, 2, 4, 8, 16)


def unset_names(error):
    """The names that are None where a failed check speaks of them."""
    test, frame = assertion(error)
    named = names_in(test) if test is not None else []
    return [it for it in named if it in frame.f_locals and frame.f_locals[it] is None]


def fields_asked_for(test):
    """Names of the fields that a condition asks objects for, by `hasattr`."""
    calls = [it for it in ast.walk(test) if isinstance(it, ast.Call) and len(it.args) == 2]
    asked = [it.args[1] for it in calls if getattr(it.func, "id", None) == "hasattr"]
    return [it.value for it in asked if isinstance(it, ast.Constant)]


def _equalities(error):
    """(left, right, frame) of the comparisons as equal in a failed assertion."""
    test, frame = assertion(error)
    for node in ast.walk(test) if test is not None else ():
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            yield node.left, node.comparators[0], frame


def compared(error):
    """(found, wanted) of the whole numbers that a failed assertion compares as equal."""
    pairs = []
    for *nodes, frame in _equalities(error):
        sides = [_value(it, frame) for it in nodes]
        if all(type(it) is int for it in sides) and sides[0] != sides[1]:
            pairs += [tuple(sides), tuple(reversed(sides))]
    return pairs


def compared_axes(error, name):
    """(axis, wanted) of what a failed assertion says of `name.shape[axis]`, or of `name.size(axis)`."""
    for left, right, frame in _equalities(error):
        for side, other in ((left, right), (right, left)):
            found = _AXIS.fullmatch(ast.unparse(side))
            wanted = _value(other, frame)
            if found and found[1] == name and type(wanted) is int:
                yield int(found[2] or found[3]), wanted


def compared_dims(error, name):
    """How many axes a failed assertion wants of `name`, where it says so; else None."""
    counts = (f"{name}.ndim", f"{name}.dim()", f"len({name}.shape)", f"len({name}.size())")
    for left, right, frame in _equalities(error):
        text = ast.unparse(left)
        found, wanted = _value(left, frame), _value(right, frame)
        if type(found) is not int or type(wanted) is not int:
            continue
        if text in counts:
            return wanted
        # `b, *axes, c = x.shape`
        shape = getattr(frame.f_locals.get(name), "shape", ())
        if text.startswith("len(") and found == len(shape) - 2:
            return wanted + 2
    return None


def size_that_holds(error, sizes):
    """{size: other}, where a failed assertion of one of the sizes would hold of another one; else {}."""
    test, frame = assertion(error)
    names = {getattr(it, "id", None) for it in ast.walk(test)} if test is not None else set()
    whole = {it: value for it in names if type(value := frame.f_locals.get(it)) is int}
    for name in sorted(it for it, value in whole.items() if value in sizes):
        for other in sorted(value for it, value in whole.items() if it != name):
            for candidate in (other, other + 1, 2 * other):
                if 0 < candidate <= _LONGEST and holds(test, frame, name, candidate):
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


def holds(test, frame, name, candidate):
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

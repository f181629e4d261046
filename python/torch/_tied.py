"""Ties between parameters that a later assignment undid while the model was made.

`head.weight = embedding.weight` ties what is there. Another embedding in the place of that one is not tied.
"""

import linecache
import sys

from normscope_boot.places import is_user_file

# None: nobody listens.
_events = None


class _Tie:
    """One parameter in two places, each a module and the name that it has there."""

    def __init__(self, parameter, places, line):
        self.parameter = parameter
        self.places = places
        self.line = line


class _Replaced:
    """A module, or a parameter (`old`), in whose place another one was put."""

    def __init__(self, owner, name, old, place):
        self.owner = owner
        self.name = name
        self.old = old
        self.place = place


class _Events:
    def __init__(self):
        self.ties = []
        self.replaced = []
        self.owners = {}


def listen():
    global _events
    _events = _Events()


def stop():
    """What was seen since `listen`."""
    global _events
    events, _events = _events, None
    return events


def note_parameter(module, name, parameter):
    """`module.name = parameter`, before it is done."""
    if _events is None:
        return
    old = module._parameters.get(name)
    if old is not None and old is not parameter:
        _events.replaced.append(_Replaced(module, name, old, user_place()))
    first = _events.owners.setdefault(id(parameter), (parameter, module, name))
    if first[1] is not module:
        place = user_place()
        _events.ties.append(_Tie(parameter, (first[1:], (module, name)), place and place[1]))


def note_module(parent, name, module):
    """`parent.name = module`, before it is done."""
    if _events is None:
        return
    old = parent._modules.get(name)
    if old is not None and old is not module:
        _events.replaced.append(_Replaced(parent, name, old, user_place()))


def undone(events, model):
    """[file, line, text of the line, line of the tie, parameter that is left, the one that is new] of each."""
    paths = {id(module): path for path, module in model.named_modules()}
    found = []
    for tie in events.ties if events else ():
        kept = [it for it in tie.places if id(it[0]) in paths and _holds(*it, tie.parameter)]
        if len(kept) != 1:
            continue
        lost = next(it for it in tie.places if it is not kept[0])
        other = _successor(events, tie, *lost)
        if other is None or other.place is None:
            continue
        path = _path(paths, other, *lost)
        new = dict(model.named_parameters(remove_duplicate=False)).get(path)
        if new is not None and new is not tie.parameter and new.shape == tie.parameter.shape:
            file, line = other.place
            text = linecache.getline(file, line).strip()
            left = ".".join(filter(None, (paths[id(kept[0][0])], kept[0][1])))
            found.append([file, line, text, tie.line, left, path])
    return found


def _holds(module, name, parameter):
    return module._parameters.get(name) is parameter


def _successor(events, tie, module, name):
    """What was put in the place of the tied parameter, or of a module that has it."""
    for it in events.replaced:
        if it.old is tie.parameter and it.owner is module and it.name == name:
            return it
        if it.old is not tie.parameter and any(part is module for part in _modules(it.old)):
            return it
    return None


def _modules(old):
    return old.modules() if hasattr(old, "modules") else ()


def _path(paths, other, module, name):
    """The name of the parameter that stands where the tied one stood."""
    owner = paths.get(id(other.owner))
    if owner is None:
        return None
    inner = next((path for path, it in _named(other.old) if it is module), None)
    parts = (owner, other.name) if inner is None else (owner, other.name, inner, name)
    return ".".join(filter(None, parts))


def _named(old):
    return old.named_modules() if hasattr(old, "named_modules") else ()


def user_place():
    """(file, line) of the user's code that runs; None: none does."""
    frame = sys._getframe(2)
    while frame is not None and not is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame and (frame.f_code.co_filename, frame.f_lineno)

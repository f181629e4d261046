"""What a run took for granted: choices that nobody made, told beside the numbers."""

import sys

from normscope_boot.places import users_line

# (file, line, text), in the order in which they were made; each once.
_made = {}


def assume(text, file=None, line=None):
    """Notes `text` at a place; without one at the user's innermost line."""
    if file is None:
        file, line = users_line(sys._getframe(1))
    _made.setdefault((file, line, text))


def made():
    """[file, line, text] of each."""
    return [list(one) for one in _made if one[0] is not None]

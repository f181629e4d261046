"""Where files come from, by their paths."""

# The stand-in for torch and what belongs to it.
SITE = "/lib/normscope/"

# Where the user's code can lie: the workspace and the folders of packages.
user_roots = []


def is_user_file(file):
    return any(file.startswith(root.rstrip("/") + "/") for root in user_roots)


def users_line(frame):
    """File and line of the innermost frame, from `frame` outwards, that runs the user's code."""
    while frame is not None:
        if is_user_file(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None, None


def innermost(error):
    """The part of its traceback where it was raised; None where it never was."""
    tb = error.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    return tb

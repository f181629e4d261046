"""Where files come from, by their paths."""

# The stand-in for torch and what belongs to it.
SITE = "/lib/normscope/"

# Where the user's code can lie: the workspace and the folders of packages.
user_roots = []


def is_user_file(file):
    return any(file.startswith(root.rstrip("/") + "/") for root in user_roots)

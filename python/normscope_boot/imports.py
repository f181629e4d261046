"""Packages that are not installed: an ImportError where the file is ready for one, else later."""

user_roots = []


def install():
    """Makes this module the last resort of the import system."""

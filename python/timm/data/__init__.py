"""Means and standard deviations of images."""

from .constants import *  # noqa: F403

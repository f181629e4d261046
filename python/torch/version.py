"""torch.version."""

__version__ = "2.15.0"
cuda = None
hip = None
xpu = None
debug = False
git_version = "Unknown"

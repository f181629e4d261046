"""torch.version."""

__version__ = "2.15.0"
# What the wheels of PyPI are built with; whether there is a GPU is asked of torch.cuda.
cuda = "13.2"
hip = None
xpu = None
debug = False
git_version = "Unknown"

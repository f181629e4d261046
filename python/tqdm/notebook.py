"""tqdm.notebook."""

from tqdm import tqdm, trange  # noqa: F401

"""torch.backends: switches that change no number here."""

from . import cuda, cudnn, mha, mkldnn, mps, openmp, opt_einsum  # noqa: F401

mkl = openmp
quantized = None

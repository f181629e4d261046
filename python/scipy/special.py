"""scipy.special: the functions of arrays that constants of models are made with, computed by torch in float64."""

import sys

import numpy as np
import torch
from normscope_boot.imports import give_placeholders


def _of_torch(function):
    def of_array(x, *args):
        values = torch.from_numpy(np.asarray(x, dtype=np.float64).copy())
        found = function(values, *args).numpy()
        return found[()] if found.ndim == 0 else found

    return of_array


expit = _of_torch(torch.sigmoid)
logit = _of_torch(torch.logit)
erf = _of_torch(torch.erf)
erfc = _of_torch(torch.erfc)
erfinv = _of_torch(torch.erfinv)
gammaln = _of_torch(torch.lgamma)
psi = digamma = _of_torch(torch.digamma)
i0 = _of_torch(torch.special.i0)


def softmax(x, axis=None):
    x = np.asarray(x)
    weights = np.exp(x - x.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def logsumexp(a, axis=None, keepdims=False):
    a = np.asarray(a)
    largest = a.max(axis=axis, keepdims=True)
    found = np.log(np.exp(a - largest).sum(axis=axis, keepdims=True)) + largest
    return found if keepdims else found.squeeze(axis)


def log_softmax(x, axis=None):
    return x - logsumexp(x, axis=axis, keepdims=True)


give_placeholders(sys.modules[__name__])

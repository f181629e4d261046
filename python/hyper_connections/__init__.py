"""Hyper-connections: residual streams that layers read from and write to by learnt weights.

The streams lie in the batch, [batch · streams, ..., dim]; see arXiv 2409.19606, and 2512.24880 for
those that are constrained (`mHC`). One fraction and one view of the input are supported.
"""

from ._constrained import ManifoldConstrainedHyperConnections
from ._functions import functions_for, get_expand_reduce_stream_functions
from ._layers import HyperConnections, Residual, StreamEmbed

__all__ = [
    "HyperConnections",
    "ManifoldConstrainedHyperConnections",
    "Residual",
    "StreamEmbed",
    "get_expand_reduce_stream_functions",
    "get_init_and_expand_reduce_stream_functions",
    "mHC",
    "mc_get_expand_reduce_stream_functions",
    "mc_get_init_and_expand_reduce_stream_functions",
]

mHC = ManifoldConstrainedHyperConnections
get_init_and_expand_reduce_stream_functions = functions_for(HyperConnections)
mc_get_expand_reduce_stream_functions = get_expand_reduce_stream_functions
mc_get_init_and_expand_reduce_stream_functions = functions_for(mHC)

for _kind, _made in (
    (HyperConnections, get_init_and_expand_reduce_stream_functions),
    (mHC, mc_get_init_and_expand_reduce_stream_functions),
):
    _kind.get_expand_reduce_stream_functions = staticmethod(get_expand_reduce_stream_functions)
    _kind.get_init_and_expand_reduce_stream_functions = staticmethod(_made)

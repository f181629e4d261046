"""What makes the connections of a model, and what goes from one stream to several and back."""

import functools

from einops.layers.torch import Reduce
from torch import nn

from ._layers import Residual, StreamEmbed


def get_expand_reduce_stream_functions(
    num_streams, add_stream_embed=False, dim=None, disable=False
):
    """(layer that repeats its input for each stream, layer that sums the streams)."""
    if disable:
        return nn.Identity(), nn.Identity()
    if add_stream_embed:
        assert dim is not None, "`dim` must be passed for stream embeddings"
        expand = StreamEmbed(num_streams, dim, expand_to_streams=True)
    else:
        expand = Reduce(pattern="b ... -> (b s) ...", reduction="repeat", s=num_streams)
    return expand, Reduce(pattern="(b s) ... -> b ...", reduction="sum", s=num_streams)


def functions_for(kind):
    """`get_init_and_expand_reduce_stream_functions` of connections of this kind."""

    def get_init_and_expand_reduce_stream_functions(
        num_streams, num_fracs=1, dim=None, add_stream_embed=False, disable=None, **options
    ):
        disable = num_streams == num_fracs == 1 if disable is None else disable
        fixed = options if dim is None else options | {"dim": dim}
        init = functools.partial(
            Residual if disable else kind, num_streams, num_fracs=num_fracs, **fixed
        )
        return init, *get_expand_reduce_stream_functions(
            num_streams, add_stream_embed, dim, disable
        )

    return get_init_and_expand_reduce_stream_functions

"""zeta.nn.attention: attention whose heads share keys and values."""

from .multiquery_attention import MultiQueryAttention  # noqa: F401

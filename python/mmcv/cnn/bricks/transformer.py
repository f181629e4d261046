"""Attention and feed-forward parts that add what they took."""

from mmengine.model import BaseModule, Sequential
from mmengine.registry import MODELS
from torch import nn

from .build import build_activation_layer, build_dropout
from .drop import Dropout

ATTENTION = FEEDFORWARD_NETWORK = POSITIONAL_ENCODING = TRANSFORMER_LAYER = MODELS
TRANSFORMER_LAYER_SEQUENCE = MODELS


@MODELS.register_module()
class FFN(BaseModule):
    """x + dropout(W₂ dropout(act(W₁ x))), with `num_fcs` matrices."""

    def __init__(
        self,
        embed_dims=256,
        feedforward_channels=1024,
        num_fcs=2,
        act_cfg={"type": "ReLU", "inplace": True},
        ffn_drop=0.0,
        dropout_layer=None,
        add_identity=True,
        init_cfg=None,
        **kwargs,
    ):
        super().__init__(init_cfg)
        self.embed_dims, self.feedforward_channels = embed_dims, feedforward_channels
        self.num_fcs, self.add_identity = num_fcs, add_identity
        layers, width = [], embed_dims
        for _ in range(num_fcs - 1):
            layers.append(
                Sequential(
                    nn.Linear(width, feedforward_channels),
                    build_activation_layer(act_cfg),
                    nn.Dropout(ffn_drop),
                )
            )
            width = feedforward_channels
        self.layers = Sequential(*layers, nn.Linear(width, embed_dims), nn.Dropout(ffn_drop))
        self.dropout_layer = build_dropout(dropout_layer) if dropout_layer else nn.Identity()

    def forward(self, x, identity=None):
        out = self.dropout_layer(self.layers(x))
        if not self.add_identity:
            return out
        return (x if identity is None else identity) + out


@MODELS.register_module()
class MultiheadAttention(BaseModule):
    """identity + dropout(attention), with positions added to queries and keys."""

    def __init__(
        self,
        embed_dims,
        num_heads,
        attn_drop=0.0,
        proj_drop=0.0,
        dropout_layer={"type": "Dropout", "drop_prob": 0.0},
        init_cfg=None,
        batch_first=False,
        **kwargs,
    ):
        super().__init__(init_cfg)
        self.embed_dims, self.num_heads, self.batch_first = embed_dims, num_heads, batch_first
        self.attn = nn.MultiheadAttention(embed_dims, num_heads, attn_drop, **kwargs)
        self.proj_drop = nn.Dropout(proj_drop)
        self.dropout_layer = build_dropout(dropout_layer) if dropout_layer else nn.Identity()

    def forward(
        self,
        query,
        key=None,
        value=None,
        identity=None,
        query_pos=None,
        key_pos=None,
        attn_mask=None,
        key_padding_mask=None,
        **kwargs,
    ):
        key = query if key is None else key
        value = key if value is None else value
        identity = query if identity is None else identity
        if key_pos is None and query_pos is not None and query_pos.shape == key.shape:
            key_pos = query_pos
        query = query if query_pos is None else query + query_pos
        key = key if key_pos is None else key + key_pos
        if self.batch_first:
            query, key, value = (it.transpose(0, 1) for it in (query, key, value))
        out = self.attn(
            query=query,
            key=key,
            value=value,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
        )[0]
        if self.batch_first:
            out = out.transpose(0, 1)
        return identity + self.dropout_layer(self.proj_drop(out))


def build_positional_encoding(cfg, default_args=None):
    return MODELS.build(cfg, default_args=default_args)


build_attention = build_feedforward_network = build_positional_encoding
build_transformer_layer = build_transformer_layer_sequence = build_positional_encoding

__all__ = [
    "ATTENTION",
    "FEEDFORWARD_NETWORK",
    "FFN",
    "POSITIONAL_ENCODING",
    "TRANSFORMER_LAYER",
    "TRANSFORMER_LAYER_SEQUENCE",
    "Dropout",
    "MultiheadAttention",
    "build_attention",
    "build_dropout",
    "build_feedforward_network",
    "build_positional_encoding",
    "build_transformer_layer",
    "build_transformer_layer_sequence",
]

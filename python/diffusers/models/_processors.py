"""How an Attention computes: a processor is called with the module and its inputs."""

import torch
import torch.nn.functional as F

from ._rotary import apply_rotary_emb


def _split_heads(attn, x):
    """(B, L, heads · D) → (B, heads, L, D)"""
    return x.unflatten(-1, (attn.heads, -1)).transpose(1, 2)


def _merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def _project_out(attn, x):
    return attn.to_out[1](attn.to_out[0](x))


def _normed(norm, x):
    return x if norm is None else norm(x)


def _grouped(attn, tokens):
    if attn.group_norm is None:
        return tokens
    return attn.group_norm(tokens.transpose(1, 2)).transpose(1, 2)


def _context(attn, tokens, encoder_hidden_states):
    if encoder_hidden_states is None:
        return tokens
    if attn.norm_cross:
        return attn.norm_encoder_hidden_states(encoder_hidden_states)
    return encoder_hidden_states


class AttnProcessor:
    """softmax(q kᵀ · scale + mask) v, of tokens (B, L, C) or of an image (B, C, H, W)."""

    def __call__(
        self,
        attn,
        hidden_states,
        encoder_hidden_states=None,
        attention_mask=None,
        temb=None,
        *args,
        **kwargs,
    ):
        residual = hidden_states
        if attn.spatial_norm is not None:
            hidden_states = attn.spatial_norm(hidden_states, temb)
        is_image, shape = hidden_states.ndim == 4, hidden_states.shape
        tokens = hidden_states.flatten(2).transpose(1, 2) if is_image else hidden_states
        keyed = tokens if encoder_hidden_states is None else encoder_hidden_states
        mask = attn.prepare_attention_mask(attention_mask, keyed.shape[1], keyed.shape[0])
        tokens = _grouped(attn, tokens)
        query = attn.to_q(tokens)
        context = _context(attn, tokens, encoder_hidden_states)
        out = self._attend(attn, query, attn.to_k(context), attn.to_v(context), mask)
        out = _project_out(attn, out)
        if is_image:
            out = out.transpose(-1, -2).reshape(shape)
        if attn.residual_connection:
            out = out + residual
        return out / attn.rescale_output_factor

    @staticmethod
    def _attend(attn, query, key, value, mask):
        query, key, value = (attn.head_to_batch_dim(it) for it in (query, key, value))
        weights = attn.get_attention_scores(query, key, mask)
        return attn.batch_to_head_dim(torch.bmm(weights, value))


class AttnProcessor2_0(AttnProcessor):
    """The same by PyTorch's own attention, with norms of queries and keys."""

    @staticmethod
    def _attend(attn, query, key, value, mask):
        if mask is not None:
            mask = mask.view(query.shape[0], attn.heads, -1, mask.shape[-1])
        query, key, value = (_split_heads(attn, it) for it in (query, key, value))
        query, key = _normed(attn.norm_q, query), _normed(attn.norm_k, key)
        return _merge_heads(F.scaled_dot_product_attention(query, key, value, attn_mask=mask))


class AttnAddedKVProcessor:
    """Keys and values of a text before those of the image (B, C, …), which is added to what comes out."""

    out_dim = 3

    def __call__(
        self, attn, hidden_states, encoder_hidden_states=None, attention_mask=None, *args, **kwargs
    ):
        tokens = hidden_states.flatten(2).transpose(1, 2)
        mask = attn.prepare_attention_mask(
            attention_mask, tokens.shape[1], len(tokens), out_dim=self.out_dim
        )
        context = _context(attn, tokens, encoder_hidden_states)
        tokens = _grouped(attn, tokens)
        query = attn.to_q(tokens)
        keys, values = [attn.add_k_proj(context)], [attn.add_v_proj(context)]
        if not attn.only_cross_attention:
            keys.append(attn.to_k(tokens))
            values.append(attn.to_v(tokens))
        key, value = torch.cat(keys, dim=1), torch.cat(values, dim=1)
        out = _project_out(attn, self._attend(attn, query, key, value, mask))
        return out.transpose(-1, -2).reshape(hidden_states.shape) + hidden_states

    _attend = staticmethod(AttnProcessor._attend)


class AttnAddedKVProcessor2_0(AttnAddedKVProcessor):
    out_dim = 4

    @staticmethod
    def _attend(attn, query, key, value, mask):
        query, key, value = (_split_heads(attn, it) for it in (query, key, value))
        return _merge_heads(F.scaled_dot_product_attention(query, key, value, attn_mask=mask))


class JointAttnProcessor2_0:
    """An image and a text, each with projections of its own, in one attention (arXiv:2403.03206)."""

    def __call__(
        self, attn, hidden_states, encoder_hidden_states=None, attention_mask=None, *args, **kwargs
    ):
        query, key, value = (
            _split_heads(attn, to(hidden_states)) for to in (attn.to_q, attn.to_k, attn.to_v)
        )
        query, key = _normed(attn.norm_q, query), _normed(attn.norm_k, key)
        if encoder_hidden_states is None:
            out = F.scaled_dot_product_attention(query, key, value)
            return _project_out(attn, _merge_heads(out))
        added = (attn.add_q_proj, attn.add_k_proj, attn.add_v_proj)
        text_query, text_key, text_value = (
            _split_heads(attn, to(encoder_hidden_states)) for to in added
        )
        text_query = _normed(attn.norm_added_q, text_query)
        text_key = _normed(attn.norm_added_k, text_key)
        pairs = ((query, text_query), (key, text_key), (value, text_value))
        out = _merge_heads(F.scaled_dot_product_attention(*(torch.cat(it, dim=2) for it in pairs)))
        length = hidden_states.shape[1]
        text = out[:, length:] if attn.context_pre_only else attn.to_add_out(out[:, length:])
        return _project_out(attn, out[:, :length]), text


class CogVideoXAttnProcessor2_0:
    """A text before a video in one attention; queries and keys of the video are rotated (arXiv:2408.06072)."""

    def __call__(
        self, attn, hidden_states, encoder_hidden_states, attention_mask=None, image_rotary_emb=None
    ):
        length = encoder_hidden_states.size(1)
        tokens = torch.cat([encoder_hidden_states, hidden_states], dim=1)
        mask = attn.prepare_attention_mask(attention_mask, tokens.shape[1], len(tokens))
        if mask is not None:
            mask = mask.view(len(tokens), attn.heads, -1, mask.shape[-1])
        query, key, value = (
            _split_heads(attn, to(tokens)) for to in (attn.to_q, attn.to_k, attn.to_v)
        )
        query, key = _normed(attn.norm_q, query), _normed(attn.norm_k, key)
        if image_rotary_emb is not None:
            query = _rotated_after(length, query, image_rotary_emb)
            if not attn.is_cross_attention:
                key = _rotated_after(length, key, image_rotary_emb)
        out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        out = _project_out(attn, _merge_heads(out))
        return out[:, length:], out[:, :length]


def _rotated_after(length, x, rotations):
    rotated = apply_rotary_emb(x[:, :, length:], rotations)
    return torch.cat([x[:, :, :length], rotated], dim=2)

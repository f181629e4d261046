"""Attention among what a random hash puts side by side (Reformer, arXiv 2001.04451); queries are keys."""

import torch
import torch.nn.functional as F
from local_attention import LocalAttention
from torch import nn

__all__ = ["FullQKAttention", "LSHAttention", "LSHSelfAttention"]

# Of a place to itself: it is looked at where there is no other.
_TO_ITSELF = -5e4


class LSHAttention(nn.Module):
    """Queries and values [batch, length, width] to [batch, length, width], an empty tensor, and the buckets."""

    def __init__(
        self,
        dropout=0.0,
        bucket_size=64,
        n_hashes=8,
        causal=False,
        allow_duplicate_attention=True,
        attend_across_buckets=True,
        rehash_each_round=True,
        drop_for_hash_rate=0.0,
        random_rotations_per_head=False,
        return_attn=False,
    ):
        super().__init__()
        if not (allow_duplicate_attention and rehash_each_round) or return_attn:
            raise NotImplementedError(
                "reformer_pytorch is supported with allow_duplicate_attention=True, "
                "rehash_each_round=True and return_attn=False"
            )
        self.dropout, self.dropout_for_hash = nn.Dropout(dropout), nn.Dropout(drop_for_hash_rate)
        self.causal, self.bucket_size, self.n_hashes = causal, bucket_size, n_hashes
        self.attend_across_buckets = attend_across_buckets
        self.random_rotations_per_head = random_rotations_per_head

    def _buckets(self, x, count):
        """[batch, rounds · length]: that of each vector in each round, numbered on from round to round."""
        assert count % 2 == 0
        heads = len(x) if self.random_rotations_per_head else 1
        shape = (heads, x.shape[-1], self.n_hashes, count // 2)
        rotations = torch.randn(shape, dtype=x.dtype, device=x.device).expand(len(x), -1, -1, -1)
        rotated = torch.einsum("btf,bfhi->bhti", self.dropout_for_hash(x), rotations)
        found = torch.cat([rotated, -rotated], dim=-1).argmax(dim=-1)
        return (found + count * torch.arange(self.n_hashes, device=x.device)[:, None]).flatten(1)

    def forward(self, qk, v, query_len=None, input_mask=None, input_attn_mask=None, **_options):
        if input_attn_mask is not None or _options.get("pos_emb") is not None:
            raise NotImplementedError(
                "reformer_pytorch is supported with input_attn_mask=None and pos_emb=None"
            )
        batch, length, dim = qk.shape
        asked = length if query_len is None else query_len
        assert length % (self.bucket_size * 2) == 0, (
            f"Sequence length ({length}) needs to be divisible by target bucket size  x 2 - "
            f"{self.bucket_size * 2}"
        )
        buckets = self._buckets(qk, length // self.bucket_size)
        places = torch.arange(buckets.shape[1], device=qk.device).expand_as(buckets)
        # Sorted by bucket, and by place within one.
        keyed, order = (length * buckets + places % length).detach().sort(dim=-1)
        back = order.sort(dim=-1)[1]
        at = places.gather(1, order) % length
        chunks = self.n_hashes * (length // self.bucket_size)
        seen = _Chunks(at, chunks)
        queries, values = (seen.of(_taken(it, at)) for it in (qk, v))
        keys = F.normalize(queries, p=2, dim=-1).type_as(queries)
        scores = torch.einsum("bhie,bhje->bhij", queries, _and_before(keys)) * dim**-0.5
        least = -torch.finfo(scores.dtype).max
        if input_mask is not None:
            mask = F.pad(input_mask, (0, length - input_mask.shape[1]), value=True).gather(1, at)
            scores = scores.masked_fill(~seen.pairs(mask, torch.mul), least)
        if self.causal:
            hidden = seen.pairs(at, torch.lt)
            if length > asked:
                hidden = hidden & seen.pairs(at, lambda _, key: key < asked)
            scores = scores.masked_fill(hidden, least)
        scores = scores.masked_fill(seen.pairs(at, torch.eq), _TO_ITSELF)
        if not self.attend_across_buckets:
            scores = scores.masked_fill(seen.pairs(keyed // length, torch.ne), least)
        sums = scores.logsumexp(dim=-1, keepdim=True)
        weights = self.dropout((scores - sums).exp().type_as(scores))
        found = torch.einsum("buij,buje->buie", weights, _and_before(values))
        found = _taken(found.reshape(batch, -1, dim), back).reshape(
            batch, self.n_hashes, length, dim
        )
        sums = sums.reshape(batch, -1).gather(1, back).reshape(batch, self.n_hashes, length, 1)
        found, sums = found[:, :, :asked], sums[:, :, :asked]
        shares = (sums - sums.logsumexp(dim=1, keepdim=True)).exp()
        return (found * shares).sum(dim=1), torch.empty(0, device=qk.device), buckets


class _Chunks:
    """What was sorted, [batch, all, …], in chunks that each see themselves and the one before."""

    def __init__(self, at, count):
        self._shape = (at.shape[0], count, -1)

    def of(self, x):
        return x.reshape(*self._shape, *x.shape[2:])

    def pairs(self, x, compare):
        """[batch, chunks, queries, keys] of `compare(query's, key's)`."""
        x = self.of(x)
        return compare(x[..., :, None], _and_before(x)[..., None, :])


def _and_before(x):
    """[batch, chunks, size, …] with the chunk before each, the last one before the first."""
    return torch.cat([x, x.roll(1, dims=1)], dim=2)


def _taken(x, places):
    return x.gather(1, places[:, :, None].expand(-1, -1, x.shape[-1]))


class FullQKAttention(nn.Module):
    """The same among all places."""

    def __init__(self, causal=False, dropout=0.0):
        super().__init__()
        self.causal, self.dropout = causal, nn.Dropout(dropout)

    def forward(self, qk, v, query_len=None, input_mask=None, input_attn_mask=None, **_options):
        length = qk.shape[1]
        asked = length if query_len is None else query_len
        keys = F.normalize(qk, 2, dim=-1).type_as(qk)
        scores = torch.einsum("bie,bje->bij", qk[:, :asked], keys) * qk.shape[-1] ** -0.5
        least = -torch.finfo(scores.dtype).max
        at, to = torch.arange(asked)[:, None], torch.arange(length)
        scores = scores.masked_fill(at == to, _TO_ITSELF)
        if input_mask is not None:
            mask = input_mask[:, :asked, None] * input_mask[:, None, :]
            mask = F.pad(mask, (0, length - mask.shape[-1]), value=True)
            scores = scores.masked_fill(~mask, least)
        if input_attn_mask is not None:
            mask = F.pad(input_attn_mask, (0, length - input_attn_mask.shape[-1]), value=True)
            scores = scores.masked_fill(~mask, least)
        if self.causal:
            scores = scores.masked_fill((to > at) & (to < asked), least)
        weights = self.dropout(scores.softmax(dim=-1))
        return torch.einsum("bij,bje->bie", weights, v), weights, torch.empty(0)


class LSHSelfAttention(nn.Module):
    """[batch, length, dim] to the same; `keys` stand after it, and are seen by it."""

    def __init__(
        self,
        dim,
        heads=8,
        bucket_size=64,
        n_hashes=8,
        causal=False,
        dim_head=None,
        attn_chunks=1,
        random_rotations_per_head=False,
        attend_across_buckets=True,
        allow_duplicate_attention=True,
        num_mem_kv=0,
        one_value_head=False,
        use_full_attn=False,
        full_attn_thres=None,
        return_attn=False,
        post_attn_dropout=0.0,
        dropout=0.0,
        n_local_attn_heads=0,
        **kwargs,
    ):
        super().__init__()
        assert dim_head or (dim % heads) == 0, "dimensions must be divisible by number of heads"
        if (attn_chunks or 1, num_mem_kv, n_local_attn_heads) != (1, 0, 0):
            raise NotImplementedError(
                "reformer_pytorch is supported with attn_chunks=1, num_mem_kv=0 and n_local_attn_heads=0"
            )
        self.dim, self.heads, self.dim_head = dim, heads, dim_head or dim // heads
        inner = self.dim_head * heads
        self.v_head_repeats = heads if one_value_head else 1
        self.toqk = nn.Linear(dim, inner, bias=False)
        self.tov = nn.Linear(dim, inner // self.v_head_repeats, bias=False)
        self.to_out = nn.Linear(inner, dim)
        self.bucket_size = bucket_size
        self.lsh_attn = LSHAttention(
            bucket_size=bucket_size,
            n_hashes=n_hashes,
            causal=causal,
            random_rotations_per_head=random_rotations_per_head,
            attend_across_buckets=attend_across_buckets,
            allow_duplicate_attention=allow_duplicate_attention,
            return_attn=return_attn,
            dropout=dropout,
            **kwargs,
        )
        self.full_attn = FullQKAttention(causal=causal, dropout=dropout)
        self.post_attn_dropout = nn.Dropout(post_attn_dropout)
        self.use_full_attn = use_full_attn
        self.full_attn_thres = bucket_size if full_attn_thres is None else full_attn_thres
        self.local_attn = LocalAttention(
            window_size=bucket_size * 2, causal=causal, dropout=dropout, shared_qk=True
        )

    def forward(
        self,
        x,
        keys=None,
        input_mask=None,
        input_attn_mask=None,
        context_mask=None,
        pos_emb=None,
        **kwargs,
    ):
        batch, length, _ = x.shape
        if keys is not None:
            x = torch.cat((x, keys), dim=1)
        qk, v = self.toqk(x), self.tov(x).repeat(1, 1, self.v_head_repeats)
        qk, v = (it.unflatten(-1, (self.heads, -1)).transpose(1, 2).flatten(0, 1) for it in (qk, v))
        masks = {}
        if input_mask is not None or context_mask is not None:
            sizes = (length, x.shape[1] - length)
            given = zip((input_mask, context_mask), sizes)
            parts = [
                x.new_ones(batch, n, dtype=torch.bool) if it is None else it for it, n in given
            ]
            masks["input_mask"] = torch.cat(parts, dim=1).repeat_interleave(self.heads, dim=0)
        if input_attn_mask is not None:
            masks["input_attn_mask"] = input_attn_mask.repeat_interleave(self.heads, dim=0)
        is_short = x.shape[1] <= self.full_attn_thres
        attend = self.full_attn if self.use_full_attn or is_short else self.lsh_attn
        found, *_ = attend(qk, v, query_len=length, pos_emb=pos_emb, **masks, **kwargs)
        found = found.unflatten(0, (batch, self.heads)).transpose(1, 2).flatten(2)
        return self.post_attn_dropout(self.to_out(found))

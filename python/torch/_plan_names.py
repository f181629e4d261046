"""What a constructor argument or a field of a config that nobody gave is likely to be, by its name.

Sizes are small and fit each other: 4 heads of 16 make the width of 64, 16 patches make an image.
"""


def made_up(name, annotation=None):
    """A value for the name; raises LookupError where nothing tells."""
    return _in_sequence(_by_name(name, annotation), annotation)


def _in_sequence(value, annotation):
    """A number as often as a sequence of the annotated type holds it, twice where that does not say."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    kind = _SEQUENCES.get(text.partition("[")[0].rpartition(".")[2].lower())
    if kind is None or type(value) not in (int, float):
        return value
    counted = getattr(annotation, "__args__", ()) if kind is tuple else ()
    return kind([value] * (len(counted) if len(counted) > 1 and ... not in counted else 2))


_SEQUENCES = {"list": list, "tuple": tuple, "sequence": tuple}


def _by_name(name, annotation):
    lower = name.lower()
    kind = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", None)
    if kind == "bool":
        return False
    if name in _LETTERS and kind in (None, "int", "float"):
        return _LETTERS[name]
    lower = lower.replace("alphabet", "")
    if lower in _WHOLE and _fits(_WHOLE[lower], kind):
        return _WHOLE[lower]
    for parts, value in _VALUES:
        if any(part in lower for part in parts) and _fits(value, kind):
            return value() if callable(value) else value
    raise LookupError(name)


def made_up_of_kind(annotation):
    """A value of an annotated type, whatever the name; raises LookupError where the type is no plain one."""
    text = (
        annotation
        if isinstance(annotation, str)
        else getattr(annotation, "__name__", str(annotation))
    )
    return _OF_KIND[text.partition("[")[0].rpartition(".")[2].lower()]


_OF_KIND = {
    "int": 4,
    "float": 0.5,
    "tuple": (2, 2),
    "list": [2, 2],
    "sequence": (2, 2),
    "str": "",
    "bool": False,
}


def _fits(value, kind):
    """Whether the value is of the annotated type, where that is a plain one."""
    if kind not in ("int", "float", "str"):
        return True
    if callable(value):
        return False
    return type(value).__name__ == kind or (kind == "float" and isinstance(value, int))


def _float32():
    from . import float32

    return float32


# Short names that are parts of others.
_WHOLE = {
    "drop": 0.0,
    "ch": 64,
    "cin": 64,
    "cout": 64,
    "inp": 64,
    "oup": 64,
    "nx": 64,
    "nf": 64,
    "filters": 64,
    "n_att": 64,
    "num_inputs": 64,
    "normalized_shape": 64,
    "d_token": 64,
    "d_word_vec": 64,
    "d_encoder": 64,
    "d_decoder": 64,
    "num_patch": 16,
    "chw": (3, 32, 32),
    "freq": "h",
    "horizon": 16,
    "n_obs_steps": 2,
    "tau": 1.0,
    "num_atoms": 256,
    "num_in_degree": 256,
    "num_out_degree": 256,
}

_LETTERS = {"N": 2, "L": 2, "h": 4, "H": 4, "d": 64, "k": 64, "p": 0.0, "T": 64, "C": 64, "E": 64}

# Of images.
_SIDES = ("img_h", "img_w", "image_h", "image_w", "max_height", "max_width", "height")

# The first row of which a part is in the name counts.
_VALUES = (
    (
        (
            "dropout",
            "droprate",
            "drop_rate",
            "drop_path",
            "p_drop",
            "pdrop",
            "_drop",
            "drop_",
            "dropatt",
            "prob",
        ),
        0.0,
    ),
    (("eps",), 1e-5),
    (("padding_idx", "pad_idx", "pad_id", "pad_token", "pad_index"), 0),
    (("layer_id", "layer_idx", "layer_number", "block_idx"), 0),
    (("_idx", "token_id", "sos_id", "bos_id", "eos_id", "mask_id"), 1),
    (
        (
            "use_",
            "is_",
            "has_",
            "add_",
            "do_",
            "tie_",
            "causal",
            "bias",
            "flash",
            "norm_first",
            "output_attention",
            "output_hidden",
            "return_",
            "pre_norm",
            "with_",
            "enable",
            "bidirectional",
            "normalize_before",
            "distil",
            "individual",
        ),
        False,
    ),
    (("pretrained_model", "pretrained_path", "checkpoint", "ckpt"), ""),
    (("pretrained",), False),
    (("rnn_type", "cell_type", "rnn_cell"), "LSTM"),
    (("activation", "hidden_act", "act_fn", "act_layer", "act_type"), "gelu"),
    (("device",), "cpu"),
    (("dtype",), _float32),
    (("theta", "rope_base", "rotary_base"), 10000.0),
    (("init_std", "initializer_range", "init_range"), 0.02),
    (("type_vocab", "n_segment", "num_segment"), 2),
    (
        (
            "vocab",
            "n_tokens",
            "num_tokens",
            "ntoken",
            "num_embeddings",
            "n_tok",
            "num_item",
            "n_item",
            "item_num",
            "num_user",
            "n_user",
            "user_num",
            "itemnum",
            "usernum",
        ),
        256,
    ),
    (("multiplier",), 1),
    (("sampling_window", "sampling_factor"), 2),
    (("num_steps", "n_steps", "timesteps", "diffusion_steps", "time_steps"), 100),
    (("voc_size", "vocsize", "_voc", "n_symbols", "num_symbols", "n_words", "num_words"), 256),
    (("alpha", "slope", "temperature", "momentum"), 0.5),
    (("attention_resolutions", "attn_resolutions"), (2,)),
    (("dt_rank", "d_conv"), 4),
    (("dt_min", "dt_init_floor"), 0.001),
    (("dt_max",), 0.1),
    (("d_state", "modes"), 16),
    (("moving_avg",), 5),
    (("patch_len", "seg_len"), 8),
    (("ch_mult",), (1, 2)),
    (("input_shape",), (3, 32, 32)),
    (("cardinalit", "categories"), (4, 5, 6)),
    (("num_res_blocks", "num_blocks_per", "n_res"), 1),
    (("freq_bands", "n_freq", "num_freq", "n_fft", "filter_length"), 16),
    (("experts_per", "top_k", "topk", "n_activated"), 2),
    (("expert",), 4),
    (("n_layer", "num_layer", "nlayer", "depth", "n_block", "num_block", "layers"), 2),
    (
        (
            "head_dim",
            "dim_head",
            "d_head",
            "d_k",
            "d_v",
            "head_size",
            "head_channels",
            "attn_dim",
            "dim_key",
            "dim_value",
        ),
        16,
    ),
    (("n_head", "num_head", "nhead", "heads", "n_kv_head", "num_kv_head", "num_attn_head"), 4),
    (("mlp_ratio", "expansion", "ff_mult", "ffn_mult", "ratio"), 4),
    (
        (
            "d_ff",
            "dff",
            "d_hid",
            "ffn",
            "mlp_dim",
            "intermediate",
            "hidden_features",
            "feedforward",
            "feed_forward",
            "d_inner",
            "inner_dim",
            "ff_dim",
            "d_cross",
        ),
        256,
    ),
    (("pred_len",), 32),
    (("label_len",), 16),
    (
        (
            "max_len",
            "max_seq",
            "block_size",
            "context",
            "n_ctx",
            "ctx_len",
            "seq_len",
            "sequence_length",
            "max_position",
            "n_positions",
            "num_positions",
            "segment_len",
            "max_length",
            "window",
            "seq_length",
            "seqlen",
            "in_len",
            "input_len",
        ),
        64,
    ),
    (
        ("image_size", "img_size", "image_resolution", "input_resolution", "im_size", "resolution"),
        32,
    ),
    (("patch_size",), 8),
    (_SIDES, 32),
    (("num_frames", "n_frames", "frames"), 8),
    (("frame_patch",), 2),
    (
        (
            "model_channels",
            "base_channels",
            "hidden_channels",
            "mid_channels",
            "inner_channels",
            "base_ch",
        ),
        64,
    ),
    (("in_channels", "in_chans", "in_ch", "channels", "num_chan"), 3),
    (("out_len",), 32),
    (("num_patches", "n_patches"), 16),
    (("growth",), 8),
    (("reduction", "squeeze"), 4),
    (("planes",), 64),
    (("variates",), 7),
    (("enc_in", "dec_in", "c_in", "c_out", "n_vars", "nvars"), 7),
    (
        (
            "n_class",
            "num_class",
            "n_cls",
            "num_cls",
            "nclass",
            "nlabels",
            "n_output",
            "num_output",
            "out_dim",
            "num_labels",
            "n_labels",
        ),
        10,
    ),
    (("kernel",), 3),
    (("stride", "dilation", "padding", "factor", "scale", "max_action", "halo"), 1),
    (("group",), 1),
    (("batch",), 4),
    (("n_latent", "num_latent", "num_quer", "n_quer", "num_mem", "n_mem", "n_state"), 8),
    (
        (
            "dim",
            "d_model",
            "n_embd",
            "embd",
            "embed",
            "emb",
            "hidden",
            "width",
            "features",
            "ninp",
            "nhid",
            "d_in",
            "d_out",
            "_chs",
            "in_size",
            "out_size",
            "input_size",
            "model_size",
            "channel",
            "feat",
            "units",
            "output_size",
            "size",
        ),
        64,
    ),
)

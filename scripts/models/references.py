"""The same models from elsewhere: Hugging Face transformers, and nn.Transformer for the original.

Each function takes the arguments of our class and gives a model with the same parameters by name.
"""
import inspect

import torch
from torch import nn
import transformers


def reference(case, arguments):
    """The other implementation of a case's class, called with `arguments`; None without one."""
    make = MAKERS.get(case.file)
    if make is None:
        return None
    signature = inspect.signature(getattr(case.module, case.entry).__init__)
    defaults = {
        name: p.default for name, p in signature.parameters.items() if p.default is not p.empty
    }
    return make({**defaults, **arguments})


def made(kind, config, **fields):
    """`kind` of transformers with the configuration `config`, computed without fused kernels."""
    settings = getattr(transformers, config)(**fields)
    settings._attn_implementation = "eager"
    if hasattr(settings, "_experts_implementation"):
        settings._experts_implementation = "eager"
    return getattr(transformers, kind)(settings).eval()


def sizes(a):
    """What most decoders share."""
    return dict(
        vocab_size=a["vocab_size"], hidden_size=a["d_model"], num_hidden_layers=a["n_layers"],
        num_attention_heads=a["n_heads"], intermediate_size=a.get("d_ff"),
        num_key_value_heads=a.get("n_kv_heads", a["n_heads"]), rms_norm_eps=a["eps"],
        max_position_embeddings=a["max_len"], pad_token_id=None, bos_token_id=None,
        eos_token_id=None,
    )


def rope(base, kind="default", **rest):
    return {"rope_type": kind, "rope_theta": base, **rest}


def llama(a):
    turns = rope(a["rope_base"])
    if a["rope_stretch"] != 1.0:
        turns = rope(
            a["rope_base"], "llama3", factor=a["rope_stretch"], low_freq_factor=1.0,
            high_freq_factor=4.0, original_max_position_embeddings=8192,
        )
    return made("LlamaForCausalLM", "LlamaConfig", **sizes(a), rope_parameters=turns,
                tie_word_embeddings=False)


def mistral(a):
    return made("MistralForCausalLM", "MistralConfig", **sizes(a), sliding_window=a["window"],
                rope_parameters=rope(a["rope_base"]), tie_word_embeddings=False)


def mixtral(a):
    return made("MixtralForCausalLM", "MixtralConfig", **sizes(a), sliding_window=None,
                num_local_experts=a["n_experts"], num_experts_per_tok=a["top_k"],
                rope_parameters=rope(a["rope_base"]), tie_word_embeddings=False)


def qwen3(a):
    return made("Qwen3ForCausalLM", "Qwen3Config", **sizes(a), head_dim=a["d_head"],
                rope_parameters=rope(a["rope_base"]), tie_word_embeddings=a["tied"])


def olmo2(a):
    return made("Olmo2ForCausalLM", "Olmo2Config", **sizes(a),
                rope_parameters=rope(a["rope_base"]), tie_word_embeddings=False)


def gemma1(a):
    return made("GemmaForCausalLM", "GemmaConfig", **sizes(a), head_dim=a["d_head"],
                rope_parameters=rope(a["rope_base"]), tie_word_embeddings=True)


def gemma2(a):
    return made("Gemma2ForCausalLM", "Gemma2Config", **sizes(a), head_dim=a["d_head"],
                query_pre_attn_scalar=a["query_scale"], sliding_window=a["window"],
                attn_logit_softcapping=a["attention_cap"], tie_word_embeddings=True,
                final_logit_softcapping=a["final_cap"], rope_parameters=rope(a["rope_base"]))


def gemma3(a):
    wide = rope(1e6)
    if a["rope_stretch"] != 1.0:
        wide = rope(1e6, "linear", factor=a["rope_stretch"])
    turns = {"full_attention": wide, "sliding_attention": rope(1e4)}
    return made("Gemma3ForCausalLM", "Gemma3TextConfig", **sizes(a), head_dim=a["d_head"],
                query_pre_attn_scalar=a["query_scale"], sliding_window=a["window"],
                rope_parameters=turns, tie_word_embeddings=True)


def yarn(a, **rest):
    if a["rope_stretch"] == 1.0:
        return rope(a["rope_base"])
    return rope(a["rope_base"], "yarn", factor=a["rope_stretch"], beta_fast=32.0, beta_slow=1.0,
                original_max_position_embeddings=a["trained_len"], **rest)


def deepseek(a, kind, config, **rest):
    turns = yarn(a, mscale=a["mscale"], mscale_all_dim=a["mscale"])
    return made(
        kind, config, **{**sizes(a), "num_key_value_heads": a["n_heads"]},
        first_k_dense_replace=a["n_dense_layers"], q_lora_rank=a["q_rank"] or None,
        kv_lora_rank=a["kv_rank"], qk_nope_head_dim=a["d_nope"], qk_rope_head_dim=a["d_rope"],
        v_head_dim=a["d_value"], moe_intermediate_size=a["d_expert"], n_group=a["n_groups"],
        n_routed_experts=a["n_experts"], n_shared_experts=a["n_shared"],
        num_experts_per_tok=a["top_k"], topk_group=a["top_groups"],
        routed_scaling_factor=a["routed_scale"], rope_parameters=turns,
        tie_word_embeddings=False, **rest,
    )


def deepseek_v2(a):
    return deepseek(a, "DeepseekV2ForCausalLM", "DeepseekV2Config",
                    topk_method="group_limited_greedy")


def deepseek_v3(a):
    return deepseek(a, "DeepseekV3ForCausalLM", "DeepseekV3Config")


def gpt_oss(a):
    return made("GptOssForCausalLM", "GptOssConfig", **sizes(a), head_dim=a["d_head"],
                num_local_experts=a["n_experts"], num_experts_per_tok=a["top_k"],
                sliding_window=a["window"], rope_parameters=yarn(a, truncate=False),
                tie_word_embeddings=False)


def gpt2(a):
    return made("GPT2LMHeadModel", "GPT2Config", vocab_size=a["vocab_size"], n_embd=a["d_model"],
                n_layer=a["n_layers"], n_head=a["n_heads"], n_positions=a["max_len"],
                layer_norm_epsilon=a["eps"])


def gpt3(a):
    """GPT-2 with a band in every second layer, put into the mask that the layer is given."""
    model = gpt2(a)

    def narrowed(layer, args, kwargs):
        T = args[0].shape[1]
        distance = torch.arange(T)[:, None] - torch.arange(T)
        seen = (distance >= 0) & (distance < a["band"])
        mask = torch.zeros(1, 1, T, T).masked_fill(~seen, torch.finfo(torch.float32).min)
        stream, cache, _, *rest = args
        return (stream, cache, mask, *rest), kwargs

    for layer in model.transformer.h[1::2]:
        layer.register_forward_pre_hook(narrowed, with_kwargs=True)
    return model


def bert(a):
    return made("BertForMaskedLM", "BertConfig", vocab_size=a["vocab_size"],
                hidden_size=a["d_model"], num_hidden_layers=a["n_layers"],
                num_attention_heads=a["n_heads"], intermediate_size=a["d_ff"],
                max_position_embeddings=a["max_len"], layer_norm_eps=a["eps"])


def t5(a):
    return made("T5ForConditionalGeneration", "T5Config", vocab_size=a["vocab_size"],
                d_model=a["d_model"], num_layers=a["n_layers"], num_heads=a["n_heads"],
                d_kv=a["d_head"], d_ff=a["d_ff"], layer_norm_epsilon=a["eps"])


def vit(a):
    return made("ViTForImageClassification", "ViTConfig", hidden_size=a["d_model"],
                num_hidden_layers=a["n_layers"], num_attention_heads=a["n_heads"],
                intermediate_size=a["d_ff"], image_size=a["image_size"],
                patch_size=a["patch_size"], layer_norm_eps=a["eps"], num_labels=a["n_classes"])


def whisper(a):
    return made("WhisperForConditionalGeneration", "WhisperConfig", vocab_size=a["vocab_size"],
                num_mel_bins=a["n_mels"], d_model=a["d_model"], encoder_layers=a["n_layers"],
                decoder_layers=a["n_layers"], encoder_attention_heads=a["n_heads"],
                decoder_attention_heads=a["n_heads"], encoder_ffn_dim=a["d_ff"],
                decoder_ffn_dim=a["d_ff"], max_source_positions=a["n_frames"],
                max_target_positions=a["max_len"], pad_token_id=0, bos_token_id=1, eos_token_id=2,
                decoder_start_token_id=1)


class Original(nn.Module):
    """The paper's model from PyTorch's own layers: Post-LN, no norm behind either stack."""

    def __init__(self, a):
        super().__init__()
        shared = (a["d_model"], a["n_heads"], a["d_ff"], 0.0)
        options = dict(batch_first=True, norm_first=False, layer_norm_eps=a["eps"])
        self.d_model = a["d_model"]
        self.embedding = nn.Embedding(a["vocab_size"], a["d_model"])
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(*shared, **options) for _ in range(a["n_layers"])
        )
        self.decoder = nn.ModuleList(
            nn.TransformerDecoderLayer(*shared, **options) for _ in range(a["n_layers"])
        )

    def embed(self, idx):
        places = torch.arange(idx.shape[1], dtype=torch.float64)[:, None]
        angles = places / 10000 ** (torch.arange(0, self.d_model, 2) / self.d_model)
        positions = torch.zeros(idx.shape[1], self.d_model, dtype=torch.float64)
        positions[:, 0::2], positions[:, 1::2] = angles.sin(), angles.cos()
        return self.embedding(idx) * self.d_model**0.5 + positions.float()

    def forward(self, source, target):
        encoded = self.embed(source)
        for layer in self.encoder:
            encoded = layer(encoded)
        x = self.embed(target)
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        for layer in self.decoder:
            x = layer(x, encoded, tgt_mask=mask, tgt_is_causal=True)
        return x @ self.embedding.weight.T


MAKERS = {
    "transformer2017": Original, "bert": bert, "gpt2": gpt2, "gpt3": gpt3, "llama": llama,
    "mistral": mistral, "mixtral": mixtral, "deepseek_v2": deepseek_v2,
    "deepseek_v3": deepseek_v3, "gemma1": gemma1, "gemma2": gemma2, "gemma3": gemma3,
    "qwen3": qwen3, "olmo2": olmo2, "gpt_oss": gpt_oss, "t5": t5, "vit": vit, "whisper": whisper,
}

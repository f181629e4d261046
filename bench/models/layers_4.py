"""4 layers of width 128 on 4 texts of 64 tokens: small enough for an answer while one types."""
import gpt


def build():
    return gpt.GPT(n_layer=4, n_head=4, n_embd=128, vocab_size=256, block_size=256)


def step(model):
    return gpt.step(model, batch=4, seq=64)

"""48 layers of width 256 on 8 texts of 64 tokens."""
import gpt


def build():
    return gpt.GPT(n_layer=48, n_head=8, n_embd=256, vocab_size=256, block_size=256)


def step(model):
    return gpt.step(model, batch=8, seq=64)

"""12 layers of width 128: what layers_96.py is compared with."""
import gpt


def build():
    return gpt.GPT(n_layer=12, n_head=4, n_embd=128, vocab_size=256, block_size=256)


def step(model):
    return gpt.step(model, batch=4, seq=64)

"""GPT-2 small on one text of 256 tokens."""
import gpt


def build():
    return gpt.GPT(n_layer=12, n_head=12, n_embd=768, vocab_size=50257, block_size=1024)


def step(model):
    return gpt.step(model, batch=1, seq=256)

"""Trains the small tokenizers of test/tokens/fixtures, and records how they divide texts.

    python scripts/record-tokens.py

Needs torch, tokenizers and numpy.
"""

import json
import struct
import sys
from pathlib import Path

import numpy
import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

fixtures = Path(__file__).resolve().parent.parent / "test" / "tokens" / "fixtures"
text = (fixtures / "text.txt").read_text()
corpus = text.splitlines()
texts = [
    "",
    "Hello world",
    "  two  spaces,\n\nand lines\t\ttabs ",
    "The tracer's workers don't share; WE'LL see it'S 12345 times.",
    "Überfluß naïve café — 東京 is 日本 🙂👍🏽",
    "a<s>b<|end|>c  <|end|><s>",
    "x\u00a0y\u2003z\ufeff e\u0301 \ufb01 \u1e9b\u0323",
    "internationalisation of unaffordable antidisestablishmentarianism!!! ... (see [1])",
    "\x00\x7f control \r\n windows\r",
]

LLAMA = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
special = ["<s>", "<|end|>"]


def byte_level(size=380):
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return made, trainers.BpeTrainer(vocab_size=size, special_tokens=special, initial_alphabet=alphabet)


def split_bytes():
    made, trainer = byte_level()
    made.model = models.BPE(ignore_merges=True)
    made.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(LLAMA), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    return made, trainer


def sentence_piece():
    made = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    return made, trainers.BpeTrainer(
        vocab_size=420, special_tokens=["<unk>", *special, *bytes_], limit_alphabet=60, max_token_length=8
    )


def word_piece():
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made, trainers.WordPieceTrainer(vocab_size=220, special_tokens=["[UNK]", *special], limit_alphabet=60)


def unigram():
    made = Tokenizer(models.Unigram())
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    return made, trainers.UnigramTrainer(vocab_size=200, special_tokens=["<unk>", *special], unk_token="<unk>")


def words():
    made = Tokenizer(models.WordLevel(unk_token="<unk>"))
    made.normalizer = normalizers.Sequence([
        normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase(), normalizers.Strip(),
    ])
    made.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Whitespace(), pre_tokenizers.Punctuation("contiguous"),
        pre_tokenizers.Digits(individual_digits=True),
    ])
    return made, trainers.WordLevelTrainer(vocab_size=150, special_tokens=["<unk>", *special])


def clip():
    made = Tokenizer(models.BPE(unk_token="<s>", end_of_word_suffix="</w>"))
    made.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return made, trainers.BpeTrainer(
        vocab_size=200, special_tokens=special, end_of_word_suffix="</w>", limit_alphabet=60
    )


def chars_map(replacements):
    """SentencePiece's table: a double array of units, then the texts, each ended by a zero."""
    texts, values = b"", {}
    for key, value in replacements.items():
        values[key.encode()] = len(texts)
        texts += value.encode() + b"\0"
    units, taken = [0] * 4096, {0}

    def place(node, prefix):
        labels = sorted({key[len(prefix)] for key in values if key.startswith(prefix) and len(key) > len(prefix)})
        wanted = ([0] if prefix in values else []) + labels
        base = next(b for b in range(1, 4096) if all((node ^ b ^ c) not in taken for c in wanted))
        taken.update(node ^ base ^ c for c in wanted)
        units[node] |= base << 10 | (256 if prefix in values else 0)
        if prefix in values:
            units[node ^ base] = values[prefix] | 1 << 31
        for label in labels:
            units[node ^ base ^ label] |= label
            place(node ^ base ^ label, prefix + bytes([label]))

    place(0, b"")
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + texts


def precompiled():
    made, trainer = unigram()
    table = {"\ufb01": "fi", "e\u0301": "é", "\u00a0": " ", "\u2003": " ", "é": "e", "\t": " ", "京": "kyo"}
    made.normalizer = normalizers.Precompiled(chars_map(table))
    return made, trainer


kinds = {
    "byteLevel": byte_level, "split": split_bytes, "sentencePiece": sentence_piece, "wordPiece": word_piece,
    "unigram": unigram, "precompiled": precompiled, "words": words, "clip": clip,
}
expected = {"texts": texts, "ids": {}}
for name, make in kinds.items():
    made, trainer = make()
    made.train_from_iterator(corpus, trainer)
    if name == "sentencePiece":
        # Training leaves the model's own settings out.
        described = json.loads(made.to_str())
        described["model"].update(byte_fallback=True, fuse_unk=True, unk_token="<unk>")
        described["added_tokens"] = described["added_tokens"][:3]
        made = Tokenizer.from_str(json.dumps(described))
    if name == "split":
        described = json.loads(made.to_str())
        described["model"]["ignore_merges"] = True
        made = Tokenizer.from_str(json.dumps(described))
    (fixtures / f"{name}.json").write_text(made.to_str() + "\n")
    expected["ids"][name] = [made.encode(text, add_special_tokens=False).ids for text in texts]

ids = numpy.frombuffer(text.encode(), dtype=numpy.uint8)
ids.astype("<u2").tofile(fixtures / "text.bin")
numpy.save(fixtures / "text.npy", ids.astype(numpy.int32).reshape(1, -1))
sys.path.insert(0, str(fixtures))
sys.dont_write_bytecode = True
from reader import Reader  # noqa: E402


def loss_of(data):
    """As a run of the class Reader: windows of the data, and targets one token later."""
    torch.manual_seed(0)
    model = Reader().eval()
    starts = torch.randint(0, len(data) - 32, (4,))
    idx = torch.stack([data[i : i + 32] for i in starts])
    targets = torch.stack([data[i + 1 : i + 33] for i in starts])
    return model(idx, targets=targets)[1].item()


divided = Tokenizer.from_file(str(fixtures / "split.json")).encode(text, add_special_tokens=False)
expected["losses"] = {
    "bytes": loss_of(torch.tensor(list(text.encode()))), "tokenizer": loss_of(torch.tensor(divided.ids)),
}
(fixtures / "expected.json").write_text(json.dumps(expected) + "\n")

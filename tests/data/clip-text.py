#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# The reference of clip-tokenize: openai/CLIP's simple_tokenizer, restated, in
# Debian 12's python3 (3.11, Unicode 14.0) with its python3-regex (2.5.123,
# Unicode 15.0) and python3-wcwidth.  ftfy 6.3.1 must be where PYTHONPATH says.
#
#	clip-text.py lines VOCABULARY >clip-text.jsonl
#	clip-text.py points | sha256sum	# the digest in clip-tokenize.bats
import html
import json
import random
import sys
import unicodedata

import ftfy
import regex

if (ftfy.__version__, regex.__version__, unicodedata.unidata_version) != (
        "6.3.1", "2.5.123", "14.0.0"):
    sys.exit("ftfy 6.3.1, regex 2.5.123 and Unicode 14.0.0 are needed")

WORD = regex.compile(
    r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d"
    r"|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+", regex.IGNORECASE)
MARKS = ["<|startoftext|>", "<|endoftext|>"]
# Parts for which the rules differ: case, classes, spaces, marks, suffixes.
PARTS = [
    "'s", "'\u017f", "'T", "'RE", "'ll", "<|startoftext|>", "<|ENDOFTEXT|>",
    "<|\u017ftartoftext|>", "<|END", "oftext|>", "\u03a3", "\u0391\u03a3",
    "\u03c2", "\u0130", "\u0131", "\u212a", "\u0345", "\u0307", "'", ".", ":",
    "\u00b7", "\u00ad", "a", "Z", "\u24d0", "\u24b6", "\u01c5", "\u1e9e",
    "\u00df", "\ufb01", "1", "\u00b2", "\u2167", "\u096b", "!", "\t", " ",
    "\u00a0", "\u2028", "\u0085", "\u001c", "\u001f", "\u200b", "\ufeff",
    "\u7684", "\u00e9", "e\u0301", "\U0001f600", "\U0001e4d0", "\U00011f02",
    "\u0378", "hello", "World", "</w>", "\u180e", "\u3000", "\r\n", "zz",
    "the", "ing", "\ufffd",
]


def cleaned(text):
    text = html.unescape(html.unescape(ftfy.fix_text(text))).strip()
    return regex.sub(r"\s+", " ", text).strip().lower()


def words(text):
    return WORD.findall(cleaned(text))


def letters():
    same = [b for b in range(256) if 33 <= b <= 126 or 161 <= b != 173]
    other = [b for b in range(256) if b not in same]
    return {**{b: chr(b) for b in same},
            **{b: chr(256 + i) for i, b in enumerate(other)}}


class Tokenizer:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            lines = f.read().split("\n")[1:49152 - 256 - 2 + 1]
        merges = [tuple(line.split()) for line in lines]
        self.letter = letters()
        vocab = list(self.letter.values())
        vocab += [v + "</w>" for v in vocab]
        vocab += ["".join(m) for m in merges] + MARKS
        self.vocab = vocab
        self.id = {v: i for i, v in enumerate(vocab)}
        self.rank = {m: i for i, m in enumerate(merges)}

    def merge(self, word):
        w = [self.letter[b] for b in word.encode()]
        w[-1] += "</w>"
        while len(w) > 1:
            pairs = [p for p in zip(w, w[1:]) if p in self.rank]
            if not pairs:
                break
            best = min(pairs, key=self.rank.get)
            out, i = [], 0
            while i < len(w):
                two = tuple(w[i:i + 2]) == best
                out.append("".join(w[i:i + 1 + two]))
                i += 1 + two
            w = out
        return w

    def ids(self, of):
        ids = [49406]
        for word in of:
            parts = [word] if word in MARKS else self.merge(word)
            ids += [self.id[p] for p in parts]
        return ids + [49407]


def line(rng, vocab):
    kind = rng.randrange(10)
    if kind < 5:
        return "".join(rng.choices(PARTS, k=rng.randrange(12)))
    if kind < 7:
        lows = [(0x20, 0x7f), (0x80, 0x800), (0x800, 0xd800),
                (0xe000, 0x110000), (0x10000, 0x20000)]
        return "".join(chr(rng.randrange(*rng.choice(lows)))
                       for _ in range(rng.randrange(1, 25)))
    if kind == 7:
        return "".join(rng.choices("aehinrst", k=rng.randrange(20, 120)))
    if kind == 8:
        some = ["a", "!", "ab", "th", "\U0001f600", "\u03a3'", "\u00e9"]
        return rng.choice(some) * rng.randrange(1, 60)
    return " ".join(v.replace("</w>", "") for v in rng.choices(vocab[512:4000], k=8))


def main():
    if sys.argv[1] == "points":
        for c in range(0x110000):
            if not 0xd800 <= c < 0xe000:
                x = chr(c)
                text = f"{x}a\u03a3{x}b\u03a3{x} A{x}\u03a3Z{x}"
                sys.stdout.buffer.write(
                    ("|".join(words(text)) + "\n").encode())
        return
    tokenizer = Tokenizer(sys.argv[2])
    rng = random.Random(2)
    for _ in range(600):
        text = line(rng, tokenizer.vocab)
        print(json.dumps({"text": text, "words": " ".join(words(text)),
                          "ids": tokenizer.ids(words(text))},
                         separators=(",", ":")))


if __name__ == "__main__":
    main()

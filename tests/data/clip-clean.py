#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Texts for each step by which openai/CLIP cleans a text before it splits the
# text into words, beginning with ftfy.fix_text(); and the cleaned texts:
#
#	clip-clean.py VOCABULARY >clip-clean.jsonl
#
# It needs the same packages as clip-text.py, which contains the rules.
import base64
import importlib.util
import json
import os
import random
import sys
import unicodedata

import ftfy
import ftfy.chardata

ENCODINGS = ftfy.chardata.CHARMAP_ENCODINGS
# Texts from which mojibake is made: Latin, Cyrillic, Greek, Turkish, Baltic,
# Czech, punctuation, symbols, Japanese, emoji.
WORDS = [
    "caf\xe9", "d\xe9j\xe0 vu", "\xe0 la carte", "na\xefve", "M\xfcnchen",
    "stra\xdfe", "\xc5ngstr\xf6m", "\xf1and\xfa", "\xa3 20", "\xa9 2024",
    "21 \xb0C", "\xbd", "\xabici\xbb", "\u201cyes\u201d", "it\u2019s",
    "a \u2013 b", "wait\u2026", "\u20ac 5", "\u2122", "\u2022 one",
    "\u017elut\xfd", "k\u016f\u0148", "\u0159eka", "\u0142\xf3d\u017a",
    "\u015bnieg", "\u0151r\xfclt", "\u0219arpe", "\u0131\u015f\u0131k",
    "g\xfcne\u015f", "\u0130stanbul", "\u0161al\u010dia", "\u016bdens",
    "\u0113na", "\u043f\u0440\u0438\u0432\u0435\u0442", "\u041c\u0438\u0440",
    "\u0451\u0436\u0438\u043a", "\u03ba\u03b1\u03bb\u03ac",
    "\u039b\u03cc\u03b3\u03bf\u03c2", "\u732b\u306e\u5199\u771f",
    "\u30c6\u30b9\u30c8", "\ud55c\uae00", "\u05e9\u05dc\u05d5\u05dd",
    "\u0645\u0631\u062d\u0628\u0627", "\u0939\u093f", "\u0e41\u0e21\u0e27",
    "\U0001f600", "\u2764\ufe0f", "\u2714 ok", "\xa0", "\ufeff", "\xe0 ",
    "Voil\xe0 le", "\u0420\u043e\u0441\u0441\u0438\u044f", "\xad", "\x81",
]
ASCII = ["a", "Cat", "dog", "on the", "it's", "5", "...", "!", "?", "<", ">",
         "&", ";", "(x)", "\u00a0", " ", "  ", "3.5", "#1", "s ", "quele"]
ENTITIES = [
    "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&nbsp;", "&eacute;",
    "&Eacute;", "&EACUTE;", "&eAcute;", "&NTILDE;", "&SZLIG;", "&AMP;", "&LT",
    "&amp", "&ampamp;", "&amp;amp;", "&amp;amp;amp;", "&amp;lt;", "&copy",
    "&copycat", "&notin;", "&notit;", "&not", "&Jscr;", "&HilbertSpace;",
    "&NotEqualTilde;", "&hellip;", "&hearts;", "&check;", "&fjlig;", "&bne;",
    "&CounterClockwiseContourIntegral;", "&none;", "&;", "&", "&#", "&#;",
    "&#39;", "&#39", "&#x27;", "&#X27;", "&#x;", "&#xg;", "&#038;lt;", "&#0;",
    "&#x80;", "&#x81;", "&#x9f;", "&#128;", "&#13;", "&#xd;", "&#xD800;",
    "&#xDFFF;", "&#x10FFFF;", "&#x110000;", "&#1114112;", "&#xfffe;", "&#1;",
    "&#x7f;", "&#x1F600;", "&#99999999999999999999;", "&#65;&#x301;",
    "&#\u0661;", "&#\u0661\u0662", "&#12\u0663;", "&lt;b&gt;", "&Aacute",
    "&aacutes", "&GT;", "&QUOT;", "&COPY;", "&#60;", "&amp;#60;", "&#x3c;br",
    "&AELIG;", "&THORN;", "&IJLIG;", "&Sup;", "&sup2", "&ETH", "&yuml;",
    "&YUML;", "&Yuml;", "&ImaginaryI;", "&ThickSpace;", "&NewLine;", "&Tab;",
    "&zwj;", "&lbbrk;", "&frac12;", "&rarr;", "&Rarr;", "&RARR;", "&times2",
]


def between(rng, parts):
    words = rng.choices(ASCII, k=len(parts) + 1)
    return "".join(w + rng.choice(["", " "]) + p
                   for w, p in zip(words, parts)) + words[-1]


def some(rng, values, most=3):
    return between(rng, rng.choices(values, k=rng.randrange(1, most + 1)))


def garble(text, encoding):
    raw = text.encode("utf-8")
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return raw.decode(encoding, "replace")


def mojibake(rng):
    text = " ".join(rng.choices(WORDS, k=rng.randrange(1, 4)))
    if rng.random() < .3:
        text = unicodedata.normalize("NFD", text)
    for _ in range(rng.choices([1, 2, 3], [8, 3, 1])[0]):
        text = garble(text, rng.choice(ENCODINGS))
    return text


def lost(rng):
    """Mojibake that has lost some characters."""
    text = mojibake(rng)
    kind = rng.randrange(6)
    if kind == 0:
        text = text.replace("\xa0", " ")
    elif kind == 1:
        text = "".join(rng.choice([c, "\ufffd", "?", "\x1a"])
                       if ord(c) > 127 and rng.random() < .3 else c
                       for c in text)
    elif kind == 2:
        text = garble(rng.choice(WORDS), "windows-1252") + text
    elif kind == 3:
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(WORDS) + text[at:]
    elif kind == 4:
        text = text[rng.randrange(len(text)):]
    else:
        text = text.upper() if rng.random() < .5 else text.lower()
    return rng.choice(["", "a ", "\u732b "]) + text + rng.choice(
        ["", " b", " \u0436"])


def variants(rng):
    """CESU-8 and Java's NUL, decoded as a single-byte encoding."""
    raw = b"".join(rng.choice([
        chr(rng.randrange(0x10000, 0x20000)).encode("utf-16-be"),
        "\U0001f62d".encode("utf-16-be")]) for _ in range(rng.randrange(1, 3)))
    raw = b"".join(chr(int.from_bytes(raw[i:i + 2], "big")).encode(
        "utf-8", "surrogatepass") for i in range(0, len(raw), 2))
    raw = rng.choice([raw, raw[:3], raw[:-1], b"a\xc0\x80b", raw + b"\xc0\x80",
                      b"\xed\xa0?\xed\xb0\x80", b"\xed\xa0\x80\xed\xb0\x1a",
                      raw + b"\xc3\xa9", raw + b"\xf0\x9f\x98\x80"])
    return some(rng, ASCII, 1) + raw.decode(rng.choice(
        ["latin-1", "sloppy-windows-1252", "sloppy-windows-1251"]))


def characters(rng, ranges, most=6):
    return some(rng, [chr(c) for r in ranges for c in r], most)


def marks(rng):
    parts = ["<|startoftext|>", "<|endoftext|>", "<|STARTOFTEXT|>", "<|",
             "&lt;|endoftext|&gt;", "&lt;|startoftext|>", "|>", "endoftext",
             "\uff1c\uff5cendoftext\uff5c\uff1e", "<|end\x00oftext|>",
             "<|endoftext|", "<|\u017ftartoftext|>", "</w>",
             "<|&#101;ndoftext|>", "<|end\u200boftext|>"]
    return some(rng, parts)


def lower(rng):
    parts = ["\u03a3", "\u0391\u03a3", "A\u03a3", "\u03a3.", "\u0130", "I",
             "\u0130\u0307", "\u1e9e", "\xdf", "\u01c5", "\u212a", "\u2126",
             "\u0345", "\xad", "\u2019", "'", ":", "\u00b7", "\u24b6", "\ua7c0",
             "\U00010400", "\U0001e900", "\u1c89", "\u10a0", "\u13a0", "Z"]
    return "".join(rng.choices(parts, k=rng.randrange(1, 7)))


def composed(rng):
    bases = "aAeoUnNdqsS\u0391\u03b9\u0438\u1100\u1161\u11a8\u1112\uac00"
    bases += "\u304b\u30cf\u0928\u0915\u09c7\u0bc6\u0dd9\u1025\u0dca\u05d0"
    marks_ = "\u0300\u0301\u0302\u0303\u0307\u0308\u030a\u030c\u0323\u0327\u0328"
    marks_ += "\u0331\u0338\u0344\u0345\u035c\u0340\u0315\u3099\u309a\u093c"
    marks_ += "\u09be\u0bbe\u0dcf\u102e\u05b4\u05bc\u1161\u11a8\u0334\U0001d165"
    marks_ += "\U00010efd\u1ac5\u08ca\u0cf3\ufb1e"
    single = "\u212b\u2126\u0374\u037e\u0958\u2adc\ufb1d\uf900\ufa0e\U0002f800"
    single += "\u1e9b\u0958\u0f73\u0f43\U0001d15e\u2329\u1fef\u0387\u2000\u2001"
    return "".join(
        rng.choice(single) if rng.random() < .15 else
        rng.choice(bases) + "".join(rng.choices(marks_, k=rng.randrange(4)))
        for _ in range(rng.randrange(1, 5)))


def escapes(rng):
    parts = ["\x1b[", "\x1b[0m", "\x1b[36;44m", "\x1b[;;K", "\x1b]0;t\x07",
             "\x1b[1;\u0661m", "\x1b\x1b[1m[2m", "\x1b[1\x00m", "\x1b[?25h",
             "\x1b[\uff11m", "m", "\x9b1m", "\x1b[1\u0967;m", "\x1b"]
    return some(rng, parts, 4)


def spaces(rng):
    parts = ["\t", "\n", "\v", "\f", "\r", "\r\n", "\n\r", "\x1c", "\x1d",
             "\x1e", "\x1f", "\x85", "\xa0", "\u1680", "\u180e", "\u2000",
             "\u200a", "\u200b", "\u2028", "\u2029", "\u202f", "\u205f",
             "\u2060", "\u3000", "\ufeff", "&#32;", "&nbsp;", "&#x2003;",
             "&#x1c;", "&#13;"]
    return some(rng, parts, 5)


def bytes_(rng):
    parts = [b"\xff", b"\xc3", b"\xc3(", b"\xe1\x80", b"\xf0\x9f\x98",
             b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"caf\xe9",
             b"\x80", b"\xf8\x88\x80\x80\x80", "caf\xe9".encode(), b"\xe2\x80",
             b"\xe9t\xe9", b"\xc3\xa9", b"\xef\xbf\xbd", b"\x93hi\x94"]
    raw = b" ".join(rng.choices(parts, k=rng.randrange(1, 4)))
    return raw + rng.choice(ASCII).encode()


def lines(rng):
    """Segments: a "<" keeps entities in its own and in later segments."""
    parts = ["&amp;", "&eacute;", "&amp;lt;", "<", "caf\xc3\xa9", "x < y",
             "\u201cq\u201d", "&EACUTE;", "\uff21", "&#x3c;", "&amp;amp;amp;",
             "\xe2\x80\x99s", "&lt;", "a", "\u3000"]
    return "".join(some(rng, parts, 2) + rng.choice(["\n", "\n", "\r\n", "\r",
                   "\u2028", "\x85", " "]) for _ in range(rng.randrange(1, 4)))


WIDTHS = [range(0xff01, 0xfff0), range(0x3000, 0x3001), range(0x30ab, 0x30ad)]
QUOTES = [range(0x2018, 0x2020), [0x2bc, 0x149, 0xb4, 0x60, 0x2039, 0x203a]]
LIGATURES = [range(0xfb00, 0xfb07), range(0x1c4, 0x1cd), range(0x1f1, 0x1f4),
             range(0x132, 0x134), [0x149, 0xe6, 0x153, 0xfb13, 0x1f0]]
CONTROLS = [range(0, 32), range(0x7f, 0x80), range(0x206a, 0x2070), [0xfeff],
            range(0xfff9, 0xfffd), range(0x200c, 0x2010), [0xad, 0xfffe]]
KINDS = {
    "width": lambda r: characters(r, WIDTHS),
    "quotes": lambda r: characters(r, QUOTES),
    "ligatures": lambda r: characters(r, LIGATURES),
    "controls": lambda r: characters(r, CONTROLS),
    "c1": lambda r: characters(r, [range(0x80, 0xa0)], 4),
    "escapes": escapes,
    "entities": lambda r: some(r, ENTITIES),
    "segments": lines,
    "nfc": composed,
    "mojibake": mojibake,
    "lost": lost,
    "variants": variants,
    "lower": lower,
    "spaces": spaces,
    "marks": marks,
    "bytes": bytes_,
}


def mixture(rng):
    kinds = [k for k in KINDS if k != "bytes"]
    return "".join(KINDS[k](rng) + rng.choice(["", " ", "\n"])
                   for k in rng.choices(kinds, k=rng.randrange(2, 4)))


KINDS["mixture"] = mixture


def steps(text):
    """The steps that ftfy reports for the text, treated as one segment."""
    return {" ".join(s) for s in ftfy.fix_and_explain(text)[1] or []}


def choose(rng, count):
    """Every entity, COUNT texts of each kind, and ten for each step of ftfy."""
    for i in range(0, len(ENTITIES), 3):
        yield "entities", between(rng, ENTITIES[i:i + 3])
    for kind, make in KINDS.items():
        for _ in range(count):
            yield kind, make(rng)
    seen = {}
    for _ in range(40000):
        kind = rng.choice(["mojibake", "lost", "variants"])
        text = KINDS[kind](rng)
        rare = [s for s in steps(text) if seen.setdefault(s, 0) < 10]
        if rare and len(text) < 40:
            for s in rare:
                seen[s] += 1
            yield kind, text
    print(json.dumps(seen, indent=1), file=sys.stderr)


def clip():
    at = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "clip-text.py")
    spec = importlib.util.spec_from_file_location("clip_text", at)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    text_py = clip()
    tokenizer = text_py.Tokenizer(sys.argv[1])
    for kind, made in choose(random.Random(3), 24):
        line = {"kind": kind}
        if isinstance(made, bytes):
            text = made.decode("utf-8", "replace")
            line["bytes_b64"] = base64.b64encode(made).decode()
        else:
            text = line["text"] = made
        line["clean"] = text_py.cleaned(text)
        line["ids"] = tokenizer.ids(text_py.words(text))
        print(json.dumps(line, separators=(",", ":")))


if __name__ == "__main__":
    main()

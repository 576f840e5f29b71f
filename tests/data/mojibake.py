#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# How ftfy 6.3.1 repairs mojibake, in Python 3.11.  The texts are random; a text
# is kept while a rule, an encoding or a step that it needs has too few texts.
#
#	PYTHONPATH=ftfy python3 tests/data/mojibake.py >tests/data/mojibake.txt
import random
import re
import re._parser as parser
import sys

import ftfy
from ftfy import badness, chardata, fixes

ENCODINGS = chardata.CHARMAP_ENCODINGS
DECODED = {e: bytes(range(256)).decode(e) for e in ENCODINGS}
RULES = [re.compile(rule, re.VERBOSE) for rule in
         re.split(r"\n\s*\|\n", badness.BADNESS_RE.pattern)]
TREES = [parser.parse(rule.pattern, re.VERBOSE) for rule in RULES]
ENOUGH = 4		# texts of each kind

TEXTS = [
    "\u00e9t\u00e0\u00e7\u0153\u00d1\u00c1\u00df", "\u2019\u201c\u201d\u2026"
    "\u2013\u2014\u20ac\u2122\u00ae\u00a9\u00b0", "\u0440\u0443\u0441\u0420",
    "\u03b5\u03bb\u03b7\u03c2\u0386", "\u65e5\u672c\u8a9e", "\ud55c\uad6d",
    "\u0639\u0631\u0628", "\u05e2\u05d1", "\u0939\u093f", "\u0e44\u0e17",
    "\u017c\u00f3\u0142\u0107", "\u011f\u0131\u015f\u0130", "\u0113\u0146",
    "\U0001f600\U0001f389", "\u00e0\u00c3\u00a0", "\0", "abc ,.?", " ls ",
]
PARTS = [
    "\u00c3\u0083", "\u00c2\u00a9", "\u00c3\u00a9", "\u00a9",
    "\u00e2\u20ac\u2122", "\u00e2\u20ac\u0153", "\u00c3 ", "\u00c2 ",
    "\u00c3\u0192", "\u0081", "\u0080", "\u0160", "\u5b57", "a", "quele ",
    "s ", " ", "\ufffd", "\u00d0 ", "\u0420 ", "\n", "\u001a", "\u00c0\n",
    "\u00f0\u0178\u02dc\u0080", "\u2013", "?", "\u00c0\u0080",
    "\u00ed\u00a0\u00bd\u00ed\u00b8\n", "\u0633", "\u2003", "_",
]

# Texts for cases that are too rare in random texts.  C2 80 makes a text bad.
TRAPS = [
    "\u00c3 quele", "\u00c3 quela x", "\u00c3 quilos", "\u00c3 s x",
    "\u00c3  x", "\u00c3 so", "\u00c3 quel", "\u00c3 ", "\u00c3 s",
    "B\n\u00c3 b", "B \u00c3 b", "b \u00c3 b", "b\u00c3 b", "b\n\u00c3 b",
    "\u0413\u045e\u0412\u0402\u0412.a", "\u0413\u045e\u0412\u0402\u0412\na",
    "\u00ac\u00a2\u221a x", "\ufffd\ufffd\u00c4?", "\ufffd\ufffd\u00e2??",
    "\ufffd\ufffd\u00f0??\u00a9", "\ufffd\ufffd\u00f0?\ufffd?",
    "\ufffd\ufffd\u00ed\u00a1?\u00ed\u00b1?",
    "\u00c3\u0083\u00a9" * 7 + "\u5b57", "\u00c2" * 20 + "\u0083\u5b57",
    "\u0420" + " " * 20 + "\ufffd\ufffd", "\u00f0\u0178\u02dc\u0080",
    "\u00c5\u0178" * 6 + "\u00c3\u00c2\u00a9\u5b57",
    "\u0396\u0408\u0420\u038f\u0417\u00ac\u041c\u201e\u00c3\u00a9\u00d2\u0096",
    "\u00c2" * 9 + "\u008a\u00c3\u0083\u00a9\u00c3\u0083\u00a9\u5b57",
] + ["\u00c2\u0080" + data.decode("latin-1") for data in [
    b"\xe2\x85 ", b"\xe2 \x85", b"\xe2\xa0 ", b"\xe2 \xa0", b"\xe2\x84 ",
    b"\xe1 \x80", b"\xe1\x82 ", b"\xe0\xa1 ", b"\xe4\x80 ", b"\xe3 \x81",
    b"\xf0  \x80", b"\xf0 \x80\x80", b"\xf0\x90 \x80", b"\xf0\x90\x80 ",
    b"\xf0\x90  ", b"\xf1\x90\x80 ", b"\xc0\n", b"\xc0\na", b"\xc0\x80",
    b"\xc0", b"\xed\xa0\xbd\xed\xb8\n", b"\xed\xa0\xbd\xed\xb8\na",
    b"\xed\xa0\xbd\xed\xb8\x80", b"\xed\xa0\xbd\xed\n", b"\xed\n",
    b"\xed\xb0\x80\xed\xb8\x80", b"\xed\xa0\x80", b"\xed\x95\x9c",
    b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\x1a", b"\x81",
    b"\xc5 ", b"\xce ", b"\xd0 ", b"\xd9 ", b"\xc4 ", b"\xc2 ",
]]


def cesu(text):
    """CESU-8, with C0 80 for U+0000."""
    out = b""
    for c in text:
        units = c.encode("utf-16-be")
        for i in range(0, len(units), 2):
            unit = chr(int.from_bytes(units[i:i + 2], "big"))
            out += b"\xc0\x80" if c == "\0" else \
                unit.encode("utf-8", "surrogatepass")
    return out


def plain(rng):
    return "".join(rng.choice(rng.choice(TEXTS))
                   for _ in range(rng.randrange(1, 8)))


def read_wrong(rng):
    text = plain(rng)
    for _ in range(rng.choice([1, 1, 2])):
        encode = rng.choice([cesu, str.encode])
        text = encode(text).decode(rng.choice(ENCODINGS))
        damage = rng.randrange(6)
        at = rng.randrange(len(text))
        if damage == 0:
            text = text.replace("\u00a0", " ")
        elif damage == 1:
            text = text[:at] + rng.choice("\ufffd?") + text[at + 1:]
        elif damage == 2:
            text = text[:at]
        elif damage == 3:
            text += rng.choice(PARTS)
        if not text:
            break
    return text


def near(rng):
    """Bytes that are almost UTF-8."""
    out = b""
    for _ in range(rng.randrange(1, 5)):
        first, more = rng.choice([
            (b"\xc2\xc3\xc5\xce\xd0\xd9\xc4\xc0", 1),
            (b"\xe0\xe1\xe2\xe3\xe4\xed", 2), (b"\xf0\xf1\xf4", 3),
            (b"\xed", 5), (b"ab .", 0)])
        rest = [rng.choice(b"\x80\x85\x90\xa0\xb0\xbf \x1a?") for _ in
                range(more)]
        if more == 5:
            rest = [0xa0, rest[1], 0xed, 0xb0, rest[4]]
        out += bytes([rng.choice(first)] + rest)
    return rng.choice(["\ufffd\ufffd", "\u00c3\u0080", ""]) + \
        out.decode(rng.choice(ENCODINGS)) + rng.choice(["", "", "\n"])


def odd(rng):
    return "".join(rng.choice(PARTS) for _ in range(rng.randrange(1, 9)))


def one_of(rng, items):
    """A character of a set, from the tree of Python's pattern parser."""
    other = items[0][0] == parser.NEGATE
    if other:
        return rng.choice("\u00e9 0\u5b57")
    op, value = rng.choice(items)
    if op == parser.RANGE:
        return chr(rng.randint(*value))
    if op == parser.CATEGORY:
        return rng.choice(" \n\u2003" if value == parser.CATEGORY_SPACE
                          else "a0_\u5b57\u00e9\u0663")
    return chr(value)


def matching(rng, tree):
    """A text that a rule matches."""
    out = ""
    for op, value in tree:
        if op == parser.LITERAL:
            out += chr(value)
        elif op == parser.NOT_LITERAL or op == parser.ANY:
            out += rng.choice("a \u00e9")
        elif op == parser.IN:
            out += one_of(rng, value)
        elif op == parser.MAX_REPEAT and rng.randrange(2):
            out += matching(rng, value[2])
    return out


def by_rule(rng):
    """A text that a rule matches, or almost matches."""
    text = matching(rng, rng.choice(TREES))
    if rng.randrange(3) == 0:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice("a \n\u00e9\u5b57") + text[at + 1:]
    return rng.choice(["", "", "", "a", " ", "\n"]) + text + \
        rng.choice(["", "", "a", " "])


def alternatives(what, pattern, data):
    return ["%s-%d" % (what, i) for i, alternative in
            enumerate(pattern.pattern.split(b"|"), 1)
            if re.search(alternative, data)]


def kinds(text, fixed, plan):
    """Which rules and steps apply to the text."""
    out = ["rule-%d" % i for i, rule in enumerate(RULES, 1)
           if rule.search(text)]
    if len(out) == 1:
        out = ["only-" + out[0]]
    how = [step.action + ":" + step.parameter for step in plan]
    steps = 1
    if how and how[0].startswith("encode"):
        while not how[steps - 1].startswith("decode"):
            steps += 1
    first = "+".join(how[:steps])
    out.append(first or ("bad-but-same" if out else "same"))
    if len(how) > steps:
        out.append("another-round")
    if first.startswith("encode"):
        data = text.encode(plan[0].parameter)
        if "restore_byte_a0" in first:
            out += alternatives("a0", chardata.ALTERED_UTF8_RE, data)
            if fixes.A_GRAVE_WORD_RE.search(data):
                out.append("a-grave")
        if "replace_lossy" in first:
            out += alternatives("lossy", chardata.LOSSY_UTF8_RE, data)
        if first.endswith("variants") and text.endswith("\n") and \
                not fixed.endswith("\n"):
            out.append("newline-swallowed")
    return out


def cases():
    rng = random.Random(3)
    makers = [plain, read_wrong, read_wrong, near, near, odd, by_rule,
              by_rule]
    seen = {}
    for i in range(-len(TRAPS), 400000):
        text = TRAPS[i] if i < 0 else rng.choice(makers)(rng)
        if len(text) > 24:
            continue
        fixed, plan = ftfy.fix_encoding_and_explain(text)
        what = kinds(text, fixed, plan)
        if i >= 0 and all(seen.get(k, 0) >= ENOUGH for k in what):
            continue
        for k in what:
            seen[k] = seen.get(k, 0) + 1
        yield text, fixed, what
    for i in range(1, len(RULES) + 1):
        if "only-rule-%d" % i not in seen:
            print("rule", i, "is never alone", file=sys.stderr)


def written(text):
    return ",".join("%x" % ord(c) for c in text)


if __name__ == "__main__":
    print("# SPDX-License-Identifier: Apache-2.0")
    print("# Made by tests/data/mojibake.py: ftfy 6.3.1, Python 3.11.")
    print("# IS_BAD TEXT FIXED RULES-AND-STEPS; = means: the same text")
    for was, now, what in cases():
        print(int(badness.is_bad(was)), written(was) or "-",
              "=" if now == was else written(now) or "-", " ".join(what))

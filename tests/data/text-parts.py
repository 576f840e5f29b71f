#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# The reference for entity.c, nfc.c and characters.c in lib/text: Python 3.11
# (Unicode 14.0) and ftfy 6.3.1.
#
#	text-parts.py >text-parts.txt
import random
import re
import sys
import unicodedata
from html import unescape
from html.entities import html5

from ftfy import chardata, fixes

SCALARS = [chr(c) for c in range(0x110000) if not 0xd800 <= c < 0xe000]
STEPS = ["fix_c1_controls", "fix_latin_ligatures", "fix_character_width",
         "uncurl_quotes", "fix_line_breaks", "fix_surrogates",
         "remove_terminal_escapes", "remove_control_chars"]


def characters(text):
    for step in STEPS:
        text = getattr(fixes, step)(text)
    return text


def settle(text):
    was = None
    while text != was:
        was, text = text, fixes.unescape_html(text)
    return text


def nfc(text):
    return unicodedata.normalize("NFC", text)


REFERENCE = {"fix": fixes.unescape_html, "settle": settle,
             "unescape": unescape, "nfc": nfc, "characters": characters}

# ---- Digests: FNV-1a over code points -------------------------------------


def fnv(h, values):
    for v in values:
        h = (h ^ v) * 0x100000001b3 % 2 ** 64
    return h


def digest(texts):
    h = 0xcbf29ce484222325
    for text in texts:
        h = fnv(h, [len(text), *map(ord, text)])
    return h


def names():
    """Each name, its characters, and its kinds in lib/text/entity_data.h."""
    every = {n.rstrip(";") for n in html5}
    every |= {n[1:-1] for n in chardata.HTML_ENTITIES}
    h = 0xcbf29ce484222325
    for n in sorted(every, key=lambda n: (len(n), n)):
        kinds = (n + ";" in html5) + 2 * (n in html5)
        kinds = kinds or 4
        value = chardata.HTML_ENTITIES["&" + n + ";"]
        assert n not in html5 or html5[n] == value
        h = fnv(h, [*map(ord, n), kinds, len(value), *map(ord, value)])
    return h


# ---- Single cases ---------------------------------------------------------

ENTITIES = """&amp; &AMP; &amp &ampx; &lt;&gt &notin; &notit; &not; &noti &nbsp
&Aacute; &AACUTE; &aACUTE; &NTILDE; &nTILDE; &SZLIG; &FFILIG; &FILIG; &NAPOS;
&NVLT; &nvlt; &bne; &acE; &fjlig; &AF; &LTDOT; &GTCC; &COPY; &COPYSR; &REGX;
&ETHX; &ETH &THORN; &DotDot; &tdot; &semi; &colon; &num; &Tab; &NewLine; &apos
&CounterClockwiseContourIntegral; &CounterClockwiseContourIntegra;
&CounterClockwiseContourIntegralx; &counterclockwisecontourintegral;
&#0; &#1; &#8; &#9; &#10; &#11; &#12; &#13; &#14; &#31; &#32; &#38; &#59; &#x3b;
&#X3B; &#59 &#126; &#127; &#128; &#129; &#133; &#159; &#160; &#x80 &#x9Fg;
&#55295; &#55296; &#57343; &#xE000; &#xfdcf; &#xfdd0; &#xfdef; &#xfdf0; &#xfffd;
&#xfffe; &#xffff; &#x10000; &#x1fffe; &#1114109; &#1114111; &#1114112;
&#4294967361; &#18446744073709551681; &#00000000000000000000065;
&#%s65; &#%s65; &#x%s41; &#x%s41; &#xg; &#; &#x; &#X &# &
&; &&amp; &amp;amp; &amp;amp;amp;lt; &#38;#38; &&num;38; &am&#112;; &amp&semi;
&semi&semi&semi; &#12a; &#x41g; &a; &0; &frac12 &frac12; &FRAC12; &frac123;
&sup1 &there4; &THERE4; &amp\u00e9; &\u00e9; &#\u0661; &#x\uff11; &amp\uff1b
&#65\uff1b &lt&lt;&#60 &quot&QUOT; &centerdot; &cent&centerdot &Eacute&eacute
&&#97;mp;#97;mp; &hearts; &HEARTS; &zwj; &ZWJ; &imath; &IMATH; &gt;&gt &nang;"""
ENTITIES = (ENTITIES % tuple("0" * n for n in (22, 23, 21, 22))).split()

CHARACTERS = [
    "\x1b[31mred\x1b[0m", "\x1b[m", "\x1b[", "\x1b", "\x1b[31", "\x1b[;;;",
    "\x1b[;;;\x1b[1;1K", "\x1b[\u0661\u0967;\U0001d7d9m", "\x1b\uff3b\uff11\uff4d",
    "\x1b[\ufb02", "\x1b[1\ufb05x", "\x1b\x00[1m", "\x1b[1\x00m", "\x1b\x1b[1mm",
    "\x1b[1\u00b2m", "\x1b[1@", "\x1b[1`", "\x1b[1{", "\x1b[1[", "\x1b[[1m",
    "\x1b[\U0001e4f0m", "\x1b[\U00011f50m", "\x1b[\U0001fbf0m", "\x1b[\u0149m",
    "a\r\nb\rc\n\rd\r\r\ne\r", "\x85\u2028\u2029\r\u2028\n", "\r", "\r\r", "\r\n",
    "\u02bc\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039",
    "\x91\x92\x82\x93\x94\x84", "\u0149\u0132\u01c5\ufb05\ufb06\u017f",
    "\uff01\uff5e\uff5f\uff60\u3000\u3001\uff61\uff9e\uff9f\uffa0\uffdc\uffe0",
    "\uffe3\uffe6\uffe8\uffee\uffef\uff00", "\uff76\uff9e\u30ab\uff9e",
    "\ufeff\ufffc\ufff8\ufffd\u206a\u2069\u206f\x7f\x0b\x0c\x1c\x00\x08\x0e\t",
    "".join(map(chr, range(0x80, 0xa0))), "", "plain text", "\u00e9\u4e2d\U0001f600",
]

NORMAL = [
    "", "abc", "e\u0301", "\u00e9\u0323", "e\u0323\u0302", "e\u0302\u0323",
    "\u1e69", "s\u0307\u0323", "\u212b\u2126\u212a", "\u1100\u1161\u11a8",
    "\uac00\u11a8", "\uac01\u11a8", "\uac00\u11a7", "\u1100\u1161\u11a7",
    "\u1112\u1175\u11c2", "\u1112\u1175\u11c3", "\u1113\u1161", "\u1100\u1176",
    "\u1100\u0300\u1161", "\uac00\u0300\u11a8", "\u0958\u095f", "\u0915\u093c",
    "\u09c7\u09be", "\u09c7\u0301\u09be", "\u0344", "\u0300\u0344a\u0344",
    "\ufb1d\ufb2c", "\u1f82", "\u03b1\u0313\u0300\u0345", "\u0345\u03b1\u0345",
    "\U0001d15e\U0001d1c0", "\u2adc", "\uf900\ufa0e", "\U0002f800",
    "\u0f73\u0f75\u0f81", "\u0f71\u0f72\u0f74\u0f80", "\u0041\u030a\u0301",
    "\u0300", "\u0301\u0300", "\u0327\u0300", "\u0300\u0327", "\u3099\u304b\u3099",
    "\u304b\u3099\u3099", "\U00011131\U00011127", "\U00011347\U0001133e",
    "\U00010efd\u0323\U00010eff", "a\U0001e08f\u0323", "\u1b05\u1b35",
    "a\u0315\u0300\u05ae\u0300b", "a\u0300\u0315\u05ae\u0062", "\u0340\u0341\u0343",
    "a\u0346\u0301", "a\u0332\u0301",
    "a" + "\u0301\u0323\u0315" * 7, "\u0387\u037e\u1fef", "\u0374\u02b9",
]


CHANGED = [c for c in SCALARS if characters(c) != c]
DIGITS = [c for c in SCALARS if unicodedata.category(c) == "Nd"]
MARKS = [c for c in SCALARS if unicodedata.combining(c)]
MADE = [c for c in SCALARS if unicodedata.normalize("NFD", c) != c]


def parts(rng):
    """The parts from which the next texts for an operation are made."""
    every = list(html5)
    yield "fix unescape settle", [
        "&" + rng.choice(every), "&" + rng.choice(every)[:4], "&#", "&#x", "&", ";",
        "&#%d;" % rng.randrange(300), "&#x%x" % rng.randrange(0x110000), "#",
        "amp;", "&am", "p;", "&semi", "112;", "0", "a", "F", "\u00e9", " ", "x"]
    yield "characters", [
        "\x1b[", "\x1b", "[", ";", "1", "m", "\r", "\n", rng.choice(SCALARS),
        rng.choice(CHANGED), rng.choice(CHANGED), rng.choice(DIGITS)]
    two = unicodedata.normalize("NFD", rng.choice(MADE))
    yield "nfc", [
        rng.choice(MARKS), rng.choice(MARKS), rng.choice(MADE), two, two[-1],
        two[0], chr(rng.randrange(0x1100, 0x1200)), "a",
        chr(0xac00 + rng.randrange(400) * 28), rng.choice(SCALARS)]


def cases(rng):
    for text in ENTITIES:
        for op in ["fix", "settle", "unescape"]:
            yield op, text
    for text in CHARACTERS:
        yield "characters", text
    for text in NORMAL:
        yield "nfc", text
    for _ in range(40):
        for ops, some in parts(rng):
            text = "".join(rng.choices(some, k=rng.randrange(2, 9)))
            for op in ops.split():
                yield op, text


def points(text):
    return ",".join("%x" % ord(c) for c in text) or "-"


def main():
    print("# SPDX-License-Identifier: Apache-2.0")
    print("# Made by text-parts.py; code points in hexadecimal, - is empty")
    print("digest names %x" % names())
    for op in ["nfc", "characters"]:
        print("digest %s %x" % (op, digest(map(REFERENCE[op], SCALARS))))
    for op in ["fix", "unescape"]:
        texts = ("&#%d;" % ord(c) for c in SCALARS)
        print("digest %s %x" % (op, digest(map(REFERENCE[op], texts))))
    for op, text in cases(random.Random(3)):
        print(op, points(text), points(REFERENCE[op](text)))


assert sys.version_info[:2] == (3, 11) and re.match("14", unicodedata.unidata_version)
main()

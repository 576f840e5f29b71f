#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes calibration data, and models for it, with the standard library alone.

calibgen.py npy TYPE SHAPE VALUES >FILE
calibgen.py npz [-c] NAME:TYPE:SHAPE:VALUES... >FILE
calibgen.py header TEXT BYTES >FILE
calibgen.py model KIND >FILE

TYPE is as in numpy, such as <f4; SHAPE is such as 4,3,8,8; VALUES is a name of
VALUES below, or a number.  header writes a .npy with this text as its header
and so many bytes of zeros after it.  With -c, the archive is compressed.
"""
import io
import struct
import sys
import zipfile

import onnxgen as o

S32 = 6
CODES = {"f4": "f", "f8": "d", "f2": "e", "i1": "b", "u1": "B", "i2": "h",
         "i4": "i", "i8": "q", "u8": "Q"}
VALUES = {
    "ramp": lambda i: (i % 101 - 50) / 50,
    "bytes": lambda i: i * 7 % 256,
    "resized": lambda i: i * 7 % 256 * 0.9999,
    "nan": lambda i: float("nan") if i == 200 else 0.5,
    "infinite": lambda i: float("inf") if i == 7 else -i,
    "ids": lambda i: i % 512,
    "from-449": lambda i: 449 + i,
}


def head(text):
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode()


def npy(kind, shape, values):
    sizes = [int(s) for s in shape.split(",") if s]
    n = 1
    for s in sizes:
        n *= s
    f = VALUES.get(values) or (lambda i: float(values))
    numbers = [f(i) for i in range(n)]
    code = CODES[kind[1:]]
    if code not in "fde":
        numbers = [int(v) for v in numbers]
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (
        kind, "".join("%d," % s for s in sizes))
    order = ">" if kind[0] == ">" else "<"
    return head(text) + struct.pack("%s%d%s" % (order, n, code), *numbers)


def npz(members, method=zipfile.ZIP_STORED):
    f = io.BytesIO()
    with zipfile.ZipFile(f, "w", method) as z:
        for m in members:
            name, kind, shape, values = m.split(":")
            z.writestr(zipfile.ZipInfo(name + ".npy"), npy(kind, shape,
                       values), method)
    return f.getvalue()


def floats(n, most):
    return struct.pack("<%df" % n, *[(i % 5 - 2) / 2 * most
                                     for i in range(n)])


def picture(most=0.5, before=()):
    """A Conv of x [1,3,8,8], after other nodes."""
    last = "x" if not before else before[-1][2][0]
    return o.model(o.graph(
        nodes=[o.node(*b) for b in before] +
        [o.node("Conv", (last, "w"), ("y",))],
        tensors=[o.weights("w", (4, 3, 3, 3), floats(108, most)),
                 o.weights("m", (1,), floats(1, 1)),
                 o.weights("axis", (1,), bytes(8), o.S64)],
        inputs=[o.port("x", (1, 3, 8, 8))],
        outputs=[o.port("y", (1, 4, 6, 6))]))


def pair(names, sizes=((1, 8), (1, 8))):
    return o.model(o.graph(
        nodes=[o.node("Concat", names, ("y",))], tensors=[],
        inputs=[o.port(n, s) for n, s in zip(names, sizes)],
        outputs=[o.port("y", (1, sum(s[1] for s in sizes)))]))


def table(kind=S32):
    return o.model(o.graph(
        nodes=[o.node("Gather", ("T", "ids"), ("y",))],
        tensors=[o.weights("T", (512, 2), floats(1024, 1))],
        inputs=[o.port("ids", (1, 16), kind)],
        outputs=[o.port("y", (1, 16, 2))]))


MODELS = {
    "picture": picture,
    "scaled": lambda: picture(before=[
        ("Identity", ("x",), ("i",)), ("Sub", ("i", "m"), ("z",))]),
    "small-weights": lambda: picture(most=0.002),
    "pair": lambda: pair(("zeta", "alpha")),
    "sorted": lambda: pair(("alpha", "zeta")),
    "different": lambda: pair(("zeta", "alpha"), ((1, 4), (1, 8))),
    "table": table,
}


def main():
    what, args = sys.argv[1], sys.argv[2:]
    if what == "npy":
        out = npy(*args)
    elif what == "header":
        out = head(args[0]) + bytes(int(args[1]))
    elif what == "model":
        out = MODELS[args[0]]()
    elif args[0] == "-c":
        out = npz(args[1:], zipfile.ZIP_DEFLATED)
    else:
        out = npz(args)
    sys.stdout.buffer.write(out)


main()

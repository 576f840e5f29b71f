#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what cix-lint reads from calibration data with numpy.

samplesref.py SAMPLESDUMP

Writes files in a temporary folder: each type, in both byte orders and both
orders of elements, as .npy and as .npz, compressed and not; and headers that
numpy refuses.  Prints the differences; the status is 1 if there are any.
"""
import io
import os
import random
import struct
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

TYPES = ["f4", "f8", "f2", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8",
         "b1"]
NAMES = {"f2": "f16", "f4": "f32", "f8": "f64", "b1": "bool"}
SHAPES = [(), (5,), (3, 4), (1, 7), (7, 1), (2, 3, 4), (3, 2, 2, 5),
          (2, 1, 2, 1, 2, 1, 2), (0,), (3, 0, 2), (1,) * 32]
bad = []


def wrong(*words):
    bad.append(words)
    print(*words)


def dump(tool, path, *args):
    return subprocess.run([tool, path, *args], capture_output=True)


def numbers(rng, kind, shape):
    n = int(np.prod(shape, dtype=np.int64))
    small = [rng.randrange(0, 100) for _ in range(n)]
    return np.array(small).reshape(shape).astype(kind)


def compare(tool, path, arrays):
    """Compares the description and the elements of all arrays."""
    got = dump(tool, path)
    lines = got.stdout.decode().splitlines()
    if got.returncode != 0 or len(lines) != len(arrays):
        wrong(path, got.stderr.decode(), lines)
        return
    for line, (name, a) in zip(lines, arrays.items()):
        code = a.dtype.str[1:]
        kind = NAMES.get(code) or code.replace("i", "s")
        kind = kind[0] + str(8 * int(kind[1:])) if kind[0] in "su" else kind
        want = "'%s' %s (%s) %d 0 %d" % (
            name, kind, ",".join(map(str, a.shape)), a.size,
            np.count_nonzero(a))
        want += " %.9g %.9g" % ((a.min(), a.max()) if a.size else (0, 0))
        if line != want:
            wrong(path, "has", line, "and numpy", want)
    for kind, np_kind in (("f32", "<f4"), ("s64", "<i8"), ("u8", "u1"),
                          ("f16", "<f2"), ("f64", "<f8")):
        want = b"".join(np.ascontiguousarray(a).astype(np_kind).tobytes()
                        for a in arrays.values())
        if dump(tool, path, kind).stdout != want:
            wrong(path, "as", kind, "differs")


def good(tool, rng):
    arrays = {}
    for code in TYPES:
        for mark in "<>":
            for shape in SHAPES:
                a = numbers(rng, mark + code, shape)
                if len(shape) > 1 and rng.random() < 0.5:
                    a = np.asfortranarray(a)
                np.save("a.npy", a)
                compare(tool, "a.npy", {"": np.load("a.npy")})
                arrays["a%d" % len(arrays)] = a
    for save in np.savez, np.savez_compressed:
        save("a.npz", **arrays)
        with np.load("a.npz") as z:
            compare(tool, "a.npz", {k: z[k] for k in z.files})


def header(text, rest=b"", version=1):
    size = "<H" if version == 1 else "<I"
    text = text.encode()
    return (b"\x93NUMPY" + bytes([version, 0]) +
            struct.pack(size, len(text)) + text + rest)


def d(descr="'<f4'", order="False", shape="(2,)"):
    return "{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (
        descr, order, shape)


def numpy_reads(path):
    try:
        a = np.load(path, allow_pickle=False)
        if not isinstance(a, np.ndarray):
            for k in a.files:
                a[k].shape
        return True
    except Exception:
        return False


def refused(tool):
    p60, p62 = str(1 << 60), str(1 << 62)
    eight = bytes(8)
    cases = [
        header(d(), eight), header(d(), eight, 2), header(d(), eight, 3),
        header(d(), eight, 4), header(d(), bytes(7)), header(d()),
        header(d(), bytes(9)), header(d(order="True"), eight),
        header(d(order="1"), eight), header(d(order="None"), eight),
        header(d(shape="2"), eight), header(d(shape="(2)"), eight),
        header(d(shape="[2]"), eight), header(d(shape="(2.0,)"), eight),
        header(d(shape="(%s,)" % p60), eight),
        header(d(shape="(%s, 4)" % p60), eight),
        header(d(shape="(%s, %s)" % (p62, p62)), eight),
        header(d(shape="(%s,)" % (1 << 63)), eight),
        header(d(shape="(%s,)" % (1 << 64)), eight),
        header(d(shape="(4294967296, 4294967296)"), eight),
        header(d(shape="(0, %s)" % p60)), header(d(shape="(-1,)")),
        header(d(shape="(0,)")), header(d(shape="()"), bytes(4)),
        header(d(shape="(1,)" * 1), bytes(4)),
        header(d(shape="(" + "1," * 32 + ")"), bytes(4)),
        header(d(shape="(" + "1," * 33 + ")"), bytes(4)),
        header(d("'|O'"), eight), header(d("'O'"), eight),
        header(d("'>f4'"), eight), header(d("'=f4'"), eight),
        header(d("'f4'"), eight), header(d("'<f5'"), eight),
        header(d("'<q'"), eight), header(d("''"), eight),
        header(d("'float32'"), eight), header(d("None"), eight),
        header("{'descr': '<f4', 'shape': (2,)}\n", eight),
        header("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), "
               "'x': 1}\n", eight),
        header(d(shape="(2, 4), 'descr': '<f4', 'shape': (2,)"), eight),
        header("[1]\n", eight), header("\n", eight), header("", eight),
        header(d()[:-3], eight), header(d() + "x", eight),
        b"\x93NUMPY", b"\x93NUMPY\1\0", b"\x93NUMPY\1\0\xff\xff",
        b"", b"x", b"\x80\4]\x94.", b"PK\3\4", b"PK\5\6" + bytes(18),
        header(d() + " " * 10000, eight), header(d() + " " * 9000, eight),
    ]
    # numpy reads these, and the compiler could not use them.
    ours = {"(-1,)", "'<q'", "None"}
    for i, case in enumerate(cases):
        with open("b", "wb") as f:
            f.write(case)
        reads = dump(tool, "b").returncode == 0
        if reads != numpy_reads("b") and not any(
                o.encode() in case for o in ours):
            wrong("case", i, case[:100], "is read:", reads)


def archives(tool):
    """Archives that are damaged at one byte: read as numpy reads them."""
    f = io.BytesIO()
    np.savez(f, a=np.arange(3, dtype="<f4"), b=np.ones(2, dtype="<f4"))
    whole = f.getvalue()
    for at in range(len(whole)):
        with open("c.npz", "wb") as out:
            out.write(whole[:at] + bytes([whole[at] ^ 0xff]) +
                      whole[at + 1:])
        got = dump(tool, "c.npz")
        if got.returncode not in (0, 1):
            wrong("byte", at, "ends with", got.returncode)
        if got.returncode == 0 and not numpy_reads("c.npz"):
            wrong("byte", at, "of an archive is read; numpy refuses it")
        with open("c.npz", "wb") as out:
            out.write(whole[:at])
        if dump(tool, "c.npz").returncode != 1:
            wrong(at, "bytes of an archive are read")
    with zipfile.ZipFile("d.npz", "w") as z:
        z.comment = b"PK\5\6 a comment" * 100
        with z.open("a.npy", "w", force_zip64=True) as m:
            np.lib.format.write_array(m, np.arange(4))
    compare(tool, "d.npz", {"a": np.arange(4)})
    read, write = os.pipe()
    if os.fork() == 0:
        os.close(read)
        with os.fdopen(write, "wb") as w, zipfile.ZipFile(
                w, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("a.npy", open("a.npy", "rb").read())
        os._exit(0)
    os.close(write)
    with open("e.npz", "wb") as out, os.fdopen(read, "rb") as r:
        out.write(r.read())
    compare(tool, "e.npz", {"a": np.load("a.npy")})


def main():
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        good(tool, random.Random(1))
        refused(tool)
        archives(tool)
    sys.exit(1 if bad else 0)


main()

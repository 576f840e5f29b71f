# SPDX-License-Identifier: Apache-2.0
"""vectors.py make - writes base.D.npy, queries.D.npy and last.D.npy (only the
last query) for several widths D.
vectors.py check D - compares out.D, the output of vec-nearest -n 5, with
cosines from exact sums, which are rounded once (math.fsum)."""
import random
import sys
from array import array
from math import fsum, sqrt
from operator import mul

HEAD = 128


def save(name, rows):
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (
        len(rows), len(rows[0]))
    with open(name, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + (HEAD - 10).to_bytes(2, "little"))
        f.write(text.ljust(HEAD - 11).encode() + b"\n")
        for row in rows:
            row.tofile(f)


def load(name, d):
    with open(name, "rb") as f:
        numbers = array("f", f.read()[HEAD:])
    return [numbers[i:i + d].tolist() for i in range(0, len(numbers), d)]


def make():
    rng = random.Random(7)
    for d in (1, 7, 16, 33, 512):
        # Lengths from 1e-15 to 1e15, and two vectors with the same direction.
        base = []
        for _ in range(300):
            length = 10 ** rng.uniform(-15, 15)
            base.append(array("f", (length * rng.gauss(0, 1)
                                    for _ in range(d))))
        base[7] = array("f", (2 * x for x in base[200]))
        queries = [array("f", (rng.gauss(0, 1) for _ in range(d)))
                   for _ in range(70)]
        save(f"base.{d}.npy", base)
        save(f"queries.{d}.npy", queries)
        save(f"last.{d}.npy", queries[-1:])


def norm(x):
    return sqrt(fsum(map(mul, x, x)))


def check(d):
    base = load(f"base.{d}.npy", d)
    norms = [norm(x) for x in base]
    rows = [line.rstrip("\n").split("\t") for line in open(f"out.{d}")]
    for q, query in enumerate(load(f"queries.{d}.npy", d)):
        length = norm(query)
        cos = [fsum(map(mul, query, x)) / n / length
               for x, n in zip(base, norms)]
        best = sorted(cos, reverse=True)
        for r, row in enumerate(rows[5 * q:5 * q + 5]):
            assert row[:2] == [str(q + 1), str(r + 1)], row
            score = float(row[2])
            assert abs(score - cos[int(row[3]) - 1]) < 1e-14, (row, cos)
            assert abs(score - best[r]) < 1e-14, (row, best)


if sys.argv[1] == "make":
    make()
else:
    check(int(sys.argv[2]))

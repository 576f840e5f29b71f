# SPDX-License-Identifier: Apache-2.0
"""vectors.py make - base.D.npy, queries.D.npy and last.D.npy, the last query
alone, for some widths D.
vectors.py check D - compares out.D, what vec-nearest -n 5 wrote, with cosines
computed by numpy in binary64, in numpy's own order of adding."""
import sys

import numpy as np


def make():
    rng = np.random.default_rng(7)
    for d in (1, 7, 16, 33, 512):
        base = rng.standard_normal((300, d)).astype(np.float32)
        # Lengths from 1e-15 to 1e15, and two of the same direction.
        base *= 10.0 ** rng.uniform(-15, 15, (300, 1)).astype(np.float32)
        base[7] = 2 * base[200]
        queries = rng.standard_normal((70, d)).astype(np.float32)
        np.save(f"base.{d}.npy", base)
        np.save(f"queries.{d}.npy", queries)
        np.save(f"last.{d}.npy", queries[-1:])


def check(d):
    base = np.load(f"base.{d}.npy").astype(np.float64)
    queries = np.load(f"queries.{d}.npy").astype(np.float64)
    cos = queries @ base.T
    cos /= np.linalg.norm(base, axis=1)
    cos /= np.linalg.norm(queries, axis=1)[:, None]
    rows = [line.rstrip("\n").split("\t") for line in open(f"out.{d}")]
    for i, (query, rank, score, name) in enumerate(rows):
        q, r, n = int(query) - 1, int(rank), int(name) - 1
        assert (q, r) == (i // 5, i % 5 + 1), (query, rank)
        assert abs(float(score) - cos[q, n]) < 1e-14, (i, score, cos[q, n])
        best = np.sort(cos[q])[::-1]
        assert abs(float(score) - best[r - 1]) < 1e-14, (i, score, best)


if sys.argv[1] == "make":
    make()
else:
    check(int(sys.argv[2]))

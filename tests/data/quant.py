#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# The reference for the quantisation formula, in its numpy form (architecture,
# Numbers), for edge cases and for random numbers from a fixed seed.
import sys
import numpy as np

RANGES = {
    "bool": (0, 1), "u4": (0, 15), "s4": (-8, 7),
    "u12": (0, 4095), "s12": (-2048, 2047),
}
STORED = {
    "bool": "u1", "u4": "u1", "s4": "i1", "u12": "<u2", "s12": "<i2",
    "u8": "u1", "s8": "i1", "u16": "<u2", "s16": "<i2", "u32": "<u4",
    "s32": "<i4", "u64": "<u8", "s64": "<i8", "f16": "<f2", "f32": "<f4",
    "f64": "<f8", "bf16": "<u2",
}
PARAMETERS = [(1.0, 0), (27.673828, 60), (64.75, 12), (0.0039215689, -128),
              (3.0e9, 2147483647)]


def limits(name):
    if name in RANGES:
        return RANGES[name]
    info = np.iinfo(STORED[name])
    return info.min, info.max


def stored(rng, name):
    low, high = limits(name)
    edges = [low, low + 1, high - 1, high, 0, 1, high // 2, high // 3]
    more = rng.integers(low, high, 24, endpoint=True, dtype=STORED[name])
    return np.concatenate([np.array(edges, STORED[name]), more])


def dequantise(q, scale, zero):
    return (q.astype(np.float32) + np.float32(zero)) / np.float32(scale)


def quantise(x, name, scale, zero):
    low, high = limits(name)
    v = np.rint(x.astype(np.float64) * np.float64(np.float32(scale)) - zero)
    v = [float(e) for e in v]
    # clip() in double would round the limits of 64-bit types.
    q = [low if e < low else high if e > high else int(e) for e in v]
    clipped = sum(e < low or e > high for e in v)
    return np.array(q, STORED[name]), clipped


def floats(rng, name, scale, zero):
    low, high = limits(name)
    at = [low, high, (low + high) / 2]
    ends = [(e + d + zero) / scale for e in at
            for d in (-1.5, -0.5, 0, 0.5, 1.5)]
    other = [0.0, -0.0, np.inf, -np.inf, 1e-45, 3.4e38, -3.4e38, 2.0**63,
             -2.0**63, 2.0**64, 0.5 / scale, 1.5 / scale, 2.5 / scale]
    middle = rng.uniform(low / scale, high / scale, 20)
    return np.array(ends + other + list(middle)).astype(np.float32)


def bits(a):
    return a.tobytes().hex()


def line(kind, name, scale, zero, a, b, clipped):
    print(kind, name, bits(np.array(scale, "<f4")), zero, bits(a), bits(b),
          clipped)


def main():
    rng = np.random.default_rng(20240607)
    print("# SPDX-License-Identifier: Apache-2.0")
    print("# Made by: python3 tests/data/quant.py >tests/data/quant.txt"
          " (numpy %s)" % np.__version__)
    print("# d TYPE SCALE(f32) ZERO STORED FLOATS 0; q TYPE SCALE ZERO FLOATS"
          " STORED CLIPPED; bytes in hexadecimal")
    for name in STORED:
        if name == "bf16" or STORED[name][-2] == "f":
            continue
        for scale, zero in PARAMETERS:
            scale = float(np.float32(scale))
            q = stored(rng, name)
            line("d", name, scale, zero, q, dequantise(q, scale, zero), 0)
            x = floats(rng, name, scale, zero)
            line("q", name, scale, zero, x, *quantise(x, name, scale, zero))
    x = np.concatenate([
        np.array([0, -0.0, 1, -1, 65504, 65519.99, -65504, 2.0**-24,
                  2.0**-25, 1.1 * 2.0**-25, 2.0**-14, 6.1e-5, 3e-5,
                  1 + 2.0**-11, 1 + 3 * 2.0**-11, np.inf, -np.inf]),
        rng.uniform(-70, 70, 16), 2.0 ** rng.uniform(-26, 15, 24),
    ]).astype("<f4")
    line("q", "f16", 1.0, 0, x, x.astype("<f2"), 0)
    line("d", "f16", 1.0, 0, x.astype("<f2"), x.astype("<f2").astype("<f4"), 0)
    line("q", "f64", 1.0, 0, x, x.astype("<f8"), 0)
    wide = np.concatenate([x.astype("<f8") * 1.000000059, [1e300, -1e300]])
    with np.errstate(over="ignore"):
        line("d", "f64", 1.0, 0, wide, wide.astype("<f4"), 0)
    line("q", "f32", 1.0, 0, x, x, 0)
    line("d", "f32", 1.0, 0, x, x, 0)


sys.exit(main())

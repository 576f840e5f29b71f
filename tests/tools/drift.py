#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""drift.py [SERIES] - what the vec-drift on PATH and a textbook's CUSUM find in
so many series of vectors (1000), whose events are known.  Series i is made from
the seed i: the same numbers, and the same table, each time.

What a row counts, for each of the two detectors:
  a day   alarms outside the event, in 2880 vectors: a day at one in 30 s
  found   share of the events with an alarm in them
  delay   vectors from the first of the event to its alarm, the median
  alarms  alarms in an event, the mean
"""
import random
import subprocess
import sys
from array import array
from math import cos, pi, sin, sqrt
from operator import mul
from statistics import fmean, median, pstdev

DIM, LENGTH, DAY = 16, 600, 2880
START = 300     # of the event
SEASON = 288
TURN = 200      # how long a slow drift takes
WINDOW = 20     # a change may raise alarms for so long

BURSTS = {"burst10": 10, "burst30": 30}     # and then as it was
EVENTS = {"none": 0, "outlier": 1, **BURSTS, "step": WINDOW,
          "drift": TURN + WINDOW}
CASES = [(kind, event) for kind in ("steady", "noisy", "seasonal")
         for event in EVENTS] + [("states 10%", "none"), ("states 30%", "none")]


# ---- Series ------------------------------------------------------------------

def unit(x):
    length = sqrt(sum(map(mul, x, x)))
    return [v / length for v in x]


def across(r, x):
    """A direction at a right angle to x, at random."""
    y = [r.gauss(0, 1) for _ in x]
    dot = sum(map(mul, x, y))
    return unit([b - dot * a for a, b in zip(x, y)])


def turned(x, y, angle):
    return [cos(angle) * a + sin(angle) * b for a, b in zip(x, y)]


def event_angle(event, t, full):
    if event == "outlier":
        return full if t == START else 0
    if event in BURSTS:
        return full if START <= t < START + BURSTS[event] else 0
    if event == "step":
        return full if t >= START else 0
    if event == "drift":
        return full * min(max(t - START, 0) / TURN, 1)
    return 0


def kind_angle(r, kind, t):
    if kind == "seasonal":
        return 0.3 * sin(2 * pi * t / SEASON)
    if kind.startswith("states"):
        return 0.8 if r.random() < int(kind[7:9]) / 100 else 0
    return 0


def series(i):
    """Vectors around one direction, which an event and a season turn."""
    kind, event = CASES[i % len(CASES)]
    r = random.Random(i)
    base = unit([r.gauss(0, 1) for _ in range(DIM)])
    season, away = across(r, base), across(r, base)
    full = r.uniform(0.4, 1.2)      # a cosine of 0.92 to 0.36
    noise = {"noisy": r.uniform(0.02, 0.2), "seasonal": 0.05}.get(kind, 0)
    for t in range(LENGTH):
        x = turned(base, season, kind_angle(r, kind, t))
        x = turned(x, away, event_angle(event, t, full))
        if noise:
            x = [v + r.gauss(0, noise / sqrt(DIM)) for v in x]
        yield x


# ---- Detectors: where their alarms are -----------------------------------

def npy(rows):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (
        len(rows), DIM)
    return (b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") +
            head.ljust(117).encode() + b"\n" +
            b"".join(array("f", row).tobytes() for row in rows))


def vec_drift(rows):
    out = subprocess.run(["vec-drift"], input=npy(rows), check=True,
                         stdout=subprocess.PIPE).stdout.splitlines()
    assert len(out) == len(rows)
    return [t for t, line in enumerate(out) if b'"alarm":null' not in line]


def cusum(rows, train=100, k=0.5, h=5, least=0.002):
    """Page's, one-sided, of the cosine with the mean of the first vectors (k
    and h in standard deviations, as D. C. Montgomery, Introduction to
    Statistical Quality Control, advises).  Starts anew after an alarm.
    """
    alarms, start = [], 0
    while start + train < len(rows):
        first = rows[start:start + train]
        mean = unit([sum(column) for column in zip(*first)])
        cosines = [sum(map(mul, mean, unit(x))) for x in rows[start:]]
        level = fmean(cosines[:train])
        deviation = max(pstdev(cosines[:train]), least)
        s = 0
        for t in range(train, len(cosines)):
            s = max(0, s + (level - cosines[t]) / deviation - k)
            if s > h:
                alarms.append(start + t)
                break
        else:
            break
        start += t + 1
    return alarms


# ---- The table ---------------------------------------------------------------

class Score:
    def __init__(self):
        self.series = self.false = self.inside = 0
        self.delays = []

    def add(self, event, alarms):
        inside = [t - START for t in alarms if 0 <= t - START < EVENTS[event]]
        self.series += 1
        self.false += len(alarms) - len(inside)
        self.inside += len(inside)
        self.delays += inside[:1]

    def text(self, event):
        text = f"{self.false * DAY / LENGTH / self.series:7.1f}"
        if event == "none":
            return text + f"{'-':>6}{'-':>6}{'-':>7}"
        found = f"{100 * len(self.delays) / self.series:.0f}%"
        delay = f"{median(self.delays):g}" if self.delays else "-"
        return text + (f"{found:>6}{delay:>6}"
                       f"{self.inside / self.series:7.1f}")


def main():
    detectors = vec_drift, cusum
    scores = {case: [Score() for _ in detectors] for case in CASES}
    for i in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1000):
        rows = list(series(i))
        case = CASES[i % len(CASES)]
        for score, detector in zip(scores[case], detectors):
            score.add(case[1], detector(rows))
    names = "  a day found delay alarms"
    print(f"{'':21}{'vec-drift':26}CUSUM")
    print(f"{'series':11}{'event':8}{names}{names}")
    for (kind, event), both in scores.items():
        if both[0].series:
            print(f"{kind:11}{event:8}" +
                  "".join(score.text(event) for score in both))


main()

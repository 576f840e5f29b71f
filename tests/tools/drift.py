#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""drift.py [SERIES] - prints what vec-drift on PATH and a textbook's CUSUM find
in SERIES (1000) series of vectors with known events.  Series i is made from
seed i: the numbers, and the table, are the same each time.

drift.py --bursts SERIES - compares vec-drift with a reference, which was
written from the manual page, on bursts of one to three unusual states.  Prints
each series in which the two differ, a burst has no alarm, or a normal vector
has an alarm; then the number of series.

The columns, for each of the two detectors:
  a day   alarms outside the event, in 2880 vectors: a day with one every 30 s
  found   percentage of the events with an alarm
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
START = 300     # first vector of the event
SEASON = 288
TURN = 200      # how long a slow drift takes
WINDOW = 20     # a change may raise alarms in so many vectors

BURSTS = {"burst10": 10, "burst30": 30}     # vectors; then normal again
EVENTS = {"none": 0, "outlier": 1, **BURSTS, "step": WINDOW,
          "drift": TURN + WINDOW}
CASES = [(kind, event) for kind in ("steady", "noisy", "seasonal")
         for event in EVENTS] + [("states 10%", "none"), ("states 30%", "none")]


# ---- Series ------------------------------------------------------------------

def unit(x):
    length = sqrt(sum(map(mul, x, x)))
    return [v / length for v in x]


def across(r, x):
    """Returns a random direction at a right angle to x."""
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
    """Yields vectors around a direction that an event and a season rotate."""
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


def vec_drift(rows, *options):
    out = subprocess.run(["vec-drift", *options], input=npy(rows), check=True,
                         stdout=subprocess.PIPE).stdout.splitlines()
    assert len(out) == len(rows)
    return [t for t, line in enumerate(out) if b'"alarm":null' not in line]


def cusum(rows, train=100, k=0.5, h=5, least=0.002):
    """Page's one-sided CUSUM of the cosine with the mean of the first vectors.
    k and h are in standard deviations, as D. C. Montgomery, Introduction to
    Statistical Quality Control, advises.  Starts again after an alarm.
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


# ---- The reference -----------------------------------------------------------

class State:
    """Vectors that are usual, or were usual earlier."""

    def __init__(self, vectors, trial):
        self.vectors, self.limit, self.trial = vectors, None, trial

    def normal(self):
        return self.trial <= 0


def likeness(x, vectors):
    """Returns the higher of the cosines' mean and median; None: no vectors."""
    if not vectors:
        return None
    cosines = [sum(map(mul, x, y)) for y in vectors]
    return max(fmean(cosines), median(cosines))


def below(cosine, limit):
    return cosine is not None and limit is not None and cosine < limit


def look_back(similarities, mads=12, floor=0.01, warmup=20):
    if len(similarities) < warmup:
        return None
    middle = median(similarities)
    mad = median([abs(s - middle) for s in similarities])
    return middle - max(mads * mad, floor)


class Reference:
    """vec-drift with the default options, as its manual page describes it."""

    def __init__(self, window, history=100):
        self.window, self.history = window, history
        self.last, self.similarities = [], []
        self.usual = State([], 0)
        self.before = self.normal = None    # states, or None
        self.away = 0

    def known(self):
        return [s for s in (self.before, self.normal) if s]

    def add(self, x):
        """Adds x; returns whether x raises an alarm."""
        limit = look_back(self.similarities)
        if not self.away:
            self.usual.limit = limit
        likes = {state: likeness(x, state.vectors)
                 for state in [self.usual, *self.known()]}
        last = likeness(x, self.last)
        alarm = all(below(c, limit) for c in [last, *likes.values()]
                    if c is not None) and last is not None
        if self.last:
            mean = fmean(sum(map(mul, x, y)) for y in self.last)
            self.similarities = [*self.similarities, mean][-self.history:]
        self.last = [*self.last, x][-self.window:]
        self.keep(x, likes, below(last, limit))
        return alarm

    def join(self, state, x):
        state.vectors = [*state.vectors, x][-self.window:]

    def keep(self, x, likes, odd):
        if not below(likes[self.usual], self.usual.limit):
            self.join(self.usual, x)
            self.usual.trial -= 1
            self.away = 0
            return
        back = [s for s in self.known() if not below(likes[s], s.limit)]
        back = max(back, key=likes.get, default=None)
        if back:
            self.join(back, x)
        self.away += 1
        if self.away < self.window or (odd and not back):
            return
        self.away = 0
        if back:
            rest = [s for s in (self.usual, self.before, self.normal)
                    if s and s is not back and s.normal()]
            self.usual, self.before, self.normal = (back, *rest, None,
                                                    None)[:3]
            return
        if self.before and self.before.normal():
            self.normal = self.before
        self.before = self.usual
        self.usual = State(self.last, max(self.window, self.history))


def burst_series(i):
    """Returns a window, vectors, and the range of the burst in them."""
    r = random.Random(i)
    window, states, order = (1, 2, 3, 20)[i % 4], i // 4 % 3 + 1, i // 12 % 3
    base = unit([r.gauss(0, 1) for _ in range(DIM)])
    odd = [turned(base, across(r, base), r.uniform(0.4, 1.2))
           for _ in range(states)]
    noise = r.choice([0, 0.05])
    length = r.randint(1, 100)
    burst = [odd[(t % states, t * states // length, r.randrange(states))[order]]
             for t in range(length)]
    rows = [base] * 120 + burst + [base] * 40
    rows = [[v + r.gauss(0, noise / sqrt(DIM)) for v in x] for x in rows]
    return window, rows, range(120, 120 + length)


def bursts(n):
    for i in range(n):
        window, rows, burst = burst_series(i)
        found = vec_drift(rows, f"--window={window}")
        reference = Reference(window)
        wanted = [t for t, row in enumerate(rows)
                  if reference.add(unit(array("f", row)))]
        if (found != wanted or burst[0] not in found or
                not set(found) <= set(burst)):
            print(f"series {i}, window {window}, burst of {len(burst)}: "
                  f"{found}, reference {wanted}")
    print(n, "series")


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


if sys.argv[1:2] == ["--bursts"]:
    bursts(int(sys.argv[2]))
else:
    main()

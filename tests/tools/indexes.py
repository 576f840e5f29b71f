# SPDX-License-Identifier: Apache-2.0
"""indexes.py WRITER SEED N FOLDER - writes N random index files, FOLDER/0 and
so on, with the functions of WRITER, the program in vec-index(5).  They contain
repeated names, with and without a reference to the replaced record, equal
vectors, vectors of zeros, damaged headers and bodies of records, cut last
records, and zeros after the last record.  FOLDER/0.json has queries for
FOLDER/0."""
import json
import random
import sys

writer, seed, count, folder = sys.argv[1:]
with open(writer) as f:
    exec(f.read().split("out = ")[0])
rng = random.Random(int(seed))
PALETTE = (-1, 0.5, 1, 2)


def vector(dim):
    if rng.random() < 0.5:
        return tuple(rng.choice(PALETTE) for _ in range(dim))
    return tuple(rng.uniform(-1, 1) for _ in range(dim))


def make(dim, replacing, zeros):
    out, last, places = header(dim), {}, []
    for _ in range(rng.choice((0, 1, 5, 60, 400))):
        name = b"%d" % rng.randrange(rng.choice((3, 50, 10000)))
        x = (0,) * dim if rng.random() < zeros else vector(dim)
        old = last.get(name, 0) if rng.random() < replacing else 0
        place = len(out)
        out += record(place, name, x, replaces=old)
        places.append(place)
        if old == 0 and name in last:
            last.pop(name)          # unclear which of the two is replaced later
        else:
            last[name] = place
    return bytearray(out), places


def damage(out, places):
    kind = rng.randrange(8)
    if kind == 0 and places:        # a body; its record may be replaced
        out[rng.choice(places) + 64 + rng.randrange(4)] ^= 1
    elif kind == 1 and places:      # the header of a record
        out[rng.choice(places) + rng.randrange(64)] ^= 4
    elif kind == 2:
        del out[len(out) - rng.randrange(1, 200):]
    elif kind == 3:
        out += bytes(rng.choice((1, 64, 5000)))
    elif kind == 4:
        out += b"VREC" + bytes(rng.randrange(300))
    return out


for i in range(int(count)):
    dim = rng.choice((1, 2, 3, 16, 33))
    out, places = make(dim, rng.choice((0, 0.3, 1)), rng.choice((0, 0, 0.01)))
    with open("%s/%d" % (folder, i), "wb") as f:
        f.write(damage(out, places))
    with open("%s/%d.json" % (folder, i), "w") as f:
        for k in range(rng.choice((0, 1, 3, 5, 40))):
            f.write(json.dumps({"id": str(k), "vector": vector(dim)}) + "\n")

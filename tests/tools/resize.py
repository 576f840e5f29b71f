#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""resize.py N SEED - writes N random pictures and the results of Pillow's
resize for a part of each picture, for resizecheck.

Pillow 9.4 is the reference: Image.transpose() as ImageOps.exif_transpose()
uses it, Image.resize(), Image.crop().
"""
import random
import sys

from PIL import Image

FILTERS = [Image.Resampling.BOX, Image.Resampling.BILINEAR,
           Image.Resampling.BICUBIC]
T = Image.Transpose
UPRIGHT = {2: T.FLIP_LEFT_RIGHT, 3: T.ROTATE_180, 4: T.FLIP_TOP_BOTTOM,
           5: T.TRANSPOSE, 6: T.ROTATE_270, 7: T.TRANSVERSE, 8: T.ROTATE_90}


def picture(r, width, height):
    """Noise, bands of pure black and white, or both: negative weights change
    the result at edges."""
    n = width * height * 3
    kind = r.randrange(3)
    if kind == 0:
        data = r.randbytes(n)
    elif kind == 1:
        data = bytes(r.choice((0, 255)) for _ in range(n))
    else:
        a, b = r.randrange(1, 9), r.randrange(1, 9)
        data = bytes(((x // a + y // b + c) % 2) * 255
                     for y in range(height) for x in range(width)
                     for c in range(3))
    return Image.frombytes("RGB", (width, height), data)


def side(r):
    """Returns a side of at least 1; small sides are frequent."""
    return r.choice((1, 2, 3, r.randrange(1, 20), r.randrange(1, 80),
                     r.randrange(1, 300)))


def size(r):
    extreme = r.randrange(12)
    if extreme == 0:
        return r.randrange(1, 8), r.randrange(1, 4000)
    if extreme == 1:
        return r.randrange(1, 4000), r.randrange(1, 8)
    return side(r), side(r)


# Narrow pictures: the code keeps sums instead of rows, or cuts off nearly all
# of the result.
RIBBONS = [(3, 60000, 1, (640, 20)), (30, 40000, 6, (4, 40)),
           (60000, 3, 5, (20, 640)), (40000, 2, 8, (1, 3)),
           (65535, 1, 1, (640, 1)), (1, 65535, 3, (1, 640)),
           (7, 500, 1, (224, 16000)), (1200, 9, 7, (224, 29866)),
           (65535, 1, 2, (700000, 10))]


def case(r, out, ribbon=None):
    width, height = size(r)
    orientation = r.randrange(1, 9)
    f = r.randrange(3)
    to = side(r), side(r)
    if r.randrange(10) == 0:
        to = (r.choice((width, to[0])), r.choice((height, to[1])))
    if ribbon:
        width, height, orientation, to = ribbon
    columns = r.randrange(1, min(to[0], 2000) + 1)
    rows = r.randrange(1, min(to[1], 2000) + 1)
    left, top = r.randrange(to[0] - columns + 1), r.randrange(
        to[1] - rows + 1)
    stored = picture(r, width, height)
    im = stored
    if orientation in UPRIGHT:
        im = stored.transpose(UPRIGHT[orientation])
    im = im.resize(to, FILTERS[f])
    im = im.crop((left, top, left + columns, top + rows))
    out.write(("%d %d %d %d %d %d %d %d %d %d\n" % (
        f, width, height, orientation, *to, left, top, columns,
        rows)).encode())
    out.write(stored.tobytes())
    out.write(im.tobytes())


def main():
    n, seed = int(sys.argv[1]), int(sys.argv[2])
    r = random.Random(seed)
    for ribbon in RIBBONS:
        case(r, sys.stdout.buffer, ribbon)
    for _ in range(n):
        case(r, sys.stdout.buffer)


main()

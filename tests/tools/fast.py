#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""fast.py draw - writes pictures like photographs, NAME.jpg; all are 4:2:0
except "other".
fast.py crop|letterbox|stretch FILTER WxH GOT FILE... - compares the bytes of
GOT (RGB, pixel after pixel, one picture after the other) with Pillow's.  Prints
for each FILE its name, the mean and the largest difference.
"""
import random
import sys

from PIL import Image, ImageChops, ImageDraw, ImageOps

BICUBIC = Image.Resampling.BICUBIC
PAD = (114, 114, 114)


def noise(r, width, height, size):
    """Smooth noise, with a random value every size pixels."""
    w, h = width // size + 2, height // size + 2
    small = Image.frombytes("RGB", (w, h), r.randbytes(w * h * 3))
    return small.resize((width, height), BICUBIC)


def photo(seed, width, height):
    """Smooth colours, shapes with sharp edges, and the grain of a sensor."""
    r = random.Random(seed)
    im = Image.blend(noise(r, width, height, 60), noise(r, width, height, 15),
                     0.3)
    draw = ImageDraw.Draw(im)
    for _ in range(12):
        x, y = r.randrange(width), r.randrange(height)
        a, b = r.randrange(5, 60), r.randrange(5, 60)
        shape = r.choice((draw.ellipse, draw.rectangle))
        shape((x - a, y - b, x + a, y + b),
              fill=tuple(r.randrange(30, 226) for _ in range(3)))
    return Image.blend(im, noise(r, width, height, 1), 0.15)


def save(name, im, orientation=1, **how):
    exif = Image.Exif()
    exif[0x0112] = orientation
    how = {"quality": 90, "subsampling": 2, **how}
    im.save(name + ".jpg", exif=exif, **how)


def draw_all():
    for i in range(1, 9):
        save(f"turned{i}", photo(i, 417, 431), i)
    # Sides, and half sides, that do not fill whole blocks; then sides that do.
    for width, height in (400, 384), (391, 733), (734, 388), (513, 499):
        save(f"size{width}x{height}", photo(width, width, height))
    save("progressive", photo(20, 415, 399), 6, progressive=True)
    save("other", photo(22, 400, 384), 5, subsampling=0)
    save("large", photo(23, 800, 768), 6)


def letterbox(im, size, by):
    scale = min(size[0] / im.width, size[1] / im.height)
    width = max(1, int(im.width * scale))
    height = max(1, int(im.height * scale))
    padded = Image.new("RGB", size, PAD)
    padded.paste(im.resize((width, height), by),
                 ((size[0] - width) // 2, (size[1] - height) // 2))
    return padded


def crop(im, size, by):
    w, h = im.size
    if w * size[1] <= h * size[0]:
        whole = size[0], h * size[0] // w
    else:
        whole = w * size[1] // h, size[1]
    left, top = (round((a - b) / 2) for a, b in zip(whole, size))
    return im.resize(whole, by).crop(
        (left, top, left + size[0], top + size[1]))


def stretch(im, size, by):
    return im.resize(size, by)


def compare(how, by, size, got, names):
    n = size[0] * size[1] * 3
    for name in names:
        im = ImageOps.exif_transpose(Image.open(name)).convert("RGB")
        ours = Image.frombytes("RGB", size, got.read(n))
        away = ImageChops.difference(how(im, size, by), ours).tobytes()
        print(name, "%.4f" % (sum(away) / n), max(away))


if sys.argv[1:] == ["draw"]:
    draw_all()
else:
    fits = {"crop": crop, "letterbox": letterbox, "stretch": stretch}
    by = Image.Resampling[sys.argv[2].upper()]
    width, height = sys.argv[3].split("x")
    with open(sys.argv[4], "rb") as f:
        compare(fits[sys.argv[1]], by, (int(width), int(height)), f,
                sys.argv[5:])

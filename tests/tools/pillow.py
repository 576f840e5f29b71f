#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""pillow.py [-N] FILE... - prints how Pillow decodes pictures, as picdump does.

Prints for each FILE: its name, a tab, "WxH SHA-256" of the upright RGB bytes,
or "refused".  With -N (2, 4, 8): of the picture as it is stored, at 1/N of its
size.
"""
import hashlib
import sys
import warnings

from PIL import Image, ImageOps

FORMATS = ("JPEG", "PNG", "PPM")


def turned(im):
    try:
        return ImageOps.exif_transpose(im)
    except Exception:  # invalid EXIF is ignored
        return im


def decoded(path, shrink):
    with open(path, "rb") as f, Image.open(f, formats=FORMATS) as im:
        if shrink > 1:
            im.draft("RGB", (im.width // shrink, im.height // shrink))
        im.load()
        return (im if shrink else turned(im)).convert("RGB")


def line(path, shrink):
    try:
        im = decoded(path, shrink)
    except Exception:
        return "refused"
    digest = hashlib.sha256(im.tobytes()).hexdigest()
    return f"{im.width}x{im.height} {digest}"


warnings.simplefilter("ignore")
Image.MAX_IMAGE_PIXELS = 100000000
names = sys.argv[1:]
denominator = -int(names.pop(0)) if names[0] in ("-2", "-4", "-8") else 0
for name in names:
    print(name, line(name, denominator), sep="\t")

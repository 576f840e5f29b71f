#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""pillow.py FILE... - what Pillow makes of pictures, as picdump tells it.

A line each: FILE, a tab, "WxH SHA-256" of the upright RGB bytes, or "refused".
"""
import hashlib
import sys
import warnings

from PIL import Image, ImageOps

FORMATS = ("JPEG", "PNG", "PPM")


def upright(path):
    with open(path, "rb") as f, Image.open(f, formats=FORMATS) as im:
        im.load()
        return ImageOps.exif_transpose(im).convert("RGB")


def line(path):
    try:
        im = upright(path)
    except Exception:
        return "refused"
    digest = hashlib.sha256(im.tobytes()).hexdigest()
    return f"{im.width}x{im.height} {digest}"


warnings.simplefilter("ignore")
Image.MAX_IMAGE_PIXELS = 100000000
for name in sys.argv[1:]:
    print(name, line(name), sep="\t")

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""pillow.py clip|yolo FILE ROUNDS - prints the processor time in ms that Pillow
takes from a JPEG to the planes of a tensor, the median of ROUNDS rounds."""
import sys
import time

from PIL import Image

BICUBIC, BILINEAR = Image.Resampling.BICUBIC, Image.Resampling.BILINEAR


def planes(im):
    return b"".join(c.tobytes() for c in im.split())


def clip(path, size=224):
    im = Image.open(path).convert("RGB")
    short, long = sorted(im.size)
    other = int(size * long / short)
    im = im.resize((size, other) if im.width <= im.height else (other, size),
                   BICUBIC)
    left = int(round((im.width - size) / 2.0))
    top = int(round((im.height - size) / 2.0))
    return planes(im.crop((left, top, left + size, top + size)))


def yolo(path, size=640):
    im = Image.open(path).convert("RGB")
    scale = min(size / im.width, size / im.height)
    width, height = int(im.width * scale), int(im.height * scale)
    im = im.resize((width, height), BILINEAR)
    padded = Image.new("RGB", (size, size), (114, 114, 114))
    padded.paste(im, ((size - width) // 2, (size - height) // 2))
    return planes(padded)


recipe = {"clip": clip, "yolo": yolo}[sys.argv[1]]
times = []
for _ in range(int(sys.argv[3])):
    begin = time.process_time()
    recipe(sys.argv[2])
    times.append(time.process_time() - begin)
print(sorted(times)[len(times) // 2] * 1e3)

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""recipe.py clip|yolo|openai-clip=SIDE FILE... - writes the bytes of a model's
input before they become real numbers, as Pillow makes them: RGB, pixel after
pixel, one picture after the other.

clip: openai/CLIP's Resize(224, BICUBIC) and CenterCrop(224), as in torchvision,
on an upright RGB picture; openai-clip=SIDE: the same in openai/CLIP's order of
steps, on the picture as it was opened, which is converted to RGB afterwards;
yolo: the letterbox of the public guide, visorcraft/orange-pi-6-plus-npu.
"""
import sys
import warnings

from PIL import Image, ImageOps

BICUBIC, BILINEAR = Image.Resampling.BICUBIC, Image.Resampling.BILINEAR


def clip(im, size=224):
    short, long = sorted(im.size)
    other = int(size * long / short)
    im = im.resize((size, other) if im.width <= im.height else (other, size),
                   BICUBIC)
    left = int(round((im.width - size) / 2.0))
    top = int(round((im.height - size) / 2.0))
    return im.crop((left, top, left + size, top + size))


def yolo(im, size=640):
    scale = min(size / im.width, size / im.height)
    width = max(1, int(im.width * scale))
    height = max(1, int(im.height * scale))
    padded = Image.new("RGB", (size, size), (114, 114, 114))
    padded.paste(im.resize((width, height), BILINEAR),
                 ((size - width) // 2, (size - height) // 2))
    return padded


warnings.simplefilter("ignore")
Image.MAX_IMAGE_PIXELS = 100000000
what, _, side = sys.argv[1].partition("=")
for name in sys.argv[2:]:
    stored = Image.open(name)
    if what == "openai-clip":
        made = clip(stored, int(side)).convert("RGB")
    else:
        upright = ImageOps.exif_transpose(stored).convert("RGB")
        made = (clip if what == "clip" else yolo)(upright)
    sys.stdout.buffer.write(made.tobytes())

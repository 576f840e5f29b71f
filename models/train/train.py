#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the demo models: `make train`, with Debian's python3-torch.

Reads pictures and captions from our draw-shapes, and token ids from our
clip-tokenize; only the training split of both.  Seeds and steps are fixed,
and there is one thread; therefore a machine always gives the same files.
models.sum lists the committed files, and training.log is the record of their
training.  Writes clip_txt.onnx, clip_visual.onnx and descriptors.mk (scale and
zero point of the outputs, from calibration).
"""
import argparse
import json
import os
import queue
import subprocess
import threading
import time

import numpy as np
import torch
import torch.nn.functional as F

import model

BATCH = 64
SEED = 20240607
SCALE, ZERO = 64.75, 12         # of clip_visual's input: npu-tensor(5)
SHAPES = 6                      # class = colour * SHAPES + shape
END = 49407                     # CLIP's end-of-text token
SHARPNESS = 12.0                # cosines to logits


class Pictures:
    """Batches from draw-shapes, drawn while training uses the previous one."""

    def __init__(self, program, split, seed, count):
        r, w = os.pipe()
        self.draw = subprocess.Popen(
            [program, "-r", "-s", split, "-S", str(seed), "-n", str(count),
             "-t", "/dev/fd/%d" % w],
            stdout=subprocess.PIPE, pass_fds=(w,))
        os.close(w)
        self.truth = os.fdopen(r)
        self.batches = queue.Queue(2)
        threading.Thread(target=self.read, args=(count,), daemon=True).start()

    def read(self, count):
        size = 3 * model.SIDE * model.SIDE
        for at in range(0, count, BATCH):
            n = min(BATCH, count - at)
            q = np.frombuffer(self.draw.stdout.read(n * size), np.int8)
            q = q.reshape(n, 3, model.SIDE, model.SIDE)
            x = (torch.from_numpy(q.copy()).float() + ZERO) / SCALE
            t = [json.loads(self.truth.readline()) for _ in range(n)]
            self.batches.put((x, t))
        self.draw.wait()
        self.batches.put(None)

    def __iter__(self):
        return iter(self.batches.get, None)


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          **more).stdout


def tokens(tools, template, split):
    """Returns the ids [n,77] of one template's captions, by our programs."""
    text = run(tools["draw"], "--captions=%d" % template, "-s", split)
    b = run(tools["tokenize"], input=text)
    return torch.from_numpy(np.frombuffer(b, np.uint8).reshape(-1, 64 + 308)
                            [:, 64:].copy().view(np.int32))


def templates(tools, wanted):
    """Returns the numbers of the templates of one split."""
    lines = run(tools["draw"], "--templates").decode().splitlines()
    return [int(line.split()[0]) for line in lines
            if line.split()[1] == wanted]


def train_classes(tools):
    """Returns the classes that training may see, from draw-shapes."""
    names = run(tools["draw"], "--classes").splitlines()
    return torch.tensor([names.index(n) for n in
                         run(tools["draw"], "--classes", "-s",
                             "train").splitlines()])


def with_noise(ids, words, rng):
    """Inserts random tokens between the tokens of a caption."""
    row = [int(i) for i in ids[1:] if i != 0 and i != END]
    for _ in range(rng.integers(0, 9)):
        w = int(rng.integers(1, 49406))
        if w not in words:
            row.insert(int(rng.integers(0, len(row) + 1)), w)
    out = torch.zeros(32, dtype=torch.int32)
    row = [49406] + row[:30] + [END]
    out[:len(row)] = torch.tensor(row, dtype=torch.int32)
    return out


def cells():
    """Returns the centre of each cell, in pixels, and its grid's number."""
    out = []
    for k, g in enumerate(model.Grids.SIZES):
        at = (torch.arange(g) + 0.5) * (model.SIDE / g)
        y, x = torch.meshgrid(at, at, indexing="ij")
        out.append(torch.stack([x.flatten(), y.flatten(),
                                torch.full((g * g,), float(k))], 1))
    return torch.cat(out)


CELLS = cells()


def wanted_cells(truth):
    """Returns [B, cells]: cells near the object's centre, in fitting grids."""
    box = torch.tensor([t["box"] for t in truth])
    middle = (box[:, :2] + box[:, 2:]) / 2
    size = (box[:, 2:] - box[:, :2]).amax(1, keepdim=True)
    away = (CELLS[None, :, :2] - middle[:, None]).abs().amax(2)
    grid = CELLS[:, 2]
    cell = model.SIDE / torch.tensor(model.Grids.SIZES)[grid.long()]
    fits = ((grid == 0) & (size < 64)) | ((grid == 1) & (size >= 36) &
            (size < 120)) | ((grid == 2) & (size >= 84))
    return fits & (away <= torch.maximum(size * 0.2, cell / 2))


def one_of(logits, positive):
    """Returns -log of the share of the positive cells in the softmax."""
    return (torch.logsumexp(logits, 1) -
            torch.logsumexp(logits.masked_fill(~positive, -1e4), 1)).mean()


def loss_of(picture, text, x, truth, ids, classes):
    """Returns the loss, its parts, and the share of right answers."""
    x = F.avg_pool2d(x, 2)
    first, features = picture.first(x)
    rgb = picture.rgb(features)
    true_rgb = (torch.tensor([t["rgb"] for t in truth]) / 255 -
                model.MEAN[:, 0, 0]) / model.STD[:, 0, 0]
    # The second stage learns from the mask without a gradient to the colour;
    # otherwise the colour could encode the shape.  Half of the masks come from
    # the true colour with an error; therefore the stage learns from the start.
    error = torch.randn(len(truth), 3) * 0.1
    half = torch.arange(len(truth))[:, None] % 2 == 0
    second, outline = picture.second(torch.sigmoid(picture.mask(
        x, torch.where(half, true_rgb + error, rgb.detach()))))
    tc, ts = text.parts(ids)
    colours = SHARPNESS * model.unit(picture.colour(features)) @ tc.T
    shapes = SHARPNESS * model.unit(picture.shape(outline)) @ ts.T
    c = torch.tensor([t["class"] for t in truth])
    same_c = (c // SHAPES)[:, None] == (classes // SHAPES)[None]
    same_s = (c % SHAPES)[:, None] == (classes % SHAPES)[None]
    wanted = wanted_cells(truth)
    parts = (one_of(first, wanted), one_of(second, wanted),
             F.smooth_l1_loss(rgb, true_rgb, beta=0.1),
             one_of(colours, same_c), one_of(shapes, same_s))
    right = classes[(colours + shapes).argmax(1)] == c
    return sum(parts) - 0.5 * (parts[0] + parts[1]), parts, right.float().mean()


def train(picture, text, tools, steps, log):
    rng = np.random.default_rng(SEED)
    classes = train_classes(tools)
    captions = [tokens(tools, k, "train") for k in templates(tools, "train")]
    # The tokens that matter are the tokens that differ between classes.
    words = {int(i) for c in captions for column in c.T
             if len(column.unique()) > 2 for i in column}
    both = list(picture.parameters()) + list(text.parameters())
    opt = torch.optim.AdamW(both, lr=1e-3, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, 4e-3, steps,
                                               pct_start=0.15)
    mean, began = np.zeros(7), time.time()
    for step, (x, truth) in enumerate(
            Pictures(tools["draw"], "train", SEED, steps * BATCH)):
        ids = torch.stack([with_noise(
            captions[int(rng.integers(len(captions)))][k], words, rng)
            for k in range(len(classes))])
        loss, parts, right = loss_of(picture, text, x, truth, ids, classes)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(both, 5.0)
        opt.step()
        plan.step()
        mean += [float(v.detach()) for v in (loss, *parts, right)]
        if (step + 1) % 50 == 0:
            log("step %5d  loss %.3f  where %.3f %.3f  rgb %.3f  colour %.3f  "
                "shape %.3f  right %.3f  %4.0f s" %
                (step + 1, *(mean / 50), time.time() - began))
            mean[:] = 0


def descriptor(values):
    """Returns scale and zero point that map the range to -128 .. 127."""
    low, high = float(values.min()), float(values.max())
    scale = np.float32(255 / ((high - low) * 1.02))
    return scale, int(round(low * 1.01 * float(scale))) + 128


def quantised(values, scale, zero):
    q = np.clip(np.rint(values.double().numpy() * float(scale) - zero),
                -128, 127)
    return F.normalize(torch.from_numpy((q.astype(np.float32) + zero) /
                                        scale))


@torch.no_grad()
def embed(picture, tools, split, seed, count):
    out, truth = [], []
    for x, t in Pictures(tools["draw"], split, seed, count):
        out.append(picture(x))
        truth += t
    return torch.cat(out), truth


@torch.no_grad()
def evaluate(picture, text, tools, log):
    """Calibrates on training pictures, measures on pictures of all classes."""
    seen, _ = embed(picture, tools, "train", SEED + 1, 512)
    captions = torch.cat([text(tokens(tools, k, "train"))
                          for k in templates(tools, "train")])
    desc = {"clip_visual": descriptor(seen), "clip_txt": descriptor(captions)}
    e, truth = embed(picture, tools, "all", SEED + 2, 2000)
    e = quantised(e, *desc["clip_visual"])
    c = np.array([t["class"] for t in truth])
    held = np.array([t["held_out"] for t in truth])
    for k in [0] + templates(tools, "heldout"):
        t = quantised(text(tokens(tools, k, "all")), *desc["clip_txt"])
        right = (e @ t.T).argmax(1).numpy() == c
        log("template %d: top-1 %.4f of %d, held-out combinations %.4f of %d"
            % (k, right.mean(), len(c), right[held].mean(), held.sum()))
    for low, high in ((.1, .2), (.2, .4), (.4, .8)):
        k = np.array([low <= t["size"] <= high for t in truth])
        log("sizes %.1f to %.1f: %.4f" % (low, high, right[k].mean()))
    return desc


def export(net, x, path, name):
    torch.onnx.export(net.eval(), x, path, opset_version=13,
                      input_names=[name], output_names=["embedding"],
                      do_constant_folding=True)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--draw", default="build/tools/draw-shapes")
    p.add_argument("--tokenize", default="build/bin/clip-tokenize")
    p.add_argument("--steps", type=int, default=1900)
    p.add_argument("--out", default="models")
    a = p.parse_args()
    tools = {"draw": a.draw, "tokenize": a.tokenize}
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    record = open(os.path.join(a.out, "training.log"), "w")

    def log(line):
        print(line, flush=True)
        print(line, file=record, flush=True)

    picture, text = model.Picture(), model.Text()
    log("# SPDX-License-Identifier: Apache-2.0")
    log("torch %s, %d steps of %d pictures, seed %d, %d + %d parameters" %
        (torch.__version__, a.steps, BATCH, SEED,
         sum(v.numel() for v in picture.parameters()),
         sum(v.numel() for v in text.parameters())))
    train(picture, text, tools, a.steps, log)
    picture.eval()
    text.eval()
    desc = evaluate(picture, text, tools, log)
    export(text, tokens(tools, 0, "train")[:1], os.path.join(a.out, "clip_txt.onnx"),
           "text")
    export(picture, torch.zeros(1, 3, model.SIDE, model.SIDE),
           os.path.join(a.out, "clip_visual.onnx"), "image")
    with open(os.path.join(a.out, "descriptors.mk"), "w") as f:
        print("# SPDX-License-Identifier: Apache-2.0", file=f)
        print("# Written by train.py: scale and zero point of the outputs.",
              file=f)
        for name, (scale, zero) in desc.items():
            print("SCALE_%s = %s\nZERO_%s = %d" %
                  (name, np.format_float_positional(scale), name, zero),
                  file=f)
            log("%s output: scale %s zero point %d" % (name, scale, zero))
    record.close()


if __name__ == "__main__":
    main()

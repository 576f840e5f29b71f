#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the demo detector: `make train`, with Debian's python3-torch.

Reads scenes of the training split from our draw-scenes.  Seeds and steps are
fixed; therefore a machine always gives the same file.  models.sum lists the
committed file, and detector.log is the record of its training.

Half of the steps see 16 crowded scenes of 320 pixels, the others 4 scenes of
640 pixels.  Each object trains the cells that predict it best, as in
"TOOD: Task-aligned One-stage Object Detection" (Feng et al., 2021); boxes
learn by their "Complete IoU" (Zheng et al., 2020).
"""
import argparse
import hashlib
import json
import os
import queue
import subprocess
import threading
import time
import warnings

import numpy as np
import torch
import torch.nn.functional as F

import detector

SEED = 20240608
# Side, pictures in a step, least and most size, most objects.
KINDS = ((320, 16, 22, 256, 6), (640, 4, 24, 400, 8))
# How many cells an object trains, and the power of the box's IoU in the choice
# of these cells.  The scores in the last steps use STRICT, which teaches cells
# with a worse box a low score; all else uses LOOSE.
LOOSE, STRICT = (8, 4), (3, 6)
# Sizes of objects, in pixels, that train the cells of each stride.
FITS = {8: (0, 104), 16: (44, 220), 32: (100, 1000)}
WARM, DECAY = 150, 0.35     # steps; last share of the steps


class Scenes:
    """Batches from draw-scenes, drawn while training uses the previous one."""

    def __init__(self, program, kind, seed, first, count, split="train"):
        self.side, self.batch, least, most, objects = kind
        self.count = count
        r, w = os.pipe()
        self.draw = subprocess.Popen(
            [program, "-r", "-s", split, "-S", str(seed), "-i", str(first),
             "-n", str(count), "--side=%d" % self.side, "--least=%d" % least,
             "--most=%d" % most, "--objects=%d" % objects,
             "-t", "/dev/fd/%d" % w], stdout=subprocess.PIPE, pass_fds=(w,))
        os.close(w)
        self.truth = os.fdopen(r)
        self.batches = queue.Queue(2)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for at in range(0, self.count, self.batch):
            n = min(self.batch, self.count - at)
            b = self.draw.stdout.read(3 * n * self.side ** 2)
            x = np.frombuffer(b, np.uint8).reshape(n, 3, self.side, self.side)
            self.batches.put((x, [json.loads(self.truth.readline())["objects"]
                                  for _ in range(n)]))
        self.batches.put(None)

    def __iter__(self):
        return iter(self.batches.get, None)


def classes(program):
    """Returns COCO's numbers of the classes that draw-scenes draws."""
    out = subprocess.run([program, "--classes"], check=True,
                         stdout=subprocess.PIPE).stdout.decode()
    return [int(line.split()[0]) for line in out.splitlines()]


def padded(truth, ids):
    """Returns boxes [B,G,4], class indices [B,G], whether each exists [B,G]."""
    most = max(len(t) for t in truth)
    box = torch.zeros(len(truth), most, 4)
    cls = torch.zeros(len(truth), most, dtype=torch.long)
    there = torch.zeros(len(truth), most, dtype=torch.bool)
    for i, t in enumerate(truth):
        for j, o in enumerate(t):
            box[i, j] = torch.tensor(o["box"])
            cls[i, j] = ids.index(o["id"])
            there[i, j] = True
    return box, cls, there


def iou(a, b):
    """Returns the IoU of boxes whose last dimension is x0, y0, x1, y1."""
    low, high = torch.max(a[..., :2], b[..., :2]), torch.min(a[..., 2:],
                                                             b[..., 2:])
    both = (high - low).clamp(0).prod(-1)
    area = [(v[..., 2:] - v[..., :2]).clamp(0).prod(-1) for v in (a, b)]
    return both / (area[0] + area[1] - both + 1e-6)


def complete_iou(a, b):
    low, high = torch.min(a[:, :2], b[:, :2]), torch.max(a[:, 2:], b[:, 2:])
    far = ((a[:, :2] + a[:, 2:] - b[:, :2] - b[:, 2:]) ** 2).sum(1) / 4
    u = iou(a, b)
    wa, wb = a[:, 2:] - a[:, :2], b[:, 2:] - b[:, :2]
    v = 0.405285 * (torch.atan(wb[:, 0] / wb[:, 1]) -
                    torch.atan(wa[:, 0] / (wa[:, 1] + 1e-6))) ** 2
    with torch.no_grad():
        alpha = v / (v - u + 1.001)
    return u - far / (((high - low) ** 2).sum(1) + 1e-6) - alpha * v


@torch.no_grad()
def assign(p, box, at, truth_box, cls, there, most, power):
    """Returns for each cell the object that trains it, or -1, and its score."""
    b, g = cls.shape
    score = p.transpose(1, 2).gather(
        2, cls[:, None].expand(-1, p.shape[2], -1)).transpose(1, 2)
    u = iou(box[:, None], truth_box[:, :, None])            # [B,G,cells]
    x, y, stride = at
    t = truth_box[..., None]
    inside = ((x > t[:, :, 0]) & (x < t[:, :, 2]) &
              (y > t[:, :, 1]) & (y < t[:, :, 3]))
    size = (truth_box[..., 2:] - truth_box[..., :2]).amax(-1)[..., None]
    fits = torch.zeros_like(inside)
    for s, (least, above) in FITS.items():
        fits |= (stride == s) & (size >= least) & (size < above)
    good = score.clamp(1e-6) ** 0.5 * u ** power * (inside & fits & there[..., None])
    top = good.topk(most, 2)
    chosen = torch.zeros_like(good).scatter_(2, top.indices, 1.0)
    chosen *= good > 0
    # If several objects choose a cell, the object with the best IoU gets it.
    owner = torch.where(chosen.bool(), u, torch.full_like(u, -1.0)).max(1)
    best = torch.zeros_like(good).scatter_(1, owner.indices[:, None], 1.0)
    chosen *= best
    good = good * chosen
    share = (good / (good.amax(2, keepdim=True) + 1e-9) *
             (u * chosen).amax(2, keepdim=True)).amax(1)
    return torch.where(chosen.any(1), owner.indices,
                       torch.full_like(owner.indices, -1)), share


def loss_of(raw, at, truth_box, cls, there, strict):
    box = detector.boxes(raw[:, :4], at).transpose(1, 2)
    p = torch.sigmoid(raw[:, 4:])
    known = (p.detach(), box.detach(), at, truth_box, cls, there)
    owner, share = assign(*known, *LOOSE)
    i, j = (owner >= 0).nonzero(as_tuple=True)
    boxed = ((1 - complete_iou(box[i, j], truth_box[i, owner[i, j]])) *
             share[i, j]).sum() / (share.sum() + 1.0)
    cells = len(i) / max(1, int(there.sum()))
    if strict:
        owner, share = assign(*known, *STRICT)
        i, j = (owner >= 0).nonzero(as_tuple=True)
    target = torch.zeros_like(p)
    target[i, cls[i, owner[i, j]], j] = share[i, j]
    # Cells without an object count less the lower their score is.
    weight = torch.where(target > 0, torch.ones_like(p), p.detach() ** 1.5)
    classed = (F.binary_cross_entropy_with_logits(
        raw[:, 4:], target, reduction="none") * weight).sum()
    return classed / (share.sum() + 1.0), boxed, cells


# ---- Evaluation ------------------------------------------------------------

def suppress(box, score, cls, limit=0.7, most=100):
    """Non-maximum suppression: returns the indices kept, best first."""
    order, keep = score.argsort(descending=True)[:400], []
    box = box + cls[:, None] * 4096.0
    while len(order) and len(keep) < most:
        keep.append(int(order[0]))
        order = order[iou(box[order[0]], box[order]) <= limit]
    return keep


def precision_of(found, wanted):
    """Returns COCO's average precision of one class at IoU 0.5."""
    found.sort(key=lambda f: -f[0])
    left = {k: list(v) for k, v in wanted.items()}
    total, hits = sum(len(v) for v in wanted.values()), []
    for _, picture, box in found:
        u = [float(iou(box, w)) for w in left.get(picture, [])]
        hit = bool(u) and max(u) >= 0.5
        hits.append(hit)
        if hit:
            left[picture].pop(int(np.argmax(u)))
    true = np.cumsum(hits)
    recall = true / max(1, total)
    precision = np.maximum.accumulate(
        (true / np.arange(1, len(true) + 1))[::-1])[::-1]
    return np.mean([precision[recall >= r][0] if (recall >= r).any() else 0
                    for r in np.linspace(0, 1, 101)])


@torch.no_grad()
def examine(net, program, ids, seed, count, split):
    net.eval()
    whole = detector.Whole(net, ids).eval()
    found, wanted, n = [[] for _ in ids], [{} for _ in ids], 0
    for x, truth in Scenes(program, (640, 4, 26, 384, 8), seed, 0, count,
                           split):
        out = whole(torch.from_numpy(x.copy()).float() / 255)
        for o, t in zip(out, truth):
            for w in t:
                wanted[ids.index(w["id"])].setdefault(n, []).append(
                    torch.tensor(w["box"]))
            score, cls = o[4:].max(0)
            k = (score > 0.01).nonzero()[:, 0]
            box = torch.cat([o[:2, k] - o[2:4, k] / 2,
                             o[:2, k] + o[2:4, k] / 2]).T
            for i in suppress(box, score[k], cls[k]):
                found[ids.index(int(cls[k][i]))].append(
                    (float(score[k][i]), n, box[i]))
            n += 1
    net.train()
    return [precision_of(f, w) for f, w in zip(found, wanted)]


# ---- Training --------------------------------------------------------------

def rate(step, steps, more, most):
    if step < WARM:
        return most * (step + 1) / WARM
    if step < steps:
        return most * min(1.0, (steps - step) / (steps * DECAY) + 0.01)
    return most * 0.5 * min((step + 1 - steps) / WARM,
                            (steps + more - step) / more + 0.01)


def save(path, state):
    torch.save(state, path + ".part")
    os.replace(path + ".part", path)


def average(mean, net, step):
    """Keeps a running mean of the weights, better than any single weights."""
    keep = min(0.998, (step + 1) / (step + 20))
    for k, v in net.state_dict().items():
        if v.dtype.is_floating_point:
            mean[k].mul_(keep).add_(v, alpha=1 - keep)
        else:
            mean[k].copy_(v)


def train(net, mean, a, ids, log):
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3,
                            betas=(0.9, 0.98))
    at = [detector.cells(k[0]) for k in KINDS]
    begin = 0
    if os.path.exists(a.state):
        s = torch.load(a.state)
        net.load_state_dict(s["net"])
        mean.update(s["mean"])
        opt.load_state_dict(s["opt"])
        begin = s["step"]
        log("# goes on at step %d" % begin)
    last = a.steps + a.more
    streams = [iter(Scenes(a.draw, k, SEED, begin // 2 * k[1],
                           (last - begin + 1) // 2 * k[1])) for k in KINDS]
    seen, began = np.zeros(3), time.time()
    for step in range(begin, last):
        x, truth = next(streams[step % 2])
        for g in opt.param_groups:
            g["lr"] = rate(step, a.steps, a.more, a.rate)
        raw = net(torch.from_numpy(x.copy()).float() / 255)
        parts = loss_of(raw, at[step % 2], *padded(truth, ids),
                        step >= a.steps)
        opt.zero_grad(set_to_none=True)
        (parts[0] + 4 * parts[1]).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        opt.step()
        average(mean, net, step)
        seen += [float(v) for v in parts]
        if (step + 1) % 50 == 0:
            log("step %5d  class %.3f  box %.3f  cells %.1f  %4.0f s" %
                (step + 1, *(seen / 50), time.time() - began))
            seen[:] = 0
        if (step + 1) % 100 == 0:
            save(a.state, {"net": net.state_dict(), "mean": mean,
                           "opt": opt.state_dict(), "step": step + 1})


def export(net, ids, path):
    warnings.filterwarnings("ignore")       # about intended constants
    torch.onnx.export(detector.Whole(net, ids).eval(),
                      torch.zeros(1, 3, 640, 640), path, opset_version=13,
                      input_names=["images"], output_names=["output0"],
                      do_constant_folding=True)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--draw", default="build/tools/draw-scenes")
    p.add_argument("--steps", type=int, default=5000)
    p.add_argument("--more", type=int, default=1500,
                   help="steps with a strict choice of cells, after --steps")
    p.add_argument("--rate", type=float, default=3e-3)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--state", default="build/detector.pt",
                   help="where to go on after a stop; removed at the end")
    p.add_argument("--export-only", action="store_true",
                   help="the model as it was when --state was last written")
    p.add_argument("--out", default="models")
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(SEED)
    ids = classes(a.draw)
    net = detector.Detector(len(ids))
    mean = {k: v.clone() for k, v in net.state_dict().items()}
    again = os.path.exists(a.state)
    record = open(os.path.join(a.out, "detector.log"), "a" if again else "w")

    def log(line):
        print(line, flush=True)
        print(line, file=record, flush=True)

    if not again:
        log("# SPDX-License-Identifier: Apache-2.0")
    if a.export_only:
        mean = torch.load(a.state)["mean"]
    else:
        log("torch %s, %d + %d steps, seed %d, %d parameters" %
            (torch.__version__, a.steps, a.more, SEED,
             sum(v.numel() for v in net.parameters())))
        train(net, mean, a, ids, log)
    net.load_state_dict(mean)
    path = os.path.join(a.out, "yolov8n.onnx")
    export(net, ids, path)
    with open(path, "rb") as f:
        log("sha256 " + hashlib.sha256(f.read()).hexdigest())
    ap = examine(net, a.draw, ids, SEED + 1, 200, "train")
    log("200 other training scenes: mAP50 %.4f (%s)" %
        (np.mean(ap), " ".join("%.3f" % v for v in ap)))
    if not a.export_only and os.path.exists(a.state):
        os.remove(a.state)


if __name__ == "__main__":
    main()

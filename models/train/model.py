# SPDX-License-Identifier: Apache-2.0
"""The two encoders of the demonstration models, as PyTorch modules.

Both give vectors of 512 numbers in one space, with inputs and outputs as in
the CIX model hub's CLIP: text [1,77] int32, picture [1,3,224,224], vectors of
length 10.
An embedding is a colour part and a shape part of 16 numbers, each of length
one, spread over 512 by a fixed orthonormal matrix.  Because the parts are
learned separately, the embedding is also right for a colour and a shape that
training never showed together.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

PART = 16           # numbers of the colour part, and of the shape part
WIDTH = 512         # numbers of an embedding, as CLIP ViT-B/32 has
LENGTH = 10.0       # of an embedding; about the length in CLIP
SIDE = 224
# CLIP's normalisation of the three channels (openai/CLIP, clip.py).
MEAN = torch.tensor([0.48145466, 0.4578275, 0.40821073])[:, None, None]
STD = torch.tensor([0.26862954, 0.26130258, 0.27577711])[:, None, None]


def spread_matrix():
    """Returns fixed, orthonormal columns, which do not change cosines."""
    g = torch.Generator().manual_seed(512)
    q, _ = torch.linalg.qr(torch.randn(WIDTH, 2 * PART, generator=g))
    return q * (LENGTH / math.sqrt(2))


def unit(x):
    return x / torch.sqrt((x * x).sum(1, keepdim=True) + 1e-6)


class Encoder(nn.Module):
    """parts() returns the two unit vectors, forward() the embedding."""

    def __init__(self):
        super().__init__()
        self.register_buffer("spread", spread_matrix())

    def forward(self, x):
        colour, shape = self.parts(x)
        return F.linear(torch.cat([colour, shape], 1), self.spread)


def conv(i, o, size=3, stride=1, pad=1):
    return nn.Sequential(nn.Conv2d(i, o, size, stride, pad, bias=False),
                         nn.BatchNorm2d(o), nn.ReLU())


class Grids(nn.Module):
    """Convolutions to grids of 28, 14 and 7 cells.  A softmax over all cells of
    all three grids selects an object of any size, and its features."""

    SIZES = (28, 14, 7)

    def __init__(self, stem, width, wide):
        super().__init__()
        self.stem = stem
        self.stages = nn.ModuleList([
            nn.Sequential(conv(width, wide[0], 3, 2), conv(wide[0], wide[0])),
            nn.Sequential(conv(wide[0], wide[1], 3, 2),
                          conv(wide[1], wide[1])),
            nn.Sequential(conv(wide[1], wide[1], 3, 2),
                          conv(wide[1], wide[1]), conv(wide[1], wide[1])),
        ])
        ends = (wide[0], wide[1], wide[1])
        self.value = nn.ModuleList([nn.Conv2d(c, 64, 1) for c in ends])
        self.choose = nn.ModuleList([nn.Conv2d(c, 1, 1) for c in ends])

    def forward(self, x):
        """Returns the logit of each cell, and the features of chosen cells."""
        x = self.stem(x)
        logits, values = [], []
        for stage, value, choose in zip(self.stages, self.value, self.choose):
            x = stage(x)
            values.append(torch.flatten(F.relu(value(x)), 2))
            logits.append(torch.flatten(choose(x), 1))
        logits = torch.cat(logits, 1)
        share = torch.softmax(logits, 1)
        return logits, (torch.cat(values, 2) * share.unsqueeze(1)).sum(2)


class Picture(Encoder):
    """Two stages.  The first finds the object and its colour.  The second sees
    only which pixels have that colour; therefore the shape it reports cannot
    depend on the colour, and combinations that training never showed are
    recognised as well as the others."""

    def __init__(self):
        super().__init__()
        self.first = Grids(conv(3, 16, 4, 2), 16, (24, 40))
        self.colour = nn.Linear(64, PART)
        self.rgb = nn.Linear(64, 3)
        # (1 / distance that counts as the same colour)^2: 20 levels of 255.
        self.register_buffer("near", (255 * STD / 20) ** 2)
        self.second = Grids(nn.Sequential(conv(1, 16, 4, 2), conv(16, 24)),
                            24, (32, 48))
        self.shape = nn.Linear(64, PART)

    def mask(self, x, rgb):
        """Returns logits [B,1,112,112]: is each pixel near that colour."""
        away = x - rgb.unsqueeze(2).unsqueeze(3)
        return 4.0 - (away * away * self.near).sum(1, keepdim=True)

    def parts(self, x):
        x = F.avg_pool2d(x, 2)
        _, features = self.first(x)
        mask = torch.sigmoid(self.mask(x, self.rgb(features)))
        _, outline = self.second(mask)
        return unit(self.colour(features)), unit(self.shape(outline))


class Text(Encoder):
    """A bag of tokens.  Any int32 is a token: its remainders by two primes
    choose two rows, and this pair of rows is practically unique.  Each token
    has a weight for colour and one for shape; in training, words that mean
    neither get weights near 0."""

    PRIMES = (509, 521)

    def __init__(self):
        super().__init__()
        self.rows = nn.ModuleList([nn.Embedding(p, 48) for p in self.PRIMES])
        for r in self.rows:
            nn.init.normal_(r.weight, std=0.5)
        self.hidden = nn.Linear(48, 64)
        self.weight = nn.Linear(64, 2)
        self.colour = nn.Linear(64, PART)
        self.shape = nn.Linear(64, PART)
        self.rest = nn.Parameter(torch.randn(2, PART) * 0.05)

    def parts(self, ids):
        t = sum(r(torch.remainder(ids, p))
                for r, p in zip(self.rows, self.PRIMES))
        t = F.relu(self.hidden(t))
        there = (ids != 0).to(t.dtype).unsqueeze(2)     # 0 is padding
        w = torch.sigmoid(self.weight(t) - 3.0) * there
        return (unit((self.colour(t) * w[:, :, 0:1]).sum(1) + self.rest[0]),
                unit((self.shape(t) * w[:, :, 1:2]).sum(1) + self.rest[1]))

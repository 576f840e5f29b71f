# SPDX-License-Identifier: Apache-2.0
"""The demonstration detector as a PyTorch module.

Input and output are as in the CIX model hub's yolov8n: pictures [1,3,640,640]
with values 0 to 1, and output [1,84,8400].  The output contains, for each cell
of three grids (80, 40 and 20 cells to a side), the box's centre, width and
height in pixels, and the scores of COCO's 80 classes.  All but eight scores
are 0.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

STRIDES = (8, 16, 32)
CLASSES = 80


class Conv(nn.Module):
    def __init__(self, i, o, size=3, stride=1, act=F.silu):
        super().__init__()
        self.conv = nn.Conv2d(i, o, size, stride, size // 2, bias=False)
        self.norm = nn.BatchNorm2d(o, momentum=0.03)
        self.act = act

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


class Add(nn.Module):
    """A convolution whose result is added to its input."""

    def __init__(self, n):
        super().__init__()
        self.conv = Conv(n, n)

    def forward(self, x):
        return x + self.conv(x)


class Wide(nn.Module):
    """Widens the view of a cell: maxima over 5, 9 and 13 cells."""

    def __init__(self, n):
        super().__init__()
        self.less = Conv(n, n // 2, 1)
        self.mix = Conv(n // 2 * 4, n, 1)

    def forward(self, x):
        x = [self.less(x)]
        for _ in range(3):
            x.append(F.max_pool2d(x[-1], 5, 1, 2))
        return self.mix(torch.cat(x, 1))


class Detector(nn.Module):
    def __init__(self, classes, width=48):
        super().__init__()
        self.stem = nn.Sequential(Conv(3, 16, 3, 2, F.relu),
                                  Conv(16, 24, 3, 2, F.relu),
                                  Conv(24, width, 3, 2), Add(width))
        self.down4 = nn.Sequential(Conv(width, 64, 3, 2), Add(64))
        self.down5 = nn.Sequential(Conv(64, 80, 3, 2), Add(80), Wide(80))
        self.side = nn.ModuleList([Conv(c, width, 1) for c in (width, 64, 80)])
        self.mix = nn.ModuleList([Conv(width, width) for _ in range(2)])
        self.head = nn.ModuleList([nn.Sequential(
            Conv(width, width), nn.Conv2d(width, 4 + classes, 1))
            for _ in STRIDES])
        for h, s in zip(self.head, STRIDES):
            nn.init.zeros_(h[1].bias)
            h[1].bias.data[:4] = 0.9         # boxes of 5 strides a side
            h[1].bias.data[4:] = -5.0        # and hardly any object

    def forward(self, x):
        """Returns raw [B,4+n,cells]: log distances to sides, class logits."""
        a = self.stem(x)
        b = self.down4(a)
        c = self.down5(b)
        a, b, c = (side(v) for side, v in zip(self.side, (a, b, c)))
        b = self.mix[1](b + F.interpolate(c, scale_factor=2.0))
        a = self.mix[0](a + F.interpolate(b, scale_factor=2.0))
        return torch.cat([flat(h(v)) for h, v in
                          zip(self.head, (a, b, c))], 2)


def flat(x):
    """x.flatten(2), with sizes that are constants in the ONNX file."""
    return x.reshape(-1, int(x.shape[1]), int(x.shape[2]) * int(x.shape[3]))


def cells(side):
    """Returns [3,cells]: centre x, y and stride of each cell of all grids."""
    out = []
    for s in STRIDES:
        at = (torch.arange(side // s) + 0.5) * s
        y, x = torch.meshgrid(at, at, indexing="ij")
        out.append(torch.stack([x.flatten(), y.flatten(),
                                torch.full((at.numel() ** 2,), float(s))]))
    return torch.cat(out, 1)


def boxes(raw, at):
    """Returns x0, y0, x1, y1 [B,4,cells] for raw distances."""
    d = torch.exp(raw.clamp(-4, 4)) * at[2]
    return torch.cat([at[:2] - d[:, :2], at[:2] + d[:, 2:]], 1)


class Whole(nn.Module):
    """The network with the output of yolov8n.  ids: COCO's class numbers."""

    def __init__(self, net, ids, side=640):
        super().__init__()
        self.net = net
        at = cells(side)
        self.register_buffer("middle", at[None, :2])
        self.register_buffer("stride", at[None, 2:])
        # The row after the last class is 0, and is for all other classes.
        rows = torch.full((CLASSES,), len(ids))
        rows[torch.tensor(ids)] = torch.arange(len(ids))
        self.register_buffer("rows", rows)

    def forward(self, x):
        raw = self.net(x)
        d = torch.exp(raw[:, :4].clamp(-4, 4)) * self.stride
        middle = self.middle + (d[:, 2:] - d[:, :2]) * 0.5
        size = d[:, 2:] + d[:, :2]
        p = torch.sigmoid(raw[:, 4:])
        p = torch.cat([p, p[:, :1] * 0], 1).index_select(1, self.rows)
        return torch.cat([middle, size, p], 1)

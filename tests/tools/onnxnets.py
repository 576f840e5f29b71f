#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes ONNX files whose multiply-accumulates are known.

onnxnets.py CASE >FILE	write a file
onnxnets.py --list	print the cases with one node: name, number

The number is calculated by hand, in the comment or the expression beside the
case.
"""
import struct
import sys

from onnxgen import F32, S64, data, external, graph, model, node, \
    number, port, weights

INT, STRING, GRAPH, INTS = 2, 3, 5, 7    # types of attributes


def attribute(name, value):
    """An attribute: a number, text, list of numbers, or a graph as bytes."""
    if isinstance(value, int):
        body = number(3, value) + number(20, INT)
    elif isinstance(value, str):
        body = data(4, value) + number(20, STRING)
    elif isinstance(value, bytes):
        body = data(6, value) + number(20, GRAPH)
    else:
        body = b"".join(number(8, v) for v in value) + number(20, INTS)
    return data(5, data(1, name) + body)


def op(kind, inputs, outputs="y", domain="", **attributes):
    outputs = (outputs,) if isinstance(outputs, str) else outputs
    return node(kind, inputs, outputs,
                b"".join(attribute(k, v) for k, v in attributes.items()),
                domain)


def sizes(name, values):
    """A constant list of sizes."""
    return weights(name, (len(values),), struct.pack(f"<{len(values)}q",
                                                     *values), S64)


def scales(name, values):
    return weights(name, (len(values),), struct.pack(f"<{len(values)}f",
                                                     *values), F32)


def net(nodes, inputs, tensors=(), output="y", shape=None, more=b""):
    """A model; the sizes of its output are not stated."""
    g = graph(nodes, list(tensors), [port(k, v) for k, v in inputs.items()],
              [data(1, output) + data(2, data(1, number(1, F32)))])
    return model(g + b"".join(data(13, port(k, v))
                              for k, v in (shape or {}).items()),
                 more=data(8, data(1, "com.microsoft") + number(2, 1)) + more)


def single(kind, inputs, domain="", **attributes):
    """A model of one node."""
    return net([op(kind, list(inputs), domain=domain, **attributes)], inputs)


def conv(kind, x, w, **attributes):
    return single(kind, {"x": x, "w": w}, **attributes)


Q = {"x": (1, 3, 8, 8), "xs": (), "xz": (), "w": (4, 3, 3, 3), "ws": (),
     "wz": (), "ys": (), "yz": ()}

# name: (multiply-accumulates, file)
SINGLE = {
    # Elements of the output, times elements of a kernel.
    "conv": (4 * 6 * 6 * 3 * 9, lambda: conv(
        "Conv", (1, 3, 8, 8), (4, 3, 3, 3))),
    "conv-padded": (4 * 8 * 8 * 3 * 9, lambda: conv(
        "Conv", (1, 3, 8, 8), (4, 3, 3, 3), pads=(1, 1, 1, 1))),
    "conv-strides": (4 * 3 * 2 * 3 * 9, lambda: conv(
        "Conv", (1, 3, 8, 8), (4, 3, 3, 3), strides=(2, 3))),
    "conv-dilated": (4 * 4 * 4 * 3 * 9, lambda: conv(
        "Conv", (1, 3, 8, 8), (4, 3, 3, 3), dilations=(2, 2))),
    "conv-same": (4 * 4 * 4 * 3 * 9, lambda: conv(
        "Conv", (1, 3, 7, 8), (4, 3, 3, 3), strides=(2, 2),
        auto_pad="SAME_UPPER")),
    "conv-valid": (4 * 6 * 6 * 3 * 9, lambda: conv(
        "Conv", (1, 3, 8, 8), (4, 3, 3, 3), pads=(1, 1, 1, 1),
        auto_pad="VALID")),
    "conv-groups": (6 * 8 * 8 * 2 * 1, lambda: conv(
        "Conv", (1, 4, 8, 8), (6, 2, 1, 1), group=2)),
    "conv-depthwise": (8 * 6 * 6 * 1 * 9, lambda: conv(
        "Conv", (1, 8, 8, 8), (8, 1, 3, 3), group=8)),
    "conv-batch": (5 * 4 * 6 * 6 * 3 * 9, lambda: conv(
        "Conv", (5, 3, 8, 8), (4, 3, 3, 3))),
    "conv-1d": (5 * 8 * 2 * 3, lambda: conv("Conv", (1, 2, 10), (5, 2, 3))),
    "conv-3d": (2 * 3 * 3 * 3 * 1 * 8, lambda: conv(
        "Conv", (1, 1, 4, 4, 4), (2, 1, 2, 2, 2))),
    "conv-integer": (4 * 6 * 6 * 3 * 9, lambda: conv(
        "ConvInteger", (1, 3, 8, 8), (4, 3, 3, 3))),
    "conv-quantised": (4 * 6 * 6 * 3 * 9, lambda: single("QLinearConv", Q)),
    "conv-fused": (4 * 6 * 6 * 3 * 9, lambda: conv(
        "FusedConv", (1, 3, 8, 8), (4, 3, 3, 3), domain="com.microsoft")),
    # Elements of the input, times elements of an outer channel's kernels.
    "transposed": (4 * 5 * 5 * 6 * 4, lambda: conv(
        "ConvTranspose", (1, 4, 5, 5), (4, 6, 2, 2), strides=(2, 2))),
    "transposed-groups": (4 * 5 * 5 * 3 * 4, lambda: conv(
        "ConvTranspose", (1, 4, 5, 5), (4, 3, 2, 2), group=2)),
    # Elements of the output, times the inner size.
    "matmul": (2 * 3 * 5 * 4, lambda: conv("MatMul", (2, 3, 4), (4, 5))),
    "matmul-batches": (2 * 5 * 3 * 6 * 4, lambda: conv(
        "MatMul", (2, 1, 3, 4), (5, 4, 6))),
    "matmul-vectors": (4, lambda: conv("MatMul", (4,), (4,))),
    "matmul-row": (2 * 5 * 4, lambda: conv("MatMul", (4,), (2, 4, 5))),
    "matmul-integer": (3 * 5 * 4, lambda: conv(
        "MatMulInteger", (3, 4), (4, 5))),
    "matmul-quantised": (3 * 5 * 4, lambda: single("QLinearMatMul", {
        **Q, "x": (3, 4), "w": (4, 5)})),
    "matmul-fused": (2 * 5 * 3, lambda: conv(
        "FusedMatMul", (2, 3), (5, 3), transB=1, domain="com.microsoft")),
    "gemm": (3 * 5 * 4, lambda: conv("Gemm", (3, 4), (4, 5))),
    "gemm-transposed": (3 * 5 * 4, lambda: conv(
        "Gemm", (4, 3), (5, 4), transA=1, transB=1)),
    # 6 steps, a batch of 2, 4 gates of 4 elements from 3 inputs and 4 states.
    "lstm": (6 * 2 * (4 * 4 * 3 + 4 * 4 * 4), lambda: single("LSTM", {
        "x": (6, 2, 3), "w": (1, 16, 3), "r": (1, 16, 4)}, hidden_size=4)),
    "gru-both-ways": (6 * 2 * 2 * (3 * 4 * 3 + 3 * 4 * 4), lambda: single(
        "GRU", {"x": (6, 2, 3), "w": (2, 12, 3), "r": (2, 12, 4)},
        hidden_size=4, direction="bidirectional")),
    "softmax": (0, lambda: single("Softmax", {"x": (8, 8)})),
    "pool": (0, lambda: single("MaxPool", {"x": (1, 3, 8, 8)},
                               kernel_shape=(2, 2))),
}


# ---- CLIP ViT-B/32 ---------------------------------------------------------

class Tower:
    """A transformer as exporters write it: shapes are partly calculated."""

    def __init__(self, tokens, width):
        self.tokens, self.width = tokens, width
        self.nodes, self.tensors, self.values = [], [], 0

    def add(self, kind, *inputs, **attributes):
        self.values += 1
        name = f"v{self.values}"
        self.nodes.append(op(kind, inputs, name, **attributes))
        return name

    def weights(self, *shape):
        self.values += 1
        self.tensors.append(external(f"w{self.values}", shape, "weights"))
        return f"w{self.values}"

    def sizes(self, *values):
        self.values += 1
        self.tensors.append(sizes(f"s{self.values}", values))
        return f"s{self.values}"

    def linear(self, x, inner, outer):
        x = self.add("MatMul", x, self.weights(inner, outer))
        return self.add("Add", self.weights(outer), x)

    def norm(self, x):
        return self.add("LayerNormalization", x, self.weights(self.width),
                        self.weights(self.width))

    def heads(self, x):
        """(1, tokens, width) to (1, heads, tokens, 64), as torch writes it."""
        shape = self.add("Shape", x)
        first = self.add("Gather", shape, self.sizes(0))
        target = self.add("Concat", first, self.sizes(
            self.tokens, self.width // 64, 64), axis=0)
        x = self.add("Reshape", x, target)
        return self.add("Transpose", x, perm=(0, 2, 1, 3))

    def attention(self, x):
        q, k, v = (self.heads(self.linear(x, self.width, self.width))
                   for _ in range(3))
        k = self.add("Transpose", k, perm=(0, 1, 3, 2))
        share = self.add("Softmax", self.add("MatMul", q, k), axis=-1)
        x = self.add("Transpose", self.add("MatMul", share, v),
                     perm=(0, 2, 1, 3))
        x = self.add("Reshape", x, self.sizes(0, 0, -1))
        return self.linear(x, self.width, self.width)

    def layer(self, x):
        x = self.add("Add", x, self.attention(self.norm(x)))
        y = self.linear(self.norm(x), self.width, 4 * self.width)
        y = self.add("Mul", y, self.add("Sigmoid", y))
        return self.add("Add", x, self.linear(y, 4 * self.width, self.width))

    def finish(self, x, index, inputs):
        """One token of the last layer is projected to 512 elements."""
        for _ in range(12):
            x = self.layer(x)
        x = self.add("Gather", self.norm(x), index, axis=1)
        x = self.add("Squeeze", x, self.sizes(1))
        x = self.add("MatMul", x, self.weights(self.width, 512))
        return net(self.nodes, inputs, self.tensors, output=x)


def clip_text():
    """Ids, their vectors, and the token with the largest id."""
    t = Tower(77, 512)
    x = t.add("Gather", t.weights(49408, 512), "ids")
    x = t.add("Add", x, t.weights(77, 512))
    end = t.add("ArgMax", "ids", axis=-1, keepdims=0)
    return t.finish(x, end, {"ids": (1, 77)})


def clip_visual():
    """Patches of 32 by 32 pixels, and a token for the class."""
    t = Tower(50, 768)
    x = t.add("Conv", "x", t.weights(768, 3, 32, 32), strides=(32, 32))
    x = t.add("Reshape", x, t.sizes(0, 768, -1))
    x = t.add("Transpose", x, perm=(0, 2, 1))
    x = t.add("Concat", t.weights(1, 1, 768), x, axis=1)
    x = t.norm(t.add("Add", x, t.weights(50, 768)))
    return t.finish(x, t.sizes(0), {"x": (1, 3, 224, 224)})


# ---- Sizes that are calculated, and unknown ones ------------------------------

SQUARE = {"x": (2, 6), "w": (4, 5)}


def branch():
    inner = graph([op("MatMul", ("x", "w"))], [], [], [port("y", (2, 5))])
    return net([op("If", ("c",), then_branch=inner, else_branch=inner)],
               {"c": (), "x": (2, 4), "w": (4, 5)})


def chain(n):
    """n nodes whose names are long and differ at their ends."""
    names = ["x"] + [f"{'v' * 40}{i}" for i in range(n)]
    return net([op("Add", (names[i], "w"), names[i + 1]) for i in range(n)],
               {"x": (1, 4), "w": (1, 4)}, output=names[n])


CASES = {
    "clip-text": clip_text,
    "clip-visual": clip_visual,
    # (2,6) becomes (3,4), by a shape that is the first size plus 1, and -1.
    "calculated": lambda: net([
        op("Shape", ("x",), "s"), op("Gather", ("s", "zero"), "first"),
        op("Add", ("first", "one"), "three"),
        op("Concat", ("three", "rest"), "target", axis=0),
        op("Reshape", ("x", "target"), "r"), op("MatMul", ("r", "w"))],
        SQUARE, [sizes("zero", (0,)), sizes("one", (1,)),
                 sizes("rest", (-1,))]),
    # The picture is enlarged by 1.5, from (4,6) to (6,9).
    "resized": lambda: net([
        op("Resize", ("x", "", "scales"), "r"), op("Conv", ("r", "w"))],
        {"x": (1, 3, 4, 6), "w": (2, 3, 1, 1)},
        [scales("scales", (1, 1, 1.5, 1.5))]),
    "open": lambda: single("MatMul", {"x": ("batch", 4), "w": (4, 5)}),
    "einsum": lambda: single("Einsum", {"x": (2, 4), "w": (4, 5)},
                             equation="ij,jk->ik"),
    "foreign": lambda: net([
        op("Fancy", ("x",), "f", domain="com.example"),
        op("MatMul", ("f", "w"))], {"x": (2, 4), "w": (4, 5)}),
    "stated": lambda: net([
        op("Fancy", ("x",), "f", domain="com.example"),
        op("MatMul", ("f", "w"))], {"x": (2, 4), "w": (4, 5)},
        shape={"f": (2, 4)}),
    "branch": branch,
    "overflow": lambda: single("MatMul", {"x": ((1 << 32) - 1, ) * 2,
                                          "w": ((1 << 32) - 1, ) * 2}),
    # Each product has 2^63; two have more than 64 bits.
    "overflowing-sum": lambda: net([
        op("MatMul", ("x", "w"), "z"), op("MatMul", ("x", "w"))],
        {"x": (1 << 31, 1 << 31), "w": (1 << 31, 2)}),
    # Damaged fields for training, and of a function.
    "training": lambda: net([op("MatMul", ("x", "w"))], {
        "x": (2, 4), "w": (4, 5)},
        more=data(20, b"\xff") + data(25, b"\xff")),
    "chain": lambda: chain(262144),
}

if __name__ == "__main__":
    if sys.argv[1] == "--list":
        for case, (macs, _) in SINGLE.items():
            print(case, macs)
    elif sys.argv[1] in SINGLE:
        sys.stdout.buffer.write(SINGLE[sys.argv[1]][1]())
    else:
        sys.stdout.buffer.write(CASES[sys.argv[1]]())

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes ONNX files for the tests of what cix-lint says about quantising.

quantnets.py CASE [PATH]

Writes the model to stdout, or to PATH.onnx with its data in PATH.bin.
"""
import random
import struct
import sys

from onnxgen import (F32, S8, S64, data, entry, graph, model, node, number,
                     port, varint, weights)

F16 = 10


def floats(*numbers):
    return struct.pack(f"<{len(numbers)}f", *numbers)


def scalar(name, v):
    return weights(name, (), floats(v))


def zero(name, v):
    return weights(name, (), struct.pack("<b", v), S8)


# ---- Tables ------------------------------------------------------------------

def rows(large):
    """64 rows of 4 numbers between -1 and 1, and one number that is large."""
    random.seed(7)
    table = [random.uniform(-1, 1) for _ in range(256)]
    table[0] = large
    return table


def gather(tensor, more=b"", axis=b""):
    return model(graph(
        nodes=[node("Gather", ("t", "i"), ("y",), axis)], tensors=[tensor],
        inputs=[port("i", (3,), S64)], outputs=[port("y", (3, 4))]),
        more=more)


def table(numbers, kind=F32):
    form = "f" if kind == F32 else "e"
    raw = struct.pack(f"<{len(numbers)}{form}", *numbers)
    return weights("t", (len(numbers) // 4, 4), raw, kind)


def typed_table(numbers):
    return weights("t", (64, 4), None) + data(4, floats(*numbers))


def outside_table(path, numbers):
    with open(path + ".bin", "wb") as f:
        f.write(bytes(100) + floats(*numbers))
    name = path.rsplit("/", 1)[-1] + ".bin"
    return weights("t", (64, 4), None) + b"".join(
        data(13, data(1, k) + data(2, v)) for k, v in
        (("location", name), ("offset", "100"))) + number(14, 1)


# ---- Heads -------------------------------------------------------------------

def head(nodes, *tensors, size=8):
    """x goes through Conv to c; the nodes make y."""
    return model(graph(
        nodes=[node("Conv", ("x", "w"), ("c",))] + nodes,
        tensors=[weights("w", (4, 4, 1, 1), floats(*[0.1] * 16)),
                 scalar("k", 640), *tensors],
        inputs=[port("x", (1, 4, 8, 8))],
        outputs=[port("y", (1, size, 8, 8))]))


BOXES = node("Mul", ("c", "k"), ("b",))
SCORES = node("Sigmoid", ("c",), ("s",))


def join(*names, out="y"):
    return node("Concat", names, (out,), data(5, data(1, "axis") +
                                              number(3, 1) + number(20, 2)))


def named(name, n):
    """The node with another name in place of "n"."""
    return n.replace(data(3, "n"), data(3, name))


def quantised(name, source, target, scale, zero_point):
    """Nodes and tensors that quantise source to target."""
    q = (source, name + "s", name + "z")
    return ([node("QuantizeLinear", q, (name,)),
             node("DequantizeLinear", (name,) + q[1:], (target,))],
            [scalar(name + "s", scale), zero(name + "z", zero_point)])


def quantised_head(scale, zero_point, width=640):
    nodes, tensors = quantised("q", "j", "y", scale, zero_point)
    return head([BOXES, SCORES, join("b", "s", out="j")] + nodes, *tensors)


def classifier(classes, scale, zero_point, before=()):
    nodes, tensors = quantised("q", "l", "y", scale, zero_point)
    return model(graph(
        nodes=[node("Gemm", ("x", "w"), ("l",))] + nodes,
        tensors=[weights("w", (4, classes), floats(*[0.1] * 4 * classes)),
                 *tensors],
        inputs=[port("x", (1, 4))], outputs=[port("y", (1, classes))]))


def two_quantisers(first, second):
    a, ta = quantised("p", "x", "m", first, 0)
    b, tb = quantised("q", "r", "y", second, 0)
    return model(graph(nodes=a + [node("Flatten", ("m",), ("r",))] + b,
                       tensors=ta + tb))


def sigmoid(scale, zero_point):
    nodes, tensors = quantised("q", "s", "y", scale, zero_point)
    return model(graph(nodes=[node("Sigmoid", ("x",), ("s",))] + nodes,
                       tensors=tensors))


CASES = {
    "table": lambda: gather(table(rows(10000))),
    "typed-table": lambda: gather(typed_table(rows(10000))),
    "half-table": lambda: gather(table(rows(10000), F16)),
    "outside-table": lambda: gather(outside_table(sys.argv[2], rows(10000))),
    "even-table": lambda: gather(table(rows(1))),
    "equal-rows": lambda: gather(table([0.5, 1, 2, 3] * 64)),
    "columns": lambda: gather(table(rows(10000)), axis=data(5, data(
        1, "axis") + number(3, 1) + number(20, 2))),
    "nan-table": lambda: gather(table(rows(float("nan")))),
    "mixed": lambda: head([BOXES, SCORES, named("join", join("b", "s"))]),
    "odd-name": lambda: head([BOXES, SCORES, named("a/b.c[0]",
                                                   join("b", "s"))]),
    "no-name": lambda: head([BOXES, SCORES, named("", join("b", "s"))]),
    "scores": lambda: head([SCORES, node("Tanh", ("c",), ("b",)),
                            join("b", "s")]),
    "boxes": lambda: head([BOXES, join("b", "c")]),
    "small-boxes": lambda: head([
        SCORES, node("Mul", ("s", "two"), ("b",)), join("b", "s")],
        scalar("two", 2)),
    "nested": lambda: head([
        BOXES, SCORES, join("s", "s", out="ss"),
        node("Identity", ("ss",), ("i",)), join("b", "i", out="j"),
        node("Transpose", ("j",), ("y",))], size=12),
    "clipped-boxes": lambda: head([
        node("Clip", ("c", "low", "high"), ("b",)), SCORES,
        join("b", "s")], scalar("low", -2), scalar("high", 2)),
    "quantised": lambda: quantised_head(2.5, -128),
    "fine": lambda: quantised_head(0.01, -128),
    "classifier": lambda: classifier(1000, 5.425 / 255, -63),
    "wide-classifier": lambda: classifier(1000, 0.1, 0),
    "features": lambda: classifier(512, 0.02, 0),
    "wider-before": lambda: two_quantisers(0.2, 0.1),
    "wider-after": lambda: two_quantisers(0.1, 0.2),
    "sigmoid": lambda: sigmoid(0.3 / 255, -128),
    "whole-sigmoid": lambda: sigmoid(1 / 255, -128),
}

if __name__ == "__main__":
    made = CASES[sys.argv[1]]()
    if len(sys.argv) > 2:
        with open(sys.argv[2] + ".onnx", "wb") as file:
            file.write(made)
    else:
        sys.stdout.buffer.write(made)

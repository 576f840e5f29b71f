#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small ONNX files, good and bad, with the standard library alone.

onnxgen.py CASE >FILE

A good model is x (1,4) + w -> y.  Each other case is that model with one
difference, which its function names.  Fields are numbered as in onnx.proto.
"""
import sys

F32, S8, S64, STRING = 1, 3, 7, 8


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def data(field, b):
    b = b.encode() if isinstance(b, str) else b
    return varint(field << 3 | 2) + varint(len(b)) + b


def shape(sizes):
    return b"".join(data(1, number(1, s) if isinstance(s, int) else
                         data(2, s) if s else b"") for s in sizes)


def port(name, sizes=(1, 4), kind=F32):
    tensor = number(1, kind) + data(2, shape(sizes))
    return data(1, name) + data(2, data(1, tensor))


def weights(name="w", sizes=(1, 4), raw=bytes(16), kind=F32):
    return (b"".join(number(1, s) for s in sizes) + number(2, kind) +
            data(8, name) + (data(9, raw) if raw is not None else b""))


def external(name, sizes, location):
    entry = data(1, "location") + data(2, location)
    return weights(name, sizes, None) + data(13, entry) + number(14, 1)


def node(op="Add", inputs=("x", "w"), outputs=("y",), attributes=b"",
         domain=""):
    return (b"".join(data(1, i) for i in inputs) +
            b"".join(data(2, o) for o in outputs) + data(3, "n") +
            data(4, op) + attributes + (data(7, domain) if domain else b""))


def graph(nodes=None, tensors=None, inputs=None, outputs=None):
    nodes = [node()] if nodes is None else nodes
    tensors = [weights()] if tensors is None else tensors
    inputs = [port("x")] if inputs is None else inputs
    outputs = [port("y")] if outputs is None else outputs
    return (b"".join(data(1, n) for n in nodes) + data(2, "g") +
            b"".join(data(5, t) for t in tensors) +
            b"".join(data(11, i) for i in inputs) +
            b"".join(data(12, o) for o in outputs))


def model(g=None, opset=13, more=b""):
    return (number(1, 8) + data(2, "onnxgen") + data(7, g or graph()) +
            data(8, number(2, opset)) + more)


def nested(depth):
    """A graph in a node's attribute, depth times."""
    g = b""
    for _ in range(depth):
        g = data(1, data(5, data(6, g)))
    return g


def entry(key, value):
    return data(14, data(1, key) + data(2, value))


def large_file():
    """The beginning of a file of 1 GiB, whose end is data of weights."""
    before = data(1, node()) + data(11, port("x")) + data(12, port("y"))
    for room in range(100):
        raw = (1 << 30) - room
        tensor = (number(1, raw) + number(2, S8) + data(8, "w") +
                  varint(9 << 3 | 2) + varint(raw))
        g = (before + varint(5 << 3 | 2) + varint(len(tensor) + raw) + tensor)
        start = number(1, 8) + data(8, number(2, 13)) + varint(7 << 3 | 2)
        start += varint(len(g) + raw) + g
        if len(start) == room:
            return start
    raise ValueError("no size fits")


CASES = {
    "good": lambda: model(),
    "open": lambda: model(graph(
        inputs=[port("x", ("batch", 3, None, None))],
        outputs=[port("y", ("batch", 7, 2, 2, 2, 2, 2))])),
    "old": lambda: model(graph(inputs=[port("x"), port("w")])),
    "string": lambda: model(graph(inputs=[port("x"), port("s", (1,),
                                                          STRING)])),
    "sequence": lambda: model(graph(inputs=[
        port("x"), data(1, "q") + data(2, data(4, b""))])),
    "loop": lambda: model(graph(nodes=[
        node(), node("If", ("x",), ("z",), data(5, data(6, graph())))])),
    "domain": lambda: model(graph(nodes=[
        node("Fancy", domain="com.example")]),
        more=data(8, data(1, "com.example") + number(2, 1)) + data(25, b"")),
    "external": lambda: model(graph(tensors=[
        external("w", (1, 4), "w.bin"), external("v", (8,), "w.bin"),
        external("u", (2,), "u.bin")])),
    "metadata": lambda: model(more=entry("a", "1\t2") + entry("b", "")),
    "odd-names": lambda: model(graph(
        nodes=[node(inputs=("x\t\"1\",\x1b[1m", "w"))],
        inputs=[port("x\t\"1\",\x1b[1m")])),
    "typed": lambda: model(graph(tensors=[
        weights(raw=None) + data(4, bytes(16)),
        weights("i", (3,), None, S64) + data(7, bytes([1, 129, 1, 2])),
        weights("s", (2,), None, STRING) + data(6, "ab") + data(6, "c")])),
    "unknown-size": lambda: model(graph(inputs=[port("x", (-1, 4))])),
    "nodes": lambda: model(graph(nodes=[node()] * 1000000)),
    "cycle": lambda: model(graph(nodes=[
        node(inputs=("b", "w"), outputs=("a",)),
        node(inputs=("a", "w"), outputs=("b",)),
        node(inputs=("b", "x"))])),
    "nothing": lambda: model(graph(nodes=[node(inputs=("x", "v"))])),
    "no-output": lambda: model(graph(nodes=[node(outputs=("v",))])),
    "twice": lambda: model(graph(nodes=[node(), node()])),
    "long-value": lambda: model(graph(nodes=[
        node(inputs=("x", "w"), outputs=("y", "v" * (1 << 20)))])),
    "long-weights": lambda: model(graph(tensors=[
        weights(), weights("v" * (1 << 20))])),
    "long-operator": lambda: model(graph(nodes=[node("O" * (1 << 20))])),
    "long-input": lambda: model(graph(inputs=[port("x"),
                                              port("v" * (1 << 20))])),
    "long-size": lambda: model(graph(inputs=[port("x", ("N" * (1 << 20),))])),
    "large": lambda: model(graph(inputs=[port("x", (1 << 62, 4))])),
    "negative": lambda: model(graph(inputs=[port("x", (-5, 4))])),
    "large-weights": lambda: model(graph(tensors=[
        weights(sizes=(1 << 62, 1 << 62))])),
    "negative-weights": lambda: model(graph(tensors=[
        weights(sizes=(-1, 4))])),
    "short-weights": lambda: model(graph(tensors=[weights(raw=bytes(15))])),
    "no-weights": lambda: model(graph(tensors=[weights(raw=None)])),
    "few-values": lambda: model(graph(tensors=[
        weights(raw=None) + data(4, bytes(12))])),
    "deep": lambda: model(graph() + nested(10000)),
    "empty": lambda: model(graph(tensors=[
        weights(), weights("v", (1 << 40, 1 << 40, 0), None)])),
    "dimensions": lambda: model(graph(inputs=[port("x", (1,) * 17)])),
    "no-file": lambda: model(graph(tensors=[
        weights(raw=None) + number(14, 1)])),
    "large-file": large_file,
    "no-graph": lambda: number(1, 8) + data(2, "onnxgen") +
    data(8, number(2, 13)),
}

if __name__ == "__main__":
    sys.stdout.buffer.write(CASES[sys.argv[1]]())

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes ONNX models with open dimensions, and fixes the dimensions.

onnxfix.py make FILE        write the model of the tests
onnxfix.py fix FILE NAME=N... >OUT
onnxfix.py same A B         compare two models without their dimensions

"fix" is a second implementation of cix-lint --fix-shape: it copies all bytes
except the messages that contain a dimension with the name.
"""
import sys

import numpy as np

# The library needs these names, which later versions of numpy do not have.
for name, kind in (("float", float), ("int", int), ("bool", bool),
                   ("object", object), ("str", str)):
    setattr(np, name, kind)

import onnx
from onnx import TensorProto, helper, numpy_helper

# ---- The model ------------------------------------------------------------

UNKNOWN = b"\xa2\x3e\x05later"      # field 996, which no version has


def value(name, dims):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)


def branch(name, operator):
    """A graph without inputs, whose output has a named dimension."""
    return helper.make_graph(
        [helper.make_node(operator, ["sum"], [name])], name, [],
        [value(name, ["batch", "length"])])


def make(path):
    weight = numpy_helper.from_array(
        np.arange(300, dtype=np.float32) / 300, "weight")
    nodes = [
        helper.make_node("Add", ["x", "y"], ["sum"]),
        helper.make_node("ReduceMax", ["weight"], ["most"], keepdims=0),
        helper.make_node("Cast", ["most"], ["on"], to=TensorProto.BOOL),
        helper.make_node("If", ["on"], ["z"],
                         then_branch=branch("then", "Neg"),
                         else_branch=branch("else", "Abs")),
        helper.make_node("Relu", ["u"], ["v"]),
    ]
    graph = helper.make_graph(
        nodes, "graph",
        [value("x", ["batch", "length"]), value("y", ["batch", "length"]),
         value("u", [None, 3, None])],
        [value("z", ["batch", "length"]), value("v", [None, 3, None])],
        [weight],
        value_info=[value("sum", ["batch", "length"])])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)
    dim = model.graph.input[0].type.tensor_type.shape.dim[0]
    dim.denotation = "DATA_BATCH"
    dim.MergeFromString(UNKNOWN)
    model.graph.input[0].MergeFromString(UNKNOWN)
    model.graph.MergeFromString(UNKNOWN)
    with open(path, "wb") as f:
        f.write(model.SerializeToString() + UNKNOWN)


# ---- The second implementation --------------------------------------------

def number(b, at):
    n = shift = 0
    while True:
        byte = b[at]
        at += 1
        n |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return n, at


def encode(n):
    out = b""
    while n > 0x7f:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


def fields(b):
    """Yields number, wire type, content, and all bytes of each field."""
    at = 0
    while at < len(b):
        start = at
        tag, at = number(b, at)
        wire, content = tag & 7, None
        if wire == 0:
            content, at = number(b, at)
        elif wire == 2:
            n, at = number(b, at)
            content, at = b[at:at + n], at + n
        else:
            at += 8 if wire == 1 else 4
        yield tag >> 3, wire, content, b[start:at]


INSIDE = {
    "model": {7: "graph"},
    "graph": {1: "node", 11: "value", 12: "value", 13: "value"},
    "node": {5: "attribute"}, "attribute": {6: "graph", 11: "graph"},
    "value": {2: "type"}, "type": {1: "tensor"}, "tensor": {2: "shape"},
    "shape": {1: "dim"},
}


def fix_dim(b, sizes):
    name = [c.decode() for n, w, c, _ in fields(b) if (n, w) == (2, 2)]
    if not name or name[-1] not in sizes:
        return b
    size = b"\x08" + encode(sizes[name[-1]])
    return b"".join(size if (n, w) == (2, 2) else raw
                    for n, w, _, raw in fields(b))


def fix(b, kind, sizes):
    if kind == "dim":
        return fix_dim(b, sizes)
    out = b""
    for n, wire, content, raw in fields(b):
        inside = INSIDE[kind].get(n)
        if wire == 2 and inside:
            new = fix(content, inside, sizes)
            if new != content:
                raw = encode(n << 3 | 2) + encode(len(new)) + new
        out += raw
    return out


# ---- Comparison ------------------------------------------------------------

def clear(graph):
    for port in [*graph.input, *graph.output, *graph.value_info]:
        for dim in port.type.tensor_type.shape.dim:
            dim.ClearField("value")
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                clear(attribute.g)


def same(a, b):
    models = [onnx.load(path, load_external_data=False) for path in (a, b)]
    for model in models:
        clear(model.graph)
    return models[0].SerializeToString() == models[1].SerializeToString()


def main(work, path, *rest):
    if work == "make":
        make(path)
    elif work == "same":
        sys.exit(not same(path, rest[0]))
    else:
        sizes = {k: int(n) for k, n in (r.split("=") for r in rest)}
        with open(path, "rb") as f:
            sys.stdout.buffer.write(fix(f.read(), "model", sizes))


main(*sys.argv[1:])

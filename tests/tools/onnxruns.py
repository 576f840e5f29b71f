#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small ONNX models to run, with the library onnx.

onnxruns.py CASE >FILE

Each function below is a case; its name is CASE with _ for -.
"""
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, weights=()):
    weights = [numpy_helper.from_array(a, name) for name, a in weights]
    graph = helper.make_graph(nodes, "runs", inputs, outputs, weights)
    m = helper.make_model(graph, producer_name="onnxruns",
                          opset_imports=[helper.make_opsetid("", 13)])
    m.ir_version = 7
    return m


TABLE = np.arange(40, dtype=np.float32).reshape(10, 4)


def ids():
    """Rows of a table, and their mean; two open sizes, one with a name that
    only the outputs have."""
    return model(
        [helper.make_node("Gather", ["table", "ids"], ["rows"]),
         helper.make_node("ReduceMean", ["rows"], ["mean"], axes=[1],
                          keepdims=0)],
        [value("ids", ["batch", "length"], TensorProto.INT64)],
        [value("mean", ["batch", 4]), value("rows", ["batch", "n", 4])],
        [("table", TABLE)])


def unnamed():
    """A sum of two inputs with open sizes that have no names."""
    return model([helper.make_node("Add", ["a", "b:0"], ["c"])],
                 [value("a", [None, None, 2]), value("b:0", [None, 1, 2])],
                 [value("c", [None, None, None])])


def shared():
    """A sum of two inputs whose sizes have the same names."""
    return model([helper.make_node("Add", ["a", "b"], ["c"])],
                 [value("a", ["rows", "n"]), value("b", ["rows", "n"])],
                 [value("c", ["rows", "n"])])


def shapeless():
    """An output without a shape: it follows from the nodes."""
    m = model([helper.make_node("Flatten", ["x"], ["y"])],
              [value("x", ["n", 2, 3])], [value("y", None)])
    return m


def dependent():
    """An output whose size depends on the values."""
    return model([helper.make_node("NonZero", ["x"], ["y"])],
                 [value("x", [2, 3])],
                 [value("y", [2, "found"], TensorProto.INT64)])


def types():
    """One input and output of each type that a tensor can have."""
    kinds = ["BOOL", "UINT8", "INT8", "UINT16", "INT16", "UINT32", "INT32",
             "UINT64", "INT64", "FLOAT16", "FLOAT", "DOUBLE"]
    kinds = [(k.lower(), getattr(TensorProto, k)) for k in kinds]
    return model([helper.make_node("Identity", [k], [k + "_out"])
                  for k, _ in kinds],
                 [value(k, [2, 3], n) for k, n in kinds],
                 [value(k + "_out", [2, 3], n) for k, n in kinds])


def flat():
    """More dimensions than a label has."""
    return model([helper.make_node("Neg", ["x"], ["y"])],
                 [value("x", [1, 2, 1, 2, 1, 2, 1])],
                 [value("y", [1, 2, 1, 2, 1, 2, 1])])


def flat_open():
    """More dimensions than a label has, and two of them open."""
    return model([helper.make_node("Neg", ["x"], ["y"])],
                 [value("x", ["n", 2, 1, 2, 1, 2, "k"])],
                 [value("y", ["n", 2, 1, 2, 1, 2, "k"])])


def long_names():
    """Names longer than a tensor's, which are alike at the beginning."""
    a, b = "n" * 80 + "a", "n" * 80 + "b"
    return model([helper.make_node("Sub", [a, b], [a + "-"])],
                 [value(a, [2]), value(b, [2])], [value(a + "-", [2])])


def text():
    return model([helper.make_node("Identity", ["s"], ["t"])],
                 [value("s", [1], TensorProto.STRING)],
                 [value("t", [1], TensorProto.STRING)])


def double():
    return model([helper.make_node("Add", ["x", "x"], ["y"])],
                 [value("x", [1, 4])], [value("y", [1, 4])])


CASES = [ids, unnamed, shared, shapeless, dependent, types, flat,
         flat_open, long_names, text, double]

if __name__ == "__main__":
    case = {f.__name__.replace("_", "-"): f for f in CASES}[sys.argv[1]]
    sys.stdout.buffer.write(case().SerializeToString())

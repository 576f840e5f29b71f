#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares inferred shapes with the examples of the library onnx.

onnxcases.py TOOL

The library has some examples of each operator, with the results that its
specification demands.  Small inputs become constants, as they are in real
models; the shapes of outputs are removed.  Prints "different" and the case for
each output with another shape; then "equal" and "unknown", with the numbers of
outputs.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

# The library needs these names, which later versions of numpy do not have.
for name, kind in (("float", float), ("int", int), ("bool", bool),
                   ("object", object), ("str", str)):
    setattr(np, name, kind)

import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

MOST = 16   # elements of a constant


def is_constant(value, first):
    """Whether a model would have this input as a constant."""
    return (isinstance(value, np.ndarray) and value.size <= MOST and
            value.dtype != object and
            (not first or value.dtype == np.int64))


def prepare(case):
    graph = case.model.graph
    inputs = list(graph.input)
    del graph.input[:]
    del graph.value_info[:]
    for i, (port, value) in enumerate(zip(inputs, case.data_sets[0][0])):
        if is_constant(value, i == 0):
            graph.initializer.append(numpy_helper.from_array(value,
                                                             port.name))
        else:
            graph.input.append(port)
    for output in graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")


def infer(tool, model, path):
    onnx.save(model, path)
    out = subprocess.run([tool, path], check=True, capture_output=True,
                         text=True).stdout
    return dict(line.split("\t") for line in out.splitlines())


def compare(tool, case, path, count):
    prepare(case)
    ours = infer(tool, case.model, path)
    for port, value in zip(case.model.graph.output, case.data_sets[0][1]):
        if not isinstance(value, (np.ndarray, np.generic)):
            continue
        theirs = [str(n) for n in np.shape(value)]
        text = ours.get(port.name, "?")
        sizes = text.split(",") if text else []
        if sizes == theirs:
            count["equal"] += 1
        elif text == "?" or (len(sizes) == len(theirs) and all(
                a in ("?", b) for a, b in zip(sizes, theirs))):
            count["unknown"] += 1
        else:
            print("different", case.name, text, ",".join(theirs))


def main(tool):
    count = {"equal": 0, "unknown": 0}
    with tempfile.TemporaryDirectory() as folder:
        for case in collect_testcases(None):
            if case.kind == "node" and case.model is not None:
                compare(tool, case, os.path.join(folder, "m.onnx"), count)
    for kind, number in count.items():
        print(kind, number)


if __name__ == "__main__":
    main(sys.argv[1])

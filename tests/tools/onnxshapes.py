#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the shapes that onnxshapes prints with the library onnx.

onnxshapes.py TOOL FILE...

The shapes that a file states are removed before, so both sides calculate.
Prints a line for each value whose shape differs, and for each value whose shape
only the library knows; and a line for each file, with the number of equal
shapes.
"""
import os
import subprocess
import sys
import tempfile

import onnx
from onnx import shape_inference


def expected(model):
    """The shapes by name: numbers, or "?" for an unknown size."""
    inferred = shape_inference.infer_shapes(model, data_prop=True).graph
    made = {o for n in model.graph.node for o in n.output}
    shapes = {}
    for v in [*inferred.value_info, *inferred.output]:
        tensor = v.type.tensor_type
        if v.name in made and tensor.HasField("shape"):
            shapes[v.name] = [str(d.dim_value) if d.HasField("dim_value")
                              else "?" for d in tensor.shape.dim]
    return shapes


def found(tool, model):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.onnx")
        onnx.save(model, path)
        out = subprocess.run([tool, path], check=True, capture_output=True,
                             text=True).stdout
    rows = [line.split("\t") for line in out.splitlines()]
    return {name: sizes.split(",") if sizes else [] for name, sizes in rows}


def agrees(ours, theirs):
    """Whether ours has all sizes that theirs has; it may have more."""
    return len(ours) == len(theirs) and all(
        b in ("?", a) for a, b in zip(ours, theirs))


def compare(tool, path):
    model = onnx.load(path, load_external_data=False)
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    ours, theirs = found(tool, model), expected(model)
    good = 0
    for name, sizes in theirs.items():
        if agrees(ours.get(name, ["?"]), sizes):
            good += 1
        else:
            print(f"{path}: {name}: {','.join(ours.get(name, ['?']))}, "
                  f"onnx: {','.join(sizes)}")
    print(f"{path}: {good} of {len(theirs)}")


if __name__ == "__main__":
    for file in sys.argv[2:]:
        compare(sys.argv[1], file)

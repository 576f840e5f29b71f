#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Describes ONNX files with the library onnx, in npu-info's terms.

onnxref.py FILE...

Prints a line of JSON for each file, with the members that both know.
"""
import collections
import json
import sys

import onnx

TYPES = {1: "f32", 2: "u8", 3: "s8", 4: "u16", 5: "s16", 6: "s32", 7: "s64",
         8: "string", 9: "bool", 10: "f16", 11: "f64", 12: "u32", 13: "u64",
         16: "bf16"}
BYTES = {1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4,
         13: 8, 16: 2}


def shape(tensor):
    if not tensor.HasField("shape"):
        return None
    return [d.dim_value if d.HasField("dim_value") else d.dim_param or None
            for d in tensor.shape.dim]


def port(value):
    tensor = value.type.tensor_type
    return {"name": value.name, "type": TYPES[tensor.elem_type],
            "shape": shape(tensor)}


def elements(tensor):
    n = 1
    for size in tensor.dims:
        n *= size
    return n


def graphs(graph):
    """The graph, and the graphs in its nodes' attributes."""
    yield graph
    for node in graph.node:
        for a in node.attribute:
            for g in [a.g] if a.HasField("g") else a.graphs:
                yield from graphs(g)


def describe(path):
    m = onnx.load(path, load_external_data=False)
    nodes = [n for g in graphs(m.graph) for n in g.node]
    weights = [t for g in graphs(m.graph) for t in g.initializer]
    names = {t.name for t in m.graph.initializer}
    count = collections.Counter((n.domain, n.op_type) for n in nodes)
    return {
        "name": m.graph.name or None,
        "ir_version": m.ir_version,
        "opsets": [{"domain": o.domain, "version": o.version}
                   for o in m.opset_import],
        "producer": m.producer_name or None,
        "producer_version": m.producer_version or None,
        "domain": m.domain or None,
        "model_version": m.model_version,
        "inputs": [port(v) for v in m.graph.input if v.name not in names],
        "outputs": [port(v) for v in m.graph.output],
        "nodes": len(nodes),
        "operators": [{"domain": d, "type": t, "nodes": n} for (d, t), n in
                      sorted(count.items(), key=lambda i: (-i[1], i[0]))],
        "weights": len(weights),
        "weight_bytes": sum(elements(t) * BYTES[t.data_type]
                            for t in weights),
        "metadata": [{"key": p.key, "value": p.value}
                     for p in m.metadata_props],
    }


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(json.dumps(describe(name), sort_keys=True))

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small float models with seeded weights, and what 8 bits do to them.

predictnet.py NET SEED [OPSET [PREFIX]]

PREFIX comes before the name of a node's output in the node's name; without any,
nodes have no names.  Writes NET.onnx, NET.npy with calibration samples, and NET.json: for each output
the cosine between the float model and the model with rounded values, the mean
over the samples.  Both are computed here, with numpy alone, from the definition
in expected/predict.json of the test data: weights of 4 axes are symmetric per
first axis, max|w|/127, rint, +-127; every float output of every node has
unsigned 8 bits per tensor from the smallest and the largest value over the
samples, 0 included, scale (hi-lo)/255, zero rint(-lo/scale); biases are float.
"""
import json
import sys

import numpy as np

import onnxgen as gen

F32 = np.float32


# ---- Operators ---------------------------------------------------------------

def conv(x, w, b, stride):
    n, c, h, wide = x.shape
    o, _, kh, kw = w.shape
    x = np.pad(x, ((0, 0), (0, 0), (kh // 2,) * 2, (kw // 2,) * 2))
    out = np.zeros((n, o, h // stride, wide // stride), F32)
    for i in range(out.shape[2]):
        for j in range(out.shape[3]):
            part = x[:, :, i * stride:i * stride + kh,
                     j * stride:j * stride + kw]
            out[:, :, i, j] = part.reshape(n, -1) @ w.reshape(o, -1).T + b
    return out


OPS = {
    "Conv": conv,
    "Relu": lambda x: np.maximum(x, 0),
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Mul": lambda x, y: x * y,
    "Add": lambda x, y: x + y,
    "Concat": lambda x, y: np.concatenate([x, y], 1),
    "GlobalAveragePool": lambda x: x.mean((2, 3), keepdims=True),
    "Flatten": lambda x: x.reshape(x.shape[0], -1),
    "Gather": lambda x, y: x[y],
    "MatMul": lambda x, y: x @ y,
    "ReduceMean": lambda x: x.mean(1),
}
TWO = 2     # an attribute's value


# ---- Nets: (operator, inputs, output, arguments of OPS) ----------------------

def classifier(rng):
    """Convolutions, a sum around two of them, and a product at the end."""
    def w(*shape):
        return rng.normal(0, 1.4 / np.sqrt(np.prod(shape[1:])), shape)
    weights = {"w1": w(16, 3, 3, 3), "b1": w(16, 1)[:, 0] / 4,
               "w2": w(16, 16, 3, 3), "b2": w(16, 1)[:, 0] / 4,
               "w3": w(24, 16, 1, 1), "b3": w(24, 1)[:, 0] / 4,
               "fc": w(10, 24).T}
    nodes = [("Conv", ["x", "w1", "b1"], "c1", [TWO]),
             ("Relu", ["c1"], "r1", []),
             ("Conv", ["r1", "w2", "b2"], "c2", [1]),
             ("Add", ["r1", "c2"], "s", []),
             ("Relu", ["s"], "r2", []),
             ("Conv", ["r2", "w3", "b3"], "c3", [1]),
             ("GlobalAveragePool", ["c3"], "p", []),
             ("Flatten", ["p"], "f", []),
             ("MatMul", ["f", "fc"], "y", [])]
    return nodes, weights, rng.normal(0, 1, (3, 3, 16, 16)), {"y": [1, 10]}


def detector(rng):
    """Boxes up to 640 and scores up to 1 in one Concat."""
    def w(*shape):
        return rng.normal(0, 1.4 / np.sqrt(np.prod(shape[1:])), shape)
    weights = {"w1": w(12, 3, 3, 3), "b1": w(12, 1)[:, 0] / 4,
               "w2": w(4, 12, 1, 1), "b2": w(4, 1)[:, 0] / 4,
               "w3": w(5, 12, 1, 1), "b3": w(5, 1)[:, 0] / 4,
               "size": np.array([640.0])}
    nodes = [("Conv", ["x", "w1", "b1"], "c1", [TWO]),
             ("Relu", ["c1"], "r1", []),
             ("Conv", ["r1", "w2", "b2"], "c2", [1]),
             ("Sigmoid", ["c2"], "part", []),
             ("Mul", ["part", "size"], "boxes", []),
             ("Conv", ["r1", "w3", "b3"], "c3", [1]),
             ("Sigmoid", ["c3"], "scores", []),
             ("Concat", ["boxes", "scores"], "y", [])]
    return nodes, weights, rng.normal(0, 1, (3, 3, 16, 16)), {
        "y": [1, 9, 8, 8], "scores": [1, 5, 8, 8]}


def flattened(rng):
    """A detector whose boxes and scores are lists before they meet."""
    nodes, weights, samples, _ = detector(rng)
    nodes[-1:] = [("Flatten", ["boxes"], "boxlist", []),
                  ("Flatten", ["scores"], "scorelist", []),
                  ("Concat", ["boxlist", "scorelist"], "y", [])]
    return nodes, weights, samples, {"y": [1, 9 * 64]}


def embedding(rng):
    """Rows of a table, one of which is large, and their mean."""
    table = rng.normal(0, 0.02, (64, 12))
    table[7, 3] = 40
    ids = rng.integers(8, 64, (3, 9))
    ids[1, 4] = 7
    nodes = [("Gather", ["table", "x"], "rows", []),
             ("ReduceMean", ["rows"], "y", [])]
    return nodes, {"table": table}, ids, {"rows": [1, 9, 12], "y": [1, 12]}


NETS = {"classifier": classifier, "detector": detector, "flattened": flattened,
        "embedding": embedding}


# ---- The definition ----------------------------------------------------------

def round_weights(w):
    if w.ndim != 4:
        return w
    scale = np.abs(w).max((1, 2, 3), keepdims=True) / 127
    return (np.clip(np.rint(w / scale), -127, 127) * scale).astype(F32)


def round_value(x, low, high):
    scale = (high - low) / 255
    zero = np.rint(-low / scale)
    return ((np.clip(np.rint(x / scale) + zero, 0, 255) - zero) *
            scale).astype(F32)


def run(nodes, weights, x, see):
    """Computes all values; see() may replace each."""
    values = dict(weights, x=x)
    for op, inputs, output, more in nodes:
        y = OPS[op](*(values[i] for i in inputs), *more)
        values[output] = see(output, y.astype(F32))
    return values


def cosine(x, y):
    x, y = x.astype(float).ravel(), y.astype(float).ravel()
    length = np.sqrt((x @ x) * (y @ y))
    return float(x @ y / length) if length > 0 else float((x == y).all())


def cosines(nodes, weights, samples, outputs):
    ranges = {}

    def watch(name, x):
        low, high = ranges.get(name, (0.0, 0.0))
        ranges[name] = min(low, float(x.min())), max(high, float(x.max()))
        return x

    exact = [run(nodes, weights, s[None], watch) for s in samples]
    rounded = {k: round_weights(w) for k, w in weights.items()}
    other = [run(nodes, rounded, s[None],
                 lambda name, x: round_value(x, *ranges[name]))
             for s in samples]
    return {o: np.mean([cosine(a[o], b[o]) for a, b in zip(exact, other)])
            for o in outputs}


# ---- The file ----------------------------------------------------------------

def ints(name, values):
    return gen.data(5, gen.data(1, name) + b"".join(
        gen.number(8, v) for v in values) + gen.number(20, 7))


def attributes(op, more, weights, inputs):
    if op == "Conv":
        k = weights[inputs[1]].shape[2]
        return (ints("strides", more * 2) + ints("pads", [k // 2] * 4) +
                ints("kernel_shape", [k, k]))
    axis = gen.data(1, "axis") + gen.number(3, 1) + gen.number(20, 2)
    if op == "Concat":
        return gen.data(5, axis)
    if op == "ReduceMean":
        keep = gen.data(1, "keepdims") + gen.number(3, 0)
        return ints("axes", [1]) + gen.data(5, keep + gen.number(20, 2))
    return b""


def model(nodes, weights, samples, outputs, opset, prefix):
    whole = samples.dtype.kind == "i"
    made = [gen.node(op, inputs, (output,), attributes(op, more, weights,
                                                       inputs))
            .replace(gen.data(3, "n"), gen.data(3, prefix and prefix + output),
                     1)
            for op, inputs, output, more in nodes]
    graph = gen.graph(
        made, [gen.weights(k, w.shape, w.tobytes())
               for k, w in weights.items()],
        [gen.port("x", (1,) + samples.shape[1:], gen.S64 if whole else
                  gen.F32)],
        [gen.port(o, shape) for o, shape in outputs.items()])
    return gen.model(graph, opset)


def main(name, seed, opset="13", prefix="node."):
    nodes, weights, samples, outputs = NETS[name](
        np.random.default_rng(int(seed)))
    weights = {k: w.astype(F32) for k, w in weights.items()}
    if samples.dtype.kind == "f":
        samples = samples.astype(F32)
    with open(name + ".onnx", "wb") as f:
        f.write(model(nodes, weights, samples, outputs, int(opset), prefix))
    np.save(name + ".npy", samples)
    with open(name + ".json", "w", encoding="ascii") as f:
        json.dump(cosines(nodes, weights, samples, outputs), f)


if __name__ == "__main__":
    main(*sys.argv[1:])

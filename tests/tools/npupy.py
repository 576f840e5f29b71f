# SPDX-License-Identifier: Apache-2.0
"""npupy.py CASE [ARGUMENT...] - a program that uses npu.py.  Each case prints
nothing, or what tests/lib/npu-py.bats expects; an assertion ends it with 1.
Cases that need numpy import it themselves."""
import array
import atexit
import collections
import ctypes
import faulthandler
import gc
import os
import pickle
import random
import signal
import sys
import threading
import time

import npu

XOR = 0x55              # what mkcix --op=xor does to each byte


def refuses(kind, function, text=""):
    try:
        got = function()
    except kind as e:
        assert text in str(e), str(e)
    else:
        raise AssertionError("returned %r" % (got,))


def other(b):
    return bytes(x ^ XOR for x in b)


def sizes():
    """The structures, in the form of tests/data/libnpu-abi.txt."""
    for c, python in (("err", npu._Err), ("tensor", npu._CTensor),
                      ("names", npu._Names), ("dim", npu._Dim),
                      ("options", npu._Options), ("times", npu._CTimes)):
        print("struct npu_%s %d %d" % (c, ctypes.sizeof(python),
                                       ctypes.alignment(python)))


def functions():
    """The functions, in the form of tests/data/libnpu-abi.txt."""
    for names in npu._FUNCTIONS.values():
        for name in names.split():
            print("function npu_%s@@NPU_0" % name)


def codes():
    for name in ("ESYSTEM", "EDEVICE", "EFORMAT", "EUSAGE", "ENODEV",
                 "ETIMEOUT", "ESTOPPED"):
        print("number NPU_%s %d" % (name, getattr(npu, name)))
        assert npu.Error(getattr(npu, name), "").name == "NPU_" + name


def describe(path):
    d = npu.describe(path)
    print(d.name, d.target, repr(d.compiler))
    for t in d.inputs + d.outputs:
        print(*t)


def run(path):
    """On a model with an input s8 [1,4] and an output s8 [1,4]."""
    data = b"\0\x01\x7f\xff"
    notes = []
    with npu.Model(path, note=notes.append) as m:
        assert len(notes) == 1 and "using the emulator" in notes[0], notes
        assert m.emulator and "libnoe-emu" in m.library
        for x in (data, bytearray(data), memoryview(data),
                  memoryview(b"0".join(bytes([b]) for b in data))[::2],
                  array.array("b", data), (ctypes.c_int8 * 4)(*(
                      array.array("b", data))),
                  {"input0": data}):
            assert m.run(x) == [other(data)], x
        # (q + 60) / 20, and rint(x * 20 - 60), by hand.
        x = array.array("f", [3.0, 3.05, 9.35, 2.95])
        got, = m.run(x, floats=True)
        assert got.tolist() == [array.array("f", [v])[0] for v in (
            (0x55 + 60) / 20, (0x54 + 60) / 20, (0x2a + 60) / 20,
            (-0x56 + 60) / 20)], got
        assert m.times.infer > 0
        items = [bytes([i] * 4) for i in range(50)]
        for depth in 1, 3, 64:
            assert [y for y, in m.map(items, depth)] == list(map(other, items))
        assert [y for y, in m.map([(data,), {"input0": data}])] == \
            [other(data)] * 2
        assert list(m.map([])) == []
    refuses(ValueError, lambda: m.run(data), "the model is closed")
    m.close()


def several(path):
    """On a model with inputs s8 [1,4] and u16 [2], and outputs of the same."""
    with npu.Model(path) as m:
        a, b = b"abcd", array.array("H", [1, 65535])
        want = [other(a), other(b.tobytes())]
        assert m.run(a, b) == want
        assert m.run({"input1": b, "input0": a}) == want
        assert list(m.map([(a, b)] * 3)) == [want] * 3
        refuses(ValueError, lambda: m.run(a), "1 inputs, and the model has 2")
        refuses(ValueError, lambda: m.run({"input0": a}))
        refuses(ValueError, lambda: m.run(b, a), "input 0: shape [2], and")


def with_numpy(path):
    import numpy as np
    q = np.array([[0, 1, 127, -1]], np.int8)
    with npu.Model(path) as m:
        for x in (q, q[0], q[None], np.repeat(q, 2)[::2], np.asfortranarray(q),
                  q.view(np.ndarray), {"input0": q}):
            y, = m.run(x)
            assert y.dtype == np.int8 and y.shape == (1, 4)
            assert (y == q ^ XOR).all() and y.flags.writeable
        for kind in "float16", "float32", "float64", ">f8":
            x = np.array([[3, 3.05, 9.35, 2.95]]).astype(kind)
            if kind == ">f8":
                refuses(TypeError, lambda: m.run(x, floats=True),
                        "'>d' cannot be used; x.astype(x.dtype.newbyteorder())")
                x = x.astype(x.dtype.newbyteorder())
            y, = m.run(x, floats=True)
            assert y.dtype == np.float32 and y.shape == (1, 4)
            assert (y == (((q ^ XOR).astype("f4")) + 60) / np.float32(20)
                    ).all(), y
        for x in (q.astype(np.uint8), q.astype(np.int32), q.astype(complex),
                  q.astype(object), q.astype(str), q.astype("M8[s]"),
                  np.zeros((1, 4), "V1"), np.zeros(4, [("a", "i1")]),
                  q.astype(float)):
            refuses(TypeError, lambda: m.run(x))
        for x in (q.T, q.reshape(2, 2), q[:, :3], np.int8(3), q[:, :0]):
            refuses(ValueError, lambda: m.run(x), "shape")
        for x, name in ((q.astype(int), "s64"), (q.view(np.uint8), "u8"),
                        (q.astype(np.float32), "f32"), (q > 0, "bool")):
            refuses(TypeError, lambda: m.run(x), "input 0: elements of type "
                    "%s, and the model expects s8" % name)
        assert len(list(m.map([q] * 3, np.int64(2)))) == 3
    t = m.inputs[0]
    x = t.quantise(np.array([[0.0, 1], [2, 1e300]]))
    assert x.dtype == np.int8 and x.tolist() == [[-60, -40], [-20, 127]]
    assert t.dequantise(x).tolist()[0] == [0, 1]
    assert t.quantise(np.zeros((0, 3))).shape == (0, 3)
    assert t.dequantise(np.zeros((0, 3), np.int8)).shape == (0, 3)
    assert npu.normalise(np.array([[3, 4]])).tolist() == [
        [np.float32(.6), np.float32(.8)]]
    refuses(TypeError, lambda: t.dequantise(x.view(np.uint8)))
    refuses(TypeError, lambda: t.quantise(np.array([1j])))
    text = npu.Tokenizer()
    assert text.decode(np.array([320, 2368])) == "a cat"
    assert text.token(np.int32(2368)) == "cat</w>"
    assert len(text.row("a cat", np.uint8(9))) == 9
    assert t._replace(zero_point=np.int64(60)).quantise([1.0]) == b"\xd8"
    refuses(TypeError, lambda: text.row("a cat", np.float32(9)))


def numbers():
    t = npu.Tensor("", "s8", (4,), 20, 60, 4)
    assert t.quantise([0, 1, -1.5, 1e300]) == b"\xc4\xd8\xa6\x7f"
    assert t.quantise((0.0,)) == t.quantise(array.array("d", [0])) == b"\xc4"
    assert t.dequantise(b"\xc4\xd8\xa6").tolist() == [0, 1, -1.5]
    assert t.quantise([float("nan")], zero_nan=True) == b"\xc4"
    assert t.quantise([]) == b"" and len(t.dequantise(b"")) == 0
    assert npu.Tensor("", "f16", (), 1, 0, 2).quantise([1.5]) == b"\0\x3e"
    assert npu.normalise([3, 4]).tolist() == array.array("f", [.6, .8]).tolist()
    refuses(npu.Error, lambda: t.quantise([float("nan")]), "element 0 is not")
    refuses(npu.Error, lambda: npu.normalise([]))
    refuses(npu.Error, lambda: npu.Tensor("", "s4", (), 1, 0, 1).dequantise(
        b"\x7f"))
    refuses(ValueError, lambda: npu.Tensor("", "s16", (), 1, 0, 2).dequantise(
        b"abc"))
    for scale in 0, -1, float("nan"), float("inf"):
        refuses(npu.Error, lambda: t._replace(scale=scale).quantise([1]))
    for x in b"abcd", "a", None, ["a"], 3:
        refuses(TypeError, lambda: t.quantise(x))
        refuses(TypeError, lambda: npu.normalise(x))
    for kind in "zz", "u4c", "0x63", 3, None, b"s8":
        refuses(TypeError, lambda: t._replace(dtype=kind).quantise([1]))
        refuses(TypeError, lambda: t._replace(dtype=kind).dequantise(b"a"))
    for wrong in dict(scale="x"), dict(scale=None), dict(zero_point=1.5):
        refuses(TypeError, lambda: t._replace(**wrong).quantise([1]))
    refuses(ValueError, lambda: t._replace(zero_point=2**31).quantise([1]))


def text():
    t = npu.Tokenizer()
    # The ids that CLIP's own tokenizer gives.
    ids = [49406, 320, 1125, 539, 320, 2368, 49407]
    assert t.encode("a photo of a cat").tolist() == ids
    row = t.row(b"a photo of a cat")
    assert row.tolist() == ids + [0] * 70 and row.itemsize == 4
    assert t.decode(row) == t.decode(ids[1:-1]) == "a photo of a cat"
    assert t.clean("A &amp;  B") == "a & b" and t.token(2368) == "cat</w>"
    assert t.decode([]) == "" and t.clean("") == ""
    assert t.encode("\udcff") == t.encode(b"\xff\xff\xff")
    assert npu.Tokenizer(special=False).encode("<|endoftext|>").tolist() != \
        t.encode("<|endoftext|>").tolist() == [49406, 49407, 49407]
    refuses(ValueError, lambda: t.row("cat " * 100), "truncate=True cuts it")
    assert t.row("cat " * 100, truncate=True)[-1] == 49407
    for x in None, 3, [1], array.array("i"):
        refuses(TypeError, lambda: t.encode(x))
    for n in 1, 0, -1, 2**40:
        refuses(ValueError, lambda: t.row("cat", n))
    for n in "x", True, 1.5, None:
        refuses(TypeError, lambda: t.row("cat", n))
    for x in [49408], [-1]:
        refuses(npu.Error, lambda: t.decode(x))
        refuses(npu.Error, lambda: t.token(x[0]))
    for x in "abc", [1.5], None, [None]:
        refuses(TypeError, lambda: t.decode(x))
    refuses(ValueError, lambda: t.decode([2**31]))
    refuses(ValueError, lambda: t.token(2**31))
    refuses(npu.Error, lambda: npu.Tokenizer(os.devnull))
    refuses(FileNotFoundError, lambda: npu.Tokenizer("none"))

    def work(n):
        for k in range(200):
            good.append(t.encode("cat " * n).tolist() ==
                        [49406] + [2368] * n + [49407])
    good = []
    threads = [threading.Thread(target=work, args=(n,))
               for n in (1, 100, 1000, 3000)]
    for x in threads:
        x.start()
    for x in threads:
        x.join()
    assert len(good) == 800 and all(good)


def wrong(path):
    """No argument is a crash."""
    m = npu.Model(path)
    for x in b"", b"abc", b"abcde", array.array("b"), array.array("b", b"abc"):
        refuses(ValueError, lambda: m.run(x))
    for x in None, 3, "abcd", [1, 2, 3, 4], object(), len, \
            array.array("i", [1] * 4), array.array("f", [1] * 4):
        refuses(TypeError, lambda: m.run(x))
        refuses(TypeError, lambda: list(m.map([b"abcd", x])))
    refuses(ValueError, lambda: m.run({}))
    refuses(ValueError, lambda: m.run())
    refuses(npu.Error, lambda: m.run(array.array("f", [float("nan")] * 4),
                                     floats=True))
    for depth in 0, 65, -1, 2**64:
        refuses(ValueError, lambda: m.map([], depth))
    for depth in "3", None, 1.5:
        refuses(TypeError, lambda: m.map([], depth))
    refuses(TypeError, lambda: m.map(3))
    for kind, options in (
            (ValueError, dict(device=77)), (ValueError, dict(provider="x")),
            (ValueError, dict(timeout=1e300)),
            (ValueError, dict(timeout=float("nan"))),
            (ValueError, dict(threads=-1)), (ValueError, dict(threads=257)),
            (ValueError, dict(dims={"a": 0})), (TypeError, dict(dims=3)),
            (ValueError, dict(library="a\0b")), (TypeError, dict(library=3)),
            (TypeError, dict(note=3)),
            (npu.Error, dict(library="")), (npu.Error, dict(node="")),
            (npu.Error, dict(threads=1)), (npu.Error, dict(library="/none")),
            (npu.Error, dict(device="npu"))):
        refuses(kind, lambda: npu.Model(path, **options))
    refuses(ValueError, lambda: npu.Model(path, timeout=0), "more than 0")
    refuses(TypeError, lambda: npu.Model(path, timeout="1"), "a number or None")
    for name, kind in (("a\0b", ValueError), (None, TypeError), (3, TypeError),
                       ("\ud800", ValueError), ("", npu.Error),
                       (b"none", npu.Error), ("/", npu.Error)):
        refuses(kind, lambda: npu.Model(name))
        refuses(kind, lambda: npu.describe(name))
    assert m.run(b"abcd") == [other(b"abcd")]


def errors(path):
    try:
        npu.Model("none.cix")
    except npu.Error as e:
        again = pickle.loads(pickle.dumps(e))
    print(again.code, again.name, again.detail, again)
    try:
        npu.Model(path, library="./none.so")
    except npu.Error as e:
        print(e.name, e)
    try:
        with npu.Model(path, timeout=.1) as m:
            m.run(b"abcd")
    except npu.Error as e:
        print(e.name, "%#x" % e.detail)


def streams(path):
    """run() and map() at the same time, and generators that are dropped."""
    m = npu.Model(path)
    busy = m.map([b"abcd"] * 9)
    assert next(busy) == [other(b"abcd")]
    refuses(npu.Error, lambda: m.run(b"abcd"), "map() is at work")
    refuses(npu.Error, lambda: list(m.map([b"abcd"])), "map() is at work")
    busy.close()
    assert m.run(b"efgh") == [other(b"efgh")]
    busy = m.map([b"abcd"] * 9)
    next(busy)
    del busy
    gc.collect()
    assert m.run(b"efgh") == [other(b"efgh")]
    refuses(TypeError, lambda: list(m.map([b"abcd", None])))
    assert [y for y, in m.map([b"efgh"] * 4)] == [other(b"efgh")] * 4
    busy = m.map([b"abcd"] * 9)
    next(busy)
    m.close()
    refuses(ValueError, lambda: next(busy), "the model is closed")


def threads(path):
    """Models of several threads; a model of another thread; close() during a
    run; and the garbage collector at any time."""
    m, said = npu.Model(path), []

    def foreign():
        try:
            m.run(b"abcd")
        except npu.Error as e:
            said.append((e.name, str(e)[:36]))

    def own(k):
        for i in range(6):
            mine = npu.Model(path)
            for _ in range(20):
                assert mine.run(b"abcd") == [other(b"abcd")]
            list(mine.map([b"abcd"] * 20))
            if (i + k) % 2:
                mine.close()
        said.append("done")

    for target, n in (foreign, 1), (own, 4):
        work = [threading.Thread(target=target, args=(k,) * (target is own))
                for k in range(n)]
        for t in work:
            t.start()
        for t in work:
            t.join()
    assert said == [("NPU_EUSAGE", "another thread opened this model, an")] + \
        ["done"] * 4, said
    threading.Timer(.2, m.close).start()
    try:
        while True:
            assert m.run(b"abcd") == [other(b"abcd")]
    except ValueError as e:
        assert str(e) == "the model is closed"


def interrupt(path):
    """With inferences of ten minutes: Ctrl-C ends the wait, and other threads run
    meanwhile."""
    ticks = []

    def tick():
        for _ in range(20):
            time.sleep(.02)
            ticks.append(1)
        os.kill(os.getpid(), signal.SIGINT)

    m = npu.Model(path, timeout=None)
    threading.Thread(target=tick).start()
    try:
        m.run(b"abcd")
    except KeyboardInterrupt:
        print("interrupted after", len(ticks))
    os._exit(0)         # the emulator would wait for the inference


def interrupted(path):
    """An exception of a handler, at any time, leaves no lock behind."""
    class Signal(BaseException):
        pass

    def handler(_, frame):
        # A signal may be late: only within loop() it is caught.
        while frame is not None:
            if frame.f_code is loop.__code__:
                raise Signal
            frame = frame.f_back

    def loop(work):
        while True:
            work()

    def opens():
        npu.Model(path)

    m, inputs = npu.Model(path), [b"abcd"] * 5
    # Those raised within a call of the garbage collector are ignored, by a
    # function that is not in Python: a handler would interrupt it.
    sys.unraisablehook = collections.deque(maxlen=0).append
    signal.signal(signal.SIGALRM, handler)
    faulthandler.dump_traceback_later(300, exit=True)
    for i in range(1500):
        work = (lambda: m.run(b"abcd"), lambda: list(m.map(inputs)),
                lambda: [len(y) for y in m.map(inputs)], opens)[i % 4]
        try:
            signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, 3e-4),
                             .003)
            loop(work)
        except Signal:
            signal.setitimer(signal.ITIMER_REAL, 0)
        assert m.run(b"abcd") == [other(b"abcd")]
    other_thread = threading.Thread(target=opens)
    other_thread.start()
    other_thread.join()


def handler(path):
    """A signal's handler closes and runs models while another is opened."""
    def close(*_):
        assert runs.run(b"abcd") == [other(b"abcd")]
        closes.close()
        said.append("closed")

    def inputs(p):
        signal.raise_signal(signal.SIGUSR1)
        return real(p)

    runs, closes, said = npu.Model(path), npu.Model(path), []
    signal.signal(signal.SIGUSR1, close)
    faulthandler.dump_traceback_later(60, exit=True)
    real, npu._lib.npu_inputs = npu._lib.npu_inputs, inputs
    with npu.Model(path) as m:
        assert said == ["closed"]
        assert m.run(b"abcd") == [other(b"abcd")]


def late(vocabulary):
    """Tokenizers are used when the garbage collector, or the process, ends."""
    class Circle:
        def __init__(self, path):
            self.me, self.text = self, npu.Tokenizer(path)

        def __del__(self):
            refuses(npu.Error, lambda: self.text.encode("cat " * 5000))
            refuses(npu.Error, lambda: self.text.decode([2368]))
            ended.append(1)

    def end():
        for t in kept:
            assert t.decode(t.encode("cat " * 5000)) == ("cat " * 5000)[:-1]
            assert t.token(2368) == "cat</w>"

    ended, kept = [], []
    atexit.register(end)
    for path in None, vocabulary:
        Circle(path)
        gc.collect()
        kept.append(npu.Tokenizer(path))
    assert ended == [1, 1]


def leave(path):
    """The end of the process closes models, also in a circle."""
    kept = [npu.Model(path), npu.Model(path)]
    kept.append(kept)
    kept[0].run(b"abcd")
    next(kept[1].map([b"abcd"] * 3))
    sys.modules["kept"] = kept


def fork(path):
    m = npu.Model(path)
    child = os.fork()
    if child == 0:
        refuses(ValueError, lambda: m.run(b"abcd"), "before fork()")
        m.close()
        del m
        gc.collect()
        with npu.Model(path) as mine:
            assert mine.run(b"abcd") == [other(b"abcd")]
        os._exit(7)
    assert os.waitpid(child, 0)[1] == 7 << 8
    assert m.run(b"abcd") == [other(b"abcd")]


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

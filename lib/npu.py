# SPDX-License-Identifier: Apache-2.0
"""Models on the NPU of the CIX Sky1 or its emulator, from Python: npu.py(3).

    with npu.Model("clip_txt.cix") as model:
        vector, = model.run(npu.Tokenizer().row("a photo of a cat"),
                            floats=True)

Everything is done by libnpu.so.0: libnpu(3).  Only the standard library is
needed; numpy arrays are understood where numpy is imported.
"""
import array
import atexit
import collections
import ctypes
import numbers
import operator
import os
import sys
import threading
import time
import weakref

from ctypes import (POINTER, c_bool, c_char, c_char_p, c_float, c_int,
                    c_int32, c_size_t, c_uint32, c_uint64, c_void_p)

__all__ = ["Description", "Error", "Model", "Tensor", "Times", "Tokenizer",
           "describe", "normalise", "version"]

CLIP_LENGTH = 77
QUEUE_MAX = 64
THREADS_MAX = 256           # as npu-run --threads

# ---- The library ----------------------------------------------------------


class _Err(ctypes.Structure):
    _fields_ = [("code", c_int), ("detail", c_int), ("msg", c_char * 1000)]


class _CTensor(ctypes.Structure):
    _fields_ = [("dtype", c_uint32), ("ndim", c_uint32), ("dim", c_uint32 * 6),
                ("scale", c_float), ("zero_point", c_int32),
                ("size", c_uint64), ("name", c_char * 64)]


class _Names(ctypes.Structure):
    _fields_ = [(n, c_char_p) for n in (
        "library", "emulator", "device_npu", "device_emu", "dims", "threads",
        "provider")]


class _Dim(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("size", c_uint32)]


_NOTE = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class _Options(ctypes.Structure):
    _fields_ = [("library", c_char_p), ("emulator", c_char_p),
                ("node", c_char_p), ("device", c_int), ("timeout_ms", c_int32),
                ("reuse_job", c_bool), ("stop", c_void_p), ("note", _NOTE),
                ("note_arg", c_void_p), ("names", POINTER(_Names)),
                ("dims", POINTER(_Dim)), ("n_dims", c_size_t),
                ("threads", c_uint32), ("provider", c_int),
                ("fallback", c_bool), ("cache", c_char_p)]


class _CTimes(ctypes.Structure):
    _fields_ = [(n, c_uint64) for n in (
        "create", "load", "infer", "get", "clean")]


# Result and arguments of each function.  c is a char pointer, p any pointer, P
# a pointer to a pointer; the other capitals are pointers as well.
_LETTERS = {"-": None, "c": c_char_p, "p": c_void_p, "P": POINTER(c_void_p),
            "z": c_size_t, "Z": POINTER(c_size_t), "b": c_bool, "i": c_int32,
            "u": c_uint32, "T": POINTER(_CTensor), "E": POINTER(_Err),
            "O": POINTER(_Options), "t": POINTER(_CTimes)}
_FUNCTIONS = {
    "c": "version",
    "ci": "strcode",
    "cu": "dtype_name",
    "ic": "dtype_by_name",
    "zu": "dtype_size",
    "iTpzpbpE": "quantise",
    "iTpzpE": "dequantise",
    "ipzE": "l2_normalise",
    "p": "bpe_clip",
    "iPczE": "bpe_open",
    "ipicE": "token",
    "iPpE": "tokenizer_open",
    "-pb": "tokenizer_special",
    "ipczPZE": "clean encode",
    "ippzPZE": "decode",
    "bpzpz": "clip_row",
    "iPcE": "model_open",
    "cp": "model_name model_target model_compiler library",
    "iPcOE": "open",
    "up": "inputs outputs model_inputs model_outputs",
    "Tpu": "input output model_input model_output",
    "bp": "is_emulator queue_full",
    "tp": "last_times",
    "iPpuE": "queue_open",
    "ipcE": "queue_put",
    "ippE": "queue_get",
    "bpi": "queue_wait",
    "-p": "bpe_close tokenizer_close model_close close queue_close",
}


def _load():
    """Finds the library in the tree that this file is installed in, or else
    where the dynamic loader finds it."""
    tree = os.path.normpath(os.path.join(
        os.path.dirname(os.path.realpath(__file__)), "..", "..", ".."))
    triplet = getattr(sys.implementation, "_multiarch", "")
    places = [os.path.join(tree, lib, "libnpu.so.0")
              for lib in ("lib", os.path.join("lib", triplet), "lib64")]
    path = next(filter(os.path.exists, places), "libnpu.so.0")
    try:
        lib = ctypes.CDLL(path)
        for types, names in _FUNCTIONS.items():
            for name in names.split():
                function = getattr(lib, "npu_" + name)
                function.restype, *function.argtypes = map(_LETTERS.get, types)
    except (OSError, AttributeError) as e:
        raise ImportError("libnpu.so.0, of npu-utils, cannot be used: %s"
                          % e) from None
    return lib


_lib = _load()


def _str(b):
    return b.decode("utf-8", "backslashreplace")


def version():
    """Returns the version of libnpu."""
    return _str(_lib.npu_version())


class Error(Exception):
    """A failure of libnpu: its code, the code's name, the message, and for
    NPU_EDEVICE the status of the vendor's library."""

    def __init__(self, code, message, detail=0):
        super().__init__(code, message, detail)
        self.code, self.message, self.detail = code, message, detail
        self.name = _str(_lib.npu_strcode(code))

    def __str__(self):
        return self.message


(ESYSTEM, EDEVICE, EFORMAT, EUSAGE, ENODEV, ETIMEOUT,
 ESTOPPED) = range(-1, -8, -1)


def _try(function, *arguments):
    """Calls a function whose last argument is for errors."""
    err = _Err()
    if function(*arguments, ctypes.byref(err)) < 0:
        raise Error(err.code, _str(err.msg), err.detail)


def _int(what, n, least, most):
    if isinstance(n, bool) or not hasattr(n, "__index__"):
        raise TypeError("%s is a whole number, not %s"
                        % (what, type(n).__name__))
    n = operator.index(n)
    if not least <= n <= most:
        raise ValueError("%s is %d, and must be from %d to %d"
                         % (what, n, least, most))
    return n


def _name(what, path):
    b = os.fsencode(path)
    if b"\0" in b:
        raise ValueError("%s: NUL in the name of a file" % what)
    return b


def _optional_name(what, path):
    return None if path is None else _name(what, path)


# ---- Tensors --------------------------------------------------------------

# Formats of memoryview, and numpy's name.  Types that are not here are bytes.
_TYPES = {"bool": ("?B", "bool"), "u8": ("B", "uint8"), "s8": ("b", "int8"),
          "u16": ("H", "uint16"), "s16": ("h", "int16"),
          "u32": ("I", "uint32"), "s32": ("i", "int32"),
          "u64": ("Q", "uint64"), "s64": ("q", "int64"),
          "f16": ("e", "float16"), "f32": ("f", "float32"),
          "f64": ("d", "float64"), "bf16": ("H", "uint16"),
          "u4": ("B", "uint8"), "s4": ("b", "int8"),
          "u12": ("H", "uint16"), "s12": ("h", "int16")}
_NAMES = {letters[0]: name for name, (letters, _) in reversed(_TYPES.items())}


def _type_name(letter):
    return _NAMES.get(letter, "'%s'" % letter)


def _is_numpy(x):
    numpy = sys.modules.get("numpy")
    return isinstance(x, getattr(numpy, "ndarray", ()))


def _view(what, x):
    """Returns x, or the array that x can become, its memoryview, and a letter
    for its elements; None if x is just bytes."""
    if not isinstance(x, (bytes, bytearray, memoryview, array.array)) and \
            hasattr(x, "__array__") and "numpy" in sys.modules:
        x = sys.modules["numpy"].asarray(x)
    try:
        view = memoryview(x)
    except (TypeError, ValueError, BufferError):
        raise TypeError("%s: %s is neither bytes nor an array of numbers"
                        % (what, type(x).__name__)) from None
    if view.format == "B" and not (_is_numpy(x) or
                                   isinstance(x, array.array)):
        return x, view, None
    letter = view.format[-1:]
    if view.format[:-1] not in ("", "<", "=", "@"):
        raise TypeError("%s: elements of the format '%s' cannot be used%s" % (
            what, view.format, "; x.astype(x.dtype.newbyteorder()) swaps their "
            "bytes" if view.format[:1] == ">" else ""))
    if letter in "lL":
        letter = {"l4": "i", "L4": "I", "l8": "q", "L8": "Q"}[
            "%s%d" % (letter, view.itemsize)]
    return x, view, letter


def _floats(what, x):
    """Returns float32 numbers as an array, their shape, and whether x belongs
    to numpy."""
    if isinstance(x, (list, tuple)):
        x = array.array("f", x)
    x, view, letter = _view(what, x)
    numpy = sys.modules["numpy"] if _is_numpy(x) else None
    if letter is None or letter not in ("fdbBhHiIqQ?e" if numpy else
                                        "fdbBhHiIqQ"):
        raise TypeError("%s: %s" % (
            what, "elements of type %s cannot be converted" %
            _type_name(letter) if letter else "bytes are not numbers"))
    if numpy:
        with numpy.errstate(over="ignore"):
            x = x.astype("float32")
        return array.array("f", x.tobytes()), x.shape, True
    out = array.array(letter, view.tobytes())
    return out if letter == "f" else array.array("f", out), view.shape, False


def _product(shape):
    n = 1
    for d in shape:
        n *= d
    return n


def _tail(shape):
    """Returns shape without ones at its beginning."""
    return tuple(shape[next((i for i, d in enumerate(shape) if d != 1),
                            len(shape)):])


def _address(x):
    return x.buffer_info()[0] if len(x) else None


def _shaped(x, shape):
    """Makes a numpy array of an array of floats."""
    return sys.modules["numpy"].asarray(x).reshape(shape)


def normalise(x):
    """Returns the floats x divided by their Euclidean norm."""
    out, shape, numpy = _floats("x", x)
    _try(_lib.npu_l2_normalise, _address(out), len(out))
    return _shaped(out, shape) if numpy else out


class Tensor(collections.namedtuple(
        "Tensor", "name dtype shape scale zero_point size")):
    """What the bytes of an input or output mean: npu-tensor(5)."""
    __slots__ = ()

    @classmethod
    def _of(cls, c):
        name = _lib.npu_dtype_name(c.dtype)
        return cls(_str(c.name), _str(name) if name else "0x%x" % c.dtype,
                   tuple(c.dim[:c.ndim]), c.scale, c.zero_point, c.size)

    def _c(self):
        code = _lib.npu_dtype_by_name(str(self.dtype).encode())
        if code < 0:
            raise ValueError("%r is not a type of elements" % (self.dtype,))
        return _CTensor(
            dtype=code, scale=self.scale,
            zero_point=_int("zero_point", self.zero_point, -2**31, 2**31 - 1))

    def _width(self):
        """Returns the bytes of an element; 0 for types that are just bytes."""
        if self.dtype not in _TYPES:
            return 0
        return _lib.npu_dtype_size(self._c().dtype)

    @property
    def count(self):
        """The number of elements; of bytes for types that are just bytes."""
        return self.size // (self._width() or 1)

    def quantise(self, x, zero_nan=False):
        """Returns the floats x in the type of this tensor."""
        if not self._width():
            raise TypeError("elements of type %s cannot be quantised"
                            % self.dtype)
        floats, shape, numpy = _floats("x", x)
        out = bytearray(len(floats) * self._width())
        if out:
            to = (c_char * len(out)).from_buffer(out)
            _try(_lib.npu_quantise, self._c(), _address(floats), len(floats),
                 to, bool(zero_nan), None)
        return self._array(out, shape) if numpy else bytes(out)

    def dequantise(self, q):
        """Returns elements of this tensor's type as floats."""
        if not self._width():
            raise TypeError("elements of type %s cannot be dequantised"
                            % self.dtype)
        q, view, letter = _view("q", q)
        if letter is not None and letter not in _TYPES[self.dtype][0]:
            raise TypeError("q: elements of type %s, and the type is %s"
                            % (_type_name(letter), self.dtype))
        data = view.tobytes()
        n, rest = divmod(len(data), self._width())
        if rest:
            raise ValueError("q: %d bytes are not whole elements of type %s"
                             % (len(data), self.dtype))
        out = array.array("f", bytes(4 * n))
        if n:
            _try(_lib.npu_dequantise, self._c(), data, n, _address(out))
        return _shaped(out, q.shape) if _is_numpy(q) else out

    def _array(self, data, shape=None):
        """Makes a numpy array of this tensor's bytes."""
        kind = _TYPES.get(self.dtype, ("", "uint8"))[1]
        x = sys.modules["numpy"].asarray(data).view(kind)
        return x.reshape(self._wanted() if shape is None else shape)

    def _wanted(self):
        """Returns the shape of a numpy array of this tensor."""
        return self.shape if self.shape and \
            _product(self.shape) == self.count else (self.count,)

    def _stored(self, what, x, floats):
        """Returns x as this tensor's bytes, and whether it is numpy's."""
        x, view, letter = _view(what, x)
        if letter is None:
            if view.nbytes != self.size:
                raise ValueError("%s: %d bytes, and the model expects %d"
                                 % (what, view.nbytes, self.size))
            return view.tobytes(), False
        shape, want = tuple(view.shape), self._wanted()
        # A batch of 1 may be left out, and so may the shape.
        if _product(shape) != self.count or len(shape) > 1 and \
                _tail(shape) != _tail(want):
            raise ValueError("%s: shape %s, and the model expects %s"
                             % (what, list(shape), list(want)))
        if letter in _TYPES.get(self.dtype, ("B",))[0]:
            return view.tobytes(), _is_numpy(x)
        convert = letter in "efd" and self._width()
        if not (floats and convert):
            raise TypeError(
                "%s: elements of type %s, and the model expects %s%s" % (
                    what, _type_name(letter), self.dtype,
                    "; floats=True converts" if convert else ""))
        q = self.quantise(x)
        return q if isinstance(q, bytes) else q.tobytes(), _is_numpy(x)


# ---- What a model file describes ------------------------------------------

Description = collections.namedtuple(
    "Description", "name target compiler inputs outputs")


def _tensors(count, get, owner):
    return tuple(Tensor._of(get(owner, i).contents)
                 for i in range(count(owner)))


def describe(path):
    """Describes a model file, without a device."""
    m = c_void_p()
    _try(_lib.npu_model_open, ctypes.byref(m), _name("path", path))
    try:
        return Description(
            _str(_lib.npu_model_name(m)), _str(_lib.npu_model_target(m)),
            _str(_lib.npu_model_compiler(m)),
            _tensors(_lib.npu_model_inputs, _lib.npu_model_input, m),
            _tensors(_lib.npu_model_outputs, _lib.npu_model_output, m))
    finally:
        _lib.npu_model_close(m)


# ---- Text -----------------------------------------------------------------


def _text(text):
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if isinstance(text, (bytes, bytearray)):
        return bytes(text)
    raise TypeError("a text is str or bytes, not %s" % type(text).__name__)


def _close_text(tokenizer, bpe):
    """After this, the functions fail: an object that the garbage collector ends
    later may still have the Tokenizer."""
    at, tokenizer.value = tokenizer.value, None
    _lib.npu_tokenizer_close(at)
    at, bpe.value = bpe.value, None
    _lib.npu_bpe_close(at)


class Tokenizer:
    """CLIP's tokenizer.  Threads may share it: they wait for each other."""

    def __init__(self, vocabulary=None, special=True):
        self._lock = threading.Lock()
        self._p, bpe = c_void_p(), c_void_p()
        if vocabulary is not None:
            with open(vocabulary, "rb") as f:
                data = f.read(1 << 26)
            _try(_lib.npu_bpe_open, ctypes.byref(bpe), data, len(data))
        self._bpe = bpe if bpe else c_void_p(_lib.npu_bpe_clip())
        # At the end of the process, threads may still use it.
        weakref.finalize(self, _close_text, self._p, bpe).atexit = False
        _try(_lib.npu_tokenizer_open, ctypes.byref(self._p), self._bpe)
        _lib.npu_tokenizer_special(self._p, bool(special))

    def _do(self, function, data, n, size):
        at, many = c_void_p(), c_size_t()
        with self._lock:
            _try(function, self._p, data, n, ctypes.byref(at),
                 ctypes.byref(many))
            return ctypes.string_at(at, size * many.value)

    def encode(self, text):
        """Returns the ids of a text, with the marks of its start and end."""
        data = _text(text)
        return array.array("i", self._do(_lib.npu_encode, data, len(data), 4))

    def row(self, text, length=CLIP_LENGTH, truncate=False):
        """Returns the ids in a row as long as a model's input."""
        ids, length = self.encode(text), _int("length", length, 2, 1 << 24)
        if len(ids) > length and not truncate:
            raise ValueError("the text has %d ids, and the row %d; "
                             "truncate=True cuts it" % (len(ids), length))
        row = array.array("i", bytes(4 * length))
        _lib.npu_clip_row(_address(ids), len(ids), _address(row), length)
        return row

    def decode(self, ids):
        """Returns the text of ids, or of a row."""
        try:
            ids = array.array("i", ids)
        except OverflowError:
            raise ValueError("an id has more than 32 bits") from None
        return _str(self._do(_lib.npu_decode, _address(ids), len(ids), 1))

    def clean(self, text):
        """Returns a text as it is split into words."""
        data = _text(text)
        return _str(self._do(_lib.npu_clean, data, len(data), 1))

    def token(self, number):
        """Returns the token of an id, as the vocabulary spells it."""
        token = ctypes.create_string_buffer(520)
        _try(_lib.npu_token, self._bpe,
             _int("number", number, -2**31, 2**31 - 1), token)
        return _str(token.value)


# ---- A model on a device --------------------------------------------------


class _Gate:
    """libnpu has no lock: while a model is opened or closed, no other thread
    may call a function for any model.  Calls enter, alone() opens and closes.
    The garbage collector calls drop() at any time, so it never waits: if other
    threads are inside, the next call closes what was dropped.

    The handler of a signal may raise KeyboardInterrupt, or close a model, after
    any call.  So the lock is not taken by Condition, whose code is Python; no
    call separates what belongs together; and no thread waits for itself.
    Loops within try and with have no condition: Python 3.12 and 3.13 skip the
    clean-up if the handler raises where a conditional loop goes back."""

    def __init__(self):
        self.lock = threading.RLock()
        self.cond = threading.Condition(self.lock)
        # Tuples that begin with a thread.
        self.inside, self.waiting = set(), set()
        self.open, self.dropped = set(), collections.deque()

    def call(self, handle, function, *arguments):
        mine = me, _ = threading.get_ident(), object()
        try:
            with self.lock:
                self.cond.wait_for(lambda: not self.waiting or any(
                    t == me for t, _ in self.inside))
                self.inside |= {mine}
            handle.check()
            return function(*arguments)
        finally:
            with self.lock:
                self.inside -= {mine}
                self.cond.notify_all()
            if self.dropped:
                self.alone(self.bury, 0)

    def alone(self, function, limit=None):
        mine = me, _ = threading.get_ident(), object()
        try:
            with self.lock:
                self.waiting |= {mine}
                if self.cond.wait_for(
                        lambda: all(t == me for t, _ in self.inside), limit):
                    self.inside |= {mine}
            if mine in self.inside:
                self.bury()
                function()
        finally:
            with self.lock:
                self.inside -= {mine}
                self.waiting -= {mine}
                self.cond.notify_all()

    def drop(self, handle):
        self.dropped.append(handle)
        self.alone(self.bury, 0)

    def bury(self):
        while self.dropped:
            self.dropped.popleft().close()

    def close_all(self):
        """The vendor's library aborts a process that exits with a model."""
        for handle in list(self.open):
            self.alone(handle.close, 5)

    def forget(self):
        """After fork(): the models belong to the parent."""
        for handle in self.open:
            handle.npu, handle.queue = None, None
            handle.why = "the model was opened before fork()"
        self.__init__()


_gate = _Gate()
atexit.register(_gate.close_all)
os.register_at_fork(after_in_child=_gate.forget)


class _Handle:
    """What C knows of a model: it outlives the Model that is dropped."""

    def __init__(self):
        self.npu, self.queue = c_void_p(), None
        self.why, self.notes = "the model is closed", []

    def check(self):
        if not self.npu:
            raise ValueError(self.why)

    def close_queue(self):
        queue, self.queue = self.queue, None
        _lib.npu_queue_close(queue)

    def close(self):
        try:
            self.close_queue()
        finally:
            npu, self.npu = self.npu, None
            _lib.npu_close(npu)
            _gate.open.discard(self)


Times = collections.namedtuple("Times", "create load infer get clean")
_DEVICES = {"auto": 0, "npu": 1, "emu": 2}
_PROVIDERS = {"cpu": 0, "zhouyi": 1}


def _choice(what, value, choices):
    if value not in choices:
        raise ValueError("%s is %r, and must be one of %s"
                         % (what, value, ", ".join(choices)))
    return choices[value]


def _milliseconds(timeout):
    if timeout is None:
        return -1
    if not isinstance(timeout, numbers.Real):
        raise TypeError("timeout is a number or None, not %s"
                        % type(timeout).__name__)
    if not 0 < timeout <= 2000000:
        raise ValueError("timeout is %r, and must be more than 0 and at most "
                         "2000000 seconds, or None" % (timeout,))
    return max(1, round(float(timeout) * 1000))


class Model:
    """A model, loaded on the NPU or in the emulator.  Only the thread that
    opened it can run it."""

    def __init__(self, path, *, device="auto", library=None, emulator=None,
                 node=None, timeout=10, reuse_job=False, dims=None, threads=0,
                 provider="cpu", fallback=False, cache=None, note=None):
        if note is not None and not callable(note):
            raise TypeError("note is not a function")
        self._h = handle = _Handle()
        notes = handle.notes
        names = _Names(b"library=", b"emulator=", b"device='npu'",
                       b"device='emu'", b"dims=", b"threads=", b"provider=")
        sizes = [_Dim(str(k).encode(), _int("dims", v, 1, 2**32 - 1))
                 for k, v in dict(dims or {}).items()]
        self._timeout = _milliseconds(timeout)
        handle.options = options = _Options(
            library=_optional_name("library", library),
            emulator=_optional_name("emulator", emulator),
            node=_optional_name("node", node),
            device=_choice("device", device, _DEVICES),
            timeout_ms=self._timeout, reuse_job=bool(reuse_job),
            note=_NOTE(lambda _, line: notes.append(_str(line))),
            names=ctypes.pointer(names),
            dims=(_Dim * len(sizes))(*sizes), n_dims=len(sizes),
            threads=_int("threads", threads, 0, THREADS_MAX),
            provider=_choice("provider", provider, _PROVIDERS),
            fallback=bool(fallback), cache=_optional_name("cache", cache))
        self._thread, self._depth = threading.get_ident(), 0
        self._stale, self._stream, self._note = False, None, note
        path = _name("path", path)
        weakref.finalize(self, _gate.drop, handle).atexit = False
        _gate.open.add(handle)
        try:
            _gate.alone(lambda: self._open(path, options))
        finally:
            self._tell()

    def _open(self, path, options):
        npu = self._h.npu
        _try(_lib.npu_open, ctypes.byref(npu), path, ctypes.byref(options))
        self.inputs = _tensors(_lib.npu_inputs, _lib.npu_input, npu)
        self.outputs = _tensors(_lib.npu_outputs, _lib.npu_output, npu)
        self.library = os.fsdecode(_lib.npu_library(npu))
        self.emulator = _lib.npu_is_emulator(npu)

    def _tell(self):
        """Passes on what the library noted, outside of its calls."""
        notes = self._h.notes
        while notes:
            line = notes.pop(0)
            if self._note is not None:
                self._note(line)

    def close(self):
        """Unloads the model.  Any thread may do it, and more than once."""
        _gate.alone(self._h.close)

    def __enter__(self):
        self._h.check()
        return self

    def __exit__(self, *_):
        self.close()

    def _call(self, function, *arguments):
        return _gate.call(self._h, function, *arguments)

    def _attempt(self, function, *arguments):
        try:
            _try(self._call, function, *arguments)
        finally:
            self._tell()

    @property
    def times(self):
        """How many nanoseconds the stages of the last inference took."""
        def copy(npu):
            t = _lib.npu_last_times(npu).contents
            return Times(t.create, t.load, t.infer, t.get, t.clean)
        return self._call(copy, self._h.npu)

    def _ready(self, depth):
        """Makes a queue that is empty and deep enough; depth 1: any is."""
        h = self._h
        h.check()
        if threading.get_ident() != self._thread:
            raise Error(EUSAGE, "another thread opened this model, and only "
                        "that thread can run it")
        if self._stream is not None:
            raise Error(EUSAGE, "map() is at work on this model: end it "
                        "first")
        if h.queue and (self._stale or depth not in (1, self._depth)):
            self._call(h.close_queue)
        self._stale = False
        if not h.queue:
            h.queue, self._depth = c_void_p(), depth
            self._attempt(_lib.npu_queue_open, ctypes.byref(h.queue), h.npu,
                          depth)

    def _bytes(self, inputs, floats):
        """Returns all inputs in bytes, and whether one is numpy's."""
        if len(inputs) == 1 and isinstance(inputs[0], dict):
            named, names = inputs[0], [t.name for t in self.inputs]
            if set(named) != set(names) or len(set(names)) != len(names):
                raise ValueError("inputs %s, and the model has %s"
                                 % (list(named), names))
            inputs = [named[n] for n in names]
        if len(inputs) != len(self.inputs):
            raise ValueError("%d inputs, and the model has %d"
                             % (len(inputs), len(self.inputs)))
        stored = [t._stored("input %d" % i, x, floats)
                  for i, (t, x) in enumerate(zip(self.inputs, inputs))]
        return (b"".join(data for data, _ in stored),
                any(numpy for _, numpy in stored))

    def _get(self, numpy, floats):
        """Waits for the oldest inference; Ctrl-C interrupts the wait."""
        end = time.monotonic() + self._timeout / 1000
        while not self._call(_lib.npu_queue_wait, self._h.queue, 100):
            if 0 < self._timeout and end <= time.monotonic():
                break
        out = bytearray(sum(t.size for t in self.outputs) or 1)
        self._attempt(_lib.npu_queue_get, self._h.queue,
                      (c_char * len(out)).from_buffer(out))
        results, at = [], 0
        for t in self.outputs:
            if floats and t._width():
                data = memoryview(out)[at:at + t.size]
                x = t.dequantise(data)
                results.append(_shaped(x, t._wanted()) if numpy else x)
            else:
                data = out[at:at + t.size]
                results.append(t._array(data) if numpy else bytes(data))
            at += t.size
        return results

    def run(self, *inputs, floats=False):
        """Runs one inference and returns a list of its outputs."""
        self._ready(1)
        data, numpy = self._bytes(inputs, floats)
        self._stale = True
        self._attempt(_lib.npu_queue_put, self._h.queue, data)
        results = self._get(numpy, floats)
        self._stale = False
        return results

    def map(self, inputs, depth=3, floats=False):
        """Runs inferences, several in flight, and yields their outputs in
        order.  Each of inputs is what run() takes, or a tuple."""
        return self._map(iter(inputs), _int("depth", depth, 1, QUEUE_MAX),
                         floats)

    def _map(self, inputs, depth, floats):
        self._ready(depth)
        waiting, more, mine = collections.deque(), True, object()
        try:
            self._stream = mine
            while True:         # no condition: see _Gate
                if more and not self._call(_lib.npu_queue_full, self._h.queue):
                    try:
                        x = next(inputs)
                    except StopIteration:
                        more = False
                        continue
                    data, numpy = self._bytes(
                        x if isinstance(x, tuple) else (x,), floats)
                    self._stale = True
                    self._attempt(_lib.npu_queue_put, self._h.queue, data)
                    waiting.append(numpy)
                elif not waiting:
                    return
                else:
                    results = self._get(waiting.popleft(), floats)
                    self._stale = len(waiting) > 0
                    yield results
        finally:
            if self._stream is mine:
                self._stream = None

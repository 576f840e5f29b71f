# SPDX-License-Identifier: Apache-2.0
"""The module that users of the vendor's wheel import, over the emulator.

NPU's methods return what the wheel's do: a status, or a pair of a status and
an answer; noe_get_tensor_descriptor() returns the descriptor alone.  The
library is the one that NPU_LIBRARY names, else the emulator that is installed
with this file: libnoe-emu(7).
"""
import ctypes
import enum
import os

_TYPES = {"NONE": 0, "BOOL": 1, "U8": 2, "S8": 3, "U16": 4, "S16": 5, "U32": 6,
          "S32": 7, "U64": 8, "S64": 9, "F16": 10, "F32": 11, "F64": 12,
          "BF16": 13, "ALIGNED_U4": 0x12, "ALIGNED_S4": 0x13,
          "ALIGNED_U12": 0x14, "ALIGNED_S12": 0x15, "COMPACT_U4": 0x20,
          "COMPACT_S4": 0x21, "COMPACT_U12": 0x22, "COMPACT_S12": 0x23}
noe_data_type_t = enum.IntEnum(
    "noe_data_type_t", {"NOE_DATA_TYPE_" + n: v for n, v in _TYPES.items()})
globals().update(noe_data_type_t.__members__)

(NOE_TENSOR_TYPE_INPUT, NOE_TENSOR_TYPE_OUTPUT, NOE_TENSOR_TYPE_INTER_DUMP,
 NOE_TENSOR_TYPE_PRINTF, NOE_TENSOR_TYPE_PROFILER,
 NOE_TENSOR_TYPE_LAYER_COUNTER, NOE_TENSOR_TYPE_ERROR_CODE,
 NOE_TENSOR_TYPE_OUT_TENSOR_SHAPE) = range(8)
(NOE_JOB_STATUS_NO_STATUS, NOE_JOB_STATUS_DONE,
 NOE_JOB_STATUS_EXCEPTION) = range(3)
NOE_STATUS_SUCCESS = 0

_BESIDE = "../../../lib/npu-utils/libnoe-emu.so"
_lib = ctypes.CDLL(os.environ.get("NPU_LIBRARY") or os.path.join(
    os.path.dirname(os.path.realpath(__file__)), _BESIDE))


class _descriptor(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint32), ("size", ctypes.c_uint32),
                ("scale", ctypes.c_float), ("zero_point", ctypes.c_int32),
                ("_type", ctypes.c_int)]

    @property
    def data_type(self):
        try:
            return noe_data_type_t(self._type)
        except ValueError:          # the library returns any number
            return self._type


class noe_create_job_cfg_t(ctypes.Structure):
    """job_config_npu_t: the fields of misc, which are 0 by default."""
    _fields_ = [("partition_id", ctypes.c_uint32, 4),
                ("dbg_dispatch", ctypes.c_uint32, 1),
                ("dbg_core_id", ctypes.c_uint32, 3),
                ("qos_level", ctypes.c_uint32, 4),
                ("fm_mem_region", ctypes.c_uint32, 4),
                ("wt_mem_region", ctypes.c_uint32, 4),
                ("_rest", ctypes.c_uint64 * 3)]


def _u64(n):
    return ctypes.c_uint64(n)


class NPU:
    def __init__(self):
        self._ctx = ctypes.c_void_p()

    def noe_init_context(self):
        # In 3.x a second argument gives the device; 2.x ignores it.
        return _lib.noe_init_context(ctypes.byref(self._ctx),
                                     ctypes.c_uint64(1))

    def noe_deinit_context(self):
        return _lib.noe_deinit_context(self._ctx)

    def noe_load_graph(self, path):
        graph = _u64(0)
        st = _lib.noe_load_graph(self._ctx, os.fsencode(path),
                                 ctypes.byref(graph), None)
        return st, graph.value

    def noe_unload_graph(self, graph):
        return _lib.noe_unload_graph(self._ctx, _u64(graph))

    def noe_get_tensor_count(self, graph, kind):
        n = ctypes.c_uint32(0)
        st = _lib.noe_get_tensor_count(self._ctx, _u64(graph), kind,
                                       ctypes.byref(n))
        return st, n.value

    def noe_get_tensor_descriptor(self, graph, kind, i):
        d = _descriptor()
        st = _lib.noe_get_tensor_descriptor(self._ctx, _u64(graph), kind, i,
                                            ctypes.byref(d))
        if st != NOE_STATUS_SUCCESS:
            raise RuntimeError("noe_get_tensor_descriptor: status %#x" % st)
        return d

    def noe_create_job(self, graph, config=None):
        npu = config if config is not None else noe_create_job_cfg_t()
        pointer, job = ctypes.pointer(npu), _u64(0)
        st = _lib.noe_create_job(self._ctx, _u64(graph), ctypes.byref(job),
                                 ctypes.byref(pointer))
        return st, job.value

    def noe_clean_job(self, job):
        return _lib.noe_clean_job(self._ctx, _u64(job))

    def _size(self, job, kind, i):
        return self.noe_get_tensor_descriptor(job & ~0xffffffff, kind, i).size

    def noe_load_tensor(self, job, i, data):
        size = self._size(job, NOE_TENSOR_TYPE_INPUT, i)
        if len(data) != size:       # the library would overrun it
            raise ValueError("input %d: %d bytes, not %d" % (i, len(data),
                                                             size))
        return _lib.noe_load_tensor(self._ctx, _u64(job), i, bytes(data))

    def noe_load_tensor_from_file(self, job, i, path):
        with open(path, "rb") as f:
            return self.noe_load_tensor(job, i, f.read())

    def noe_job_infer_sync(self, job, timeout):
        return _lib.noe_job_infer_sync(self._ctx, _u64(job), timeout)

    def noe_get_tensor(self, job, kind, i):
        room = ctypes.create_string_buffer(self._size(job, kind, i))
        st = _lib.noe_get_tensor(self._ctx, _u64(job), kind, i, room)
        return st, room.raw


__all__ = [n for n in globals() if n.startswith(("noe_", "NOE_", "NPU"))]

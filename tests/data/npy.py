#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Files as numpy.save() writes them, one in each line, in hexadecimal.
import io
import numpy as np

TYPES = {"bool": "?", "u8": "u1", "s8": "i1", "u16": "u2", "s16": "i2",
         "u32": "u4", "s32": "i4", "u64": "u8", "s64": "i8", "f16": "f2",
         "f32": "f4", "f64": "f8"}

print("# SPDX-License-Identifier: Apache-2.0")
print("# Made by: python3 tests/data/npy.py >tests/data/npy.txt (numpy %s)"
      % np.__version__)
print("# TYPE SHAPE FILE")
for name, t in TYPES.items():
    for shape in ((3,), (1, 3)):
        f = io.BytesIO()
        np.save(f, np.array([0, 1, 1], t).reshape(shape))
        print(name, "[%s]" % ",".join(map(str, shape)), f.getvalue().hex())

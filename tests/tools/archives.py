#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""archives.py - writes .npz and .safetensors files into the working folder.

Python's zipfile makes the archives, as numpy.savez() does.  Damaged archives
have other bytes at offsets that APPNOTE 6.3.10 and the safetensors format
define.  Files that must be refused are in the folder bad.

archives.py show FILE... - prints the arrays in each file, as zipfile, struct
and json read them: name, type, shape and bytes.
"""
import io
import json
import os
import struct
import sys
import zipfile
import zlib


def npy(descr, shape, data):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (
        descr, shape)
    head = head.ljust(117) + '\n'
    return (b'\x93NUMPY\1\0' + struct.pack('<H', len(head)) + head.encode() +
            data)


X = npy('|i1', '(2, 2)', b'abcd')
Y = npy('<f4', '(1,)', struct.pack('<f', 1.5))
HEADER = 30 + 5 + 20            # of member x: with name and ZIP64 field
AT_Y = HEADER + len(X)


def npz(members=(('x', X), ('y', Y)), method=zipfile.ZIP_STORED, zip64=True):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', method) as z:
        for name, data in members:
            with z.open(name + '.npy', 'w', force_zip64=zip64) as f:
                f.write(data)
    return out.getvalue()


def deflate(data):
    z = zlib.compressobj(9, zlib.DEFLATED, -15)
    return z.compress(data) + z.flush()


def by_hand(packed, method=8, crc=zlib.crc32(X), size=len(X)):
    """Returns an archive of one member, whose bytes and fields may disagree."""
    fields = struct.pack('<HHHHHIIIHH', 20, 0, method, 0, 33, crc,
                         len(packed), size, 5, 0)
    head = b'PK\3\4' + fields + b'x.npy'
    entry = (b'PK\1\2' + struct.pack('<H', 20) + fields +
             struct.pack('<HHHII', 0, 0, 0, 0, 0) + b'x.npy')
    return head + packed + entry + b'PK\5\6' + struct.pack(
        '<HHHHIIH', 0, 0, 1, 1, len(entry), len(head) + len(packed), 0)


def put(data, at, new):
    return data[:at] + new + data[at + len(new):]


def entry(data, i):
    """Returns the offset of entry i in the directory."""
    at = data.index(b'PK\1\2')
    return data.index(b'PK\1\2', at + 1) if i else at


def tensors(header, data, pad=b''):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    text += pad
    return struct.pack('<Q', len(text)) + text + data


def one(dtype='I8', shape=(4,), offsets=(0, 4), **more):
    return dict(dtype=dtype, shape=shape, data_offsets=offsets, **more)


def show_npz(file):
    with zipfile.ZipFile(file) as z:
        assert z.testzip() is None
        for i in z.infolist():
            data = z.read(i)
            size = 10 + struct.unpack_from('<H', data, 8)[0]
            assert data[:8] == b'\x93NUMPY\1\0' and size % 64 == 0
            assert i.filename.endswith('.npy') and i.compress_type == 0
            head = eval(data[10:size], {})
            assert head['fortran_order'] is False
            print(i.filename[:-4], head['descr'], list(head['shape']),
                  data[size:].hex())


def show_safetensors(file):
    with open(file, 'rb') as f:
        data = f.read()
    size = 8 + struct.unpack_from('<Q', data)[0]
    assert size % 8 == 0 and data[8:9] == b'{'
    for name, t in json.loads(data[8:size]).items():
        a, b = t['data_offsets']
        print(name, t['dtype'], t['shape'], data[size + a:size + b].hex())


def show(file):
    with open(file, 'rb') as f:
        zipped = f.read(2) == b'PK'
    (show_npz if zipped else show_safetensors)(file)


if len(sys.argv) > 1:
    for name in sys.argv[2:]:
        show(name)
    sys.exit()

# The sizes of the first array are the 64-bit fields.  Python before 3.11.4
# writes the sizes in both places.
GOOD = put(npz(), 18, b'\xff' * 8)
END = len(GOOD) - 22
# The vectors (-3, 4), (6, 8) and (4, 3), in two arrays.
PAIR = struct.pack('<4f', -3, 4, 6, 8)
LAST = struct.pack('<2f', 4, 3)
VECTORS = (('a', npy('<f4', '(2, 2)', PAIR)), ('b', npy('<f4', '(2,)', LAST)))
LARGE = npy('|u1', '(300000,)', bytes(i * i // 700 & 255 for i in range(300000)))
NAMED = {
    'npz': GOOD,
    'npz-deflated': npz(method=zipfile.ZIP_DEFLATED),
    'npz-deflated-short': npz(method=zipfile.ZIP_DEFLATED, zip64=False),
    'npz-large': npz((('z', LARGE), ('x', X)), zipfile.ZIP_DEFLATED),
    'npz-large-stored': npz((('z', LARGE), ('x', X))),
    'npz-short': npz(zip64=False),
    'npz-comment': put(GOOD, len(GOOD) - 2, b'\3\0') + b'abc',
    'safetensors': tensors(
        {'__metadata__': {'format': 'p"t'},
         'b': one('BF16', (2,), (4, 8)), 'a': one('I8', (2, 2), (0, 4))},
        b'abcd\x80\x3f\0\x40', b'   '),
    'safetensors-empty': tensors({}, b''),
    'vectors-npz': npz(VECTORS),
    'vectors-npz-deflated': npz(VECTORS, zipfile.ZIP_DEFLATED),
    'vectors-safetensors': tensors(
        {'a': one('F32', (2, 2), (0, 16)), 'b': one('F32', (2,), (16, 24))},
        PAIR + LAST),
}
BAD = {
    'npz-cut-header': GOOD[:20],
    'npz-cut-name': GOOD[:33],
    'npz-cut-array': GOOD[:AT_Y - 2],
    'npz-cut-directory': GOOD[:entry(GOOD, 1) + 9],
    'npz-no-directory': GOOD[:entry(GOOD, 0)],
    'npz-no-end': GOOD[:END],
    'npz-deflated-cut': by_hand(deflate(X))[:60],
    'npz-deflated-spoilt': by_hand(b'\7' + deflate(X)[1:]),
    'npz-deflated-crc': by_hand(deflate(X), crc=1),
    'npz-deflated-longer': by_hand(deflate(X + b'z')),
    'npz-deflated-shorter': by_hand(deflate(X[:-1])),
    'npz-deflated-header': by_hand(deflate(X[:50])),
    'npz-deflated-no-end': by_hand(deflate(X)[:-1]),
    'npz-deflated-more': by_hand(deflate(X) + b'z'),
    'npz-deflated-empty': by_hand(b''),
    'npz-deflated-stored': by_hand(X[:-1], 0),
    'npz-deflate64': by_hand(deflate(X), 9),
    'npz-encrypted': put(GOOD, 6, b'\1'),
    'npz-sizes-follow': put(GOOD, 6, b'\10'),
    'npz-not-npy': npz((('x', X), ('y.txt\0', Y))).replace(b'\0.npy', b'\0npy.'),
    'npz-crc': put(GOOD, HEADER + len(X) - 1, b'e'),
    'npz-long-tail': put(GOOD, 28, b'\xff\xff'),
    'npz-sizes-differ': put(GOOD, 30 + 5 + 4, b'\x99'),
    'npz-size-of-array': put(put(GOOD, 39, b'\x85'), 47, b'\x85'),
    'npz-size-2^63': put(put(GOOD, 46, b'\x80'), 54, b'\x80'),
    'npz-size-missing': put(GOOD, 35, b'\2'),
    'npz-extra-beyond': put(GOOD, 37, b'\xff'),
    'npz-second-missing': GOOD[:AT_Y] + b'zzzz' + GOOD[AT_Y + 4:],
    'npz-another-name': put(GOOD, entry(GOOD, 1) + 46, b'z'),
    'npz-another-offset': put(GOOD, entry(GOOD, 1) + 42, b'\1'),
    'npz-same-offset': put(GOOD, entry(GOOD, 1) + 42, b'\0'),
    'npz-one-listed': GOOD[:entry(GOOD, 1)] + GOOD[END:],
    'npz-three-listed': GOOD[:END] +
    GOOD[entry(GOOD, 1):END] + GOOD[END:],
    'npz-end-count': put(GOOD, END + 10, b'\1'),
    'npz-more': GOOD + b'z',
    'npz-two': GOOD + GOOD,
    'npz-twice': npz((('x', X), ('z', X))).replace(b'z.npy', b'x.npy'),
    'npz-array': npz((('x', X.replace(b'<', b'>').replace(b'|i1', b'>i2')),)),
    'st-no-json': tensors(b'{"a"', b'abcd'),
    'st-no-shape': tensors(
        {'a': dict(dtype='I8', data_offsets=[0, 4])}, b'abcd'),
    'st-more-members': tensors({'a': one(x=1)}, b'abcd'),
    'st-type': tensors({'a': one('F8_E4M3')}, b'abcd'),
    'st-dims': tensors({'a': one(shape=[1] * 6 + [4])}, b'abcd'),
    'st-zero': tensors({'a': one(shape=[0], offsets=[0, 0])}, b''),
    'st-negative': tensors({'a': one(shape=[-4])}, b'abcd'),
    'st-huge': tensors({'a': one(shape=[2**32 - 1] * 3)}, b'abcd'),
    'st-2^64': tensors({'a': one(offsets=[0, 2**64 + 4])}, b'abcd'),
    'st-backwards': tensors({'a': one(offsets=[4, 0])}, b'abcd'),
    'st-size': tensors({'a': one(offsets=[0, 3])}, b'abc'),
    'st-hole': tensors({'a': one(offsets=[1, 5])}, b'abcde'),
    'st-overlap': tensors({'a': one(), 'b': one()}, b'abcd'),
    'st-twice': tensors(
        json.dumps({'a': one(), 'b': one(offsets=[4, 8])}).replace(
            '"b"', '"a"').encode(), b'abcdefgh'),
    'st-cut': tensors({'a': one()}, b'abc'),
    'st-more': tensors({'a': one()}, b'abcde'),
    'st-metadata': tensors({'__metadata__': {'a': 1}, 'a': one()}, b'abcd'),
    'st-nul': tensors({'a': one()}, b'abcd', b'\0'),
    'st-string': tensors(b'{"a\\', b'abcd'),
}

os.mkdir('bad')
for files, folder in (NAMED, '.'), (BAD, 'bad'):
    for name, data in files.items():
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(data)

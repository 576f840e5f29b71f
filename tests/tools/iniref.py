# SPDX-License-Identifier: Apache-2.0
"""iniref.py N - compares inidump with configparser on odd files and on N
random ones, which are made from a seed, in the current folder."""
import configparser
import json
import random
import subprocess
import sys

ODD = [
    '', '\n', '#', ' [a]\nx=1\n', '[a]\nx=1\n  y=2\n', '[a]\nX:1', '[a]\r\nx=1\r',
    '[a]\nx\n', '[a]\n=1\nb=2', '[a]\nx=1\nx=2\n', '[a]\n[a]\n', 'x=1\n[a]\n',
    '\ufeff[a]\nx=1\n', '[a] b\nx = y # z\n', '[a]]b]\n', '[]\nx=1\n', '[ ]\n',
    '[DEFAULT]\nx=1\n[a]\n[DEFAULT]\ny=2\n', '[DEFAULT]\nx=1\n[DEFAULT]\nx=2\n',
    '[a]\nx=\n  1\n\n  2\n\n\n# c\n  3\n\n', '[a]\nx = 1\n ; c\n  2\n', '[a]\nx==\n',
    '[a]\nx : = 1\n', '[a]\nx y = 1\n', '[A]\n[a]\n', '[a]\n x=1\n y=2\n  z=3\n',
    '[a]\nx=%(y)s %\n', '[a\nx=1\n', '[a]\n[b = 1\n', '[a]\nx=\u00a01\u3000\n',
    '[a]\n\u2003x=1\n y\n', '[a]\nx=1\n\u00a0\n 2\n', '[a]\nx=1\x0b2\x0c\n',
    '[a]\n\x1cx = 1\n', '[a]\nk\u00e9 = \u00e9\n', '[a]\nx=1\n   [b]\ny=2\n',
    '[a]\nx=[1,\n2]\n', '[a]\nx=1\n[1, 2]\n', '[default]\nx=1\n', '[a]\nx\t=\t1\t\n',
    '[a]\n;x=1\n#y=2\n//z=3\n', '[a]\nrem x=1\n', '[a]\nx=1\n\n\n y\n z=\n',
]
PARTS = ['[a]', '[b]', '[DEFAULT]', '[', ']', 'x', 'y', 'Key', '=', ':', ' = ',
         '\n', '\n', '\n', '\n ', '\n  ', '\n\t', '\r\n', '\r', ' ', '#', '\n#',
         ';', '%', '\u00a0', '\u3000', '\u00e9', '1', 'x=1', 'z: 2', '\x1f']


def read(path):
    """Returns the values, or the exception's name and line numbers."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        with open(path, encoding='utf-8') as f:
            parser.read_file(f)
    except configparser.ParsingError as e:
        if hasattr(e, 'lineno'):
            return None, type(e).__name__, [e.lineno]
        return None, type(e).__name__, [line for line, _ in e.errors]
    except (configparser.DuplicateSectionError,
            configparser.DuplicateOptionError) as e:
        if getattr(e, 'option', None) == '':
            return None, 'ParsingError', [e.lineno]
        return None, type(e).__name__, [e.lineno]
    except UnicodeDecodeError as e:
        return None, type(e).__name__, []
    values = {'DEFAULT': dict(parser.defaults())}
    for name in parser.sections():
        values[name] = dict(parser._sections[name])
    return values, None, []


def differs(path, ours):
    values, error, lines = read(path)
    found = ours['findings']
    if error is None:
        return found or ours['sections'] != values
    named = [f for f in found if '(%s)' % error in f['message'] and
             f['level'] == 'error']
    numbers = {f['line'] for f in named}
    return not named or not set(lines) <= numbers


def main():
    random.seed(47)
    texts = [t.encode() for t in ODD] + [b'[a]\nx=\xe9\n', b'# \xff\n[a]\n',
             b'[a]\nx=\xed\xa0\x80\n']
    for _ in range(int(sys.argv[1])):
        n = random.randrange(1, 16)
        head = random.choice(['[a]\n', ''])
        texts.append((head + ''.join(random.choices(PARTS, k=n))).encode())
    names = []
    for i, text in enumerate(texts):
        names.append('%d.cfg' % i)
        with open(names[-1], 'wb') as f:
            f.write(text)
    out = subprocess.run(['inidump'] + names, check=True, capture_output=True)
    lines = out.stdout.decode('utf-8').split('\n')[:-1]
    assert len(lines) == len(names)
    bad = 0
    for name, line in zip(names, lines):
        if differs(name, json.loads(line)):
            with open(name, 'rb') as f:
                print(name, f.read(), read(name), line)
            bad += 1
    print('%d files, %d differ' % (len(names), bad))
    return bad > 0


sys.exit(main())

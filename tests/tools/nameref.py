# SPDX-License-Identifier: Apache-2.0
"""nameref.py N - compares namematch with re.match on N random expressions,
which are made from a seed, and prints how many both understand."""
import random
import re
import subprocess
import sys
import warnings

PARTS = ['a', 'b', '_', '.', '.*', '.+', 'a*', 'b+?', '[ab]', '[^a]', '[a-c_]',
         r'\d', r'\w', r'\W', r'\s', r'\.', r'\/', '/', '1', '{2}', '{1,2}',
         '{,1}', '{', '}', '?', '*', '+', '|', '(', ')', '(?:', '^', '$', r'\b',
         r'\B', r'[\d_]', r'[]a]', r'[^\w]', r'\A', r'\Z', ']', '{0}', '-']
LETTERS = 'aabb_/.1c'
FIXED = [(r'.*Gather.*', '/model/Gather_1'), (r'/model\.22/', '/model.22/Conv'),
         (r'(a|ab)(c|bcd)$', 'abcd'), (r'(a*)*b', 'aaaa'), (r'^$', ''),
         (r'(?P=x)', 'x'), (r'(?=a)a', 'a'), (r'a++', 'aa'), (r'(a)\1', 'aa'),
         (r'[b-a]', 'a'), (r'x{3,2}', 'xxx'), (r'\q', 'q'), (r'a{2', 'aa'),
         (r'((a{9}){9}){9}', 'a'), (r'[a', 'a'), (r'a)', 'a'), (r'', 'x')]


def expected(pattern, name):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            return '1' if re.match(pattern, name) else '0'
    except re.error:
        return '?'


def main():
    random.seed(47)
    cases = list(FIXED)
    for _ in range(int(sys.argv[1])):
        pattern = ''.join(random.choices(PARTS, k=random.randrange(1, 9)))
        name = ''.join(random.choices(LETTERS, k=random.randrange(0, 9)))
        cases.append((pattern, name))
    text = ''.join('%s\t%s\n' % case for case in cases)
    out = subprocess.run(['namematch'], input=text.encode(), check=True,
                         capture_output=True).stdout.decode().strip('\n')
    assert len(out) == len(cases)
    understood = bad = 0
    for (pattern, name), got in zip(cases, out):
        want = expected(pattern, name)
        understood += got != '?' and want != '?'
        if got not in ('?', want):
            print(repr(pattern), repr(name), 'want', want, 'got', got)
            bad += 1
    print('%d understood, %d differ' % (understood, bad))
    return bad > 0 or understood * 4 < len(cases)


sys.exit(main())

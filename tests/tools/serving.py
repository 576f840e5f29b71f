#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Clients of npu-serve that curl cannot imitate.

serving.py inputs DIR N       writes N texts, and pictures, into DIR: inputs of
                              other programs, whose results belong in DIR
serving.py mix URL DIR CLIENTS INPUTS   each answer must belong to its input
serving.py faults URL DIR REQUESTS      each answer is right, or an error
serving.py damaged URL REQUESTS SEED    each request is refused, or closed
serving.py dribble URL head|body        sends byte by byte until a close
serving.py crowd URL SLOW               a normal client beside slow clients
serving.py full URL WORKING [ADDRESS]   a further client beside waiting clients
serving.py silent ADDRESS               a client that does not send anything
serving.py handed PROGRAM [ARGUMENT...] runs it with a socket as systemd does
serving.py again PROGRAM [ARGUMENT...]  the same, and when it ends, once more
"""
import collections
import ctypes
import http.client
import json
import os
import random
import re
import signal
import socket
import sys
import threading
import time

PICTURES = 16
LIMIT = 100     # s; only a server that hangs takes so long


def address(url):
    host, port = url.split("//")[1].rsplit(":", 1)
    return host.strip("[]"), int(port)


def connect(url):
    return socket.create_connection(address(url), timeout=LIMIT)


# ---- Inputs, and the results of the other programs ------------------------

def picture(i):
    """Returns a PPM of rectangles, a different picture for each i."""
    r = random.Random(i)
    w, h = r.randrange(60, 200), r.randrange(60, 200)
    rows = [bytearray(bytes([r.randrange(256) for _ in "rgb"]) * w)
            for _ in range(h)]
    for _ in range(12):
        x, y = r.randrange(w - 8), r.randrange(h - 8)
        n, m = r.randrange(8, w), r.randrange(8, h)
        color = bytes(r.randrange(256) for _ in "rgb")
        n = min(n, w - x)
        for row in rows[y:y + m]:
            row[3 * x:3 * (x + n)] = color * n
    return b"P6 %d %d 255\n" % (w, h) + b"".join(rows)


def text(i, r):
    """Returns a text with a unique set of words; the twin ignores order."""
    words = "red blue cat dog bus sky old small two photo of".split()
    return " ".join([*r.choices(words, k=5), chr(ord("a") + i % 26),
                     str(i // 26 % 10)] + ["so"] * (i // 260))


def inputs(folder, n):
    r = random.Random(1)
    with open(folder + "/texts", "w") as f:
        for i in range(int(n)):
            print(text(i, r), file=f)
    for i in range(PICTURES):
        with open("%s/p%02d.ppm" % (folder, i), "wb") as f:
            f.write(picture(i))


def raw_vectors(path):
    """Returns the vectors as clip-embed wrote them, as text."""
    with open(path) as f:
        return [re.search(r'"vector":(\[[^]]*\])', line).group(1)
                for line in f]


def half_up(x):
    return int(x + 0.5)


class Truth:
    def __init__(self, folder):
        with open(folder + "/texts") as f:
            self.texts = f.read().splitlines()
        self.text = raw_vectors(folder + "/texts.jsonl")
        self.image = raw_vectors(folder + "/pictures.jsonl")
        self.pictures = []
        for i in range(PICTURES):
            with open("%s/p%02d.ppm" % (folder, i), "rb") as f:
                self.pictures.append(f.read())
        with open(folder + "/boxes.jsonl") as f:
            self.boxes = [[[d["confidence"], d["class"]] +
                           [half_up(x) for x in d["box"]]
                           for d in json.loads(line)["detections"]]
                          for line in f]
        assert len(set(self.text)) == len(self.texts)
        assert len(set(self.image)) == PICTURES
        assert len(set(map(str, self.boxes))) == PICTURES


# ---- Requests ------------------------------------------------------------

def as_json(value):
    return {"Content-Type": "application/json"}, json.dumps(value).encode()


def as_form(**parts):
    body = b""
    for name, value in parts.items():
        body += b'--bound\r\nContent-Disposition: form-data; name="' + \
            name.encode() + b'"\r\n\r\n' + value + b"\r\n"
    return ({"Content-Type": "multipart/form-data; boundary=bound"},
            body + b"--bound--\r\n")


def immich(kind):
    return json.dumps({"clip": {kind: {"modelName": "clip"}}}).encode()


def data_url(p):
    import base64
    return "data:image/x-ppm;base64," + base64.b64encode(p).decode()


VECTOR = re.compile(r"\[-?[0-9][^][]*\]")


def only_vector(answer):
    found = VECTOR.findall(answer)
    return found[0] if len(found) == 1 else None


def objects(answer):
    return [[p[k] for k in ("confidence", "label", "x_min", "y_min",
                            "x_max", "y_max")]
            for p in json.loads(answer)["predictions"]]


def routes(truth, i):
    """For input i: path, headers, body, how to read the answer, result."""
    text, p = truth.texts[i], truth.pictures[i % PICTURES]
    v, w = truth.text[i], truth.image[i % PICTURES]
    boxes = truth.boxes[i % PICTURES]
    two = json.dumps([text, data_url(p)])
    return [
        ("/v1/embeddings", *as_json({"model": "clip", "input": text}),
         only_vector, v),
        ("/v1/embeddings", *as_json({"model": "clip",
                                     "input": json.loads(two)}),
         VECTOR.findall, [v, w]),
        ("/embeddings", *as_json({"content": text}), only_vector, v),
        ("/api/embed", *as_json({"model": "clip", "input": [text]}),
         only_vector, v),
        ("/api/embeddings", *as_json({"model": "clip", "prompt": text}),
         only_vector, v),
        ("/embed", *as_json({"inputs": text}), only_vector, v),
        ("/predict", *as_form(entries=immich("textual"),
                              text=text.encode()), only_vector, v),
        ("/predict", *as_form(entries=immich("visual"), image=p),
         only_vector, w),
        ("/v1/vision/detection", *as_form(image=p, min_confidence=b"0.1"),
         objects, boxes),
    ]


def ask(connection, route):
    path, headers, body, read, want = route
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    if answer.status != 200:
        return answer.status, text
    return ("right" if read(text) == want else "wrong"), path + " " + text


def in_threads(work, n):
    """Runs work(k) for k below n in threads; raises the first exception."""
    failed = []

    def run(k):
        try:
            work(k)
        except BaseException as e:
            failed.append(e)
    threads = [threading.Thread(target=run, args=(k,)) for k in range(n)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failed:
        raise failed[0]


def mix(url, folder, clients, each):
    truth, count = Truth(folder), collections.Counter()
    each = int(each)

    def client(k):
        r = random.Random(k)
        c = http.client.HTTPConnection(*address(url), timeout=LIMIT)
        for i in range(k * each, (k + 1) * each):
            result, text = ask(c, r.choice(routes(truth, i)))
            count[result] += 1
            if result != "right":
                print(result, text[:200], file=sys.stderr)
    in_threads(client, int(clients))
    print(count["right"], "right of", sum(count.values()))


def faults(url, folder, requests):
    truth, count = Truth(folder), collections.Counter()
    n, workers = int(requests), 4

    def client(k):
        r = random.Random(k)
        c = http.client.HTTPConnection(*address(url), timeout=LIMIT)
        for i in range(k, n, workers):
            route = r.choice(routes(truth, i % len(truth.texts)))
            result, text = ask(c, route)
            if result in ("right", "wrong"):
                count[result] += 1
                continue
            said = json.loads(text)
            assert 500 <= result < 600, (result, text)
            assert "error" in said or "detail" in said, text
            count["error"] += 1
            time.sleep(0.05)
    in_threads(client, workers)
    print("right" if count["right"] else "none right",
          "errors" if count["error"] else "no errors", count["wrong"],
          "wrong", sum(count.values()))


# ---- Damaged requests ----------------------------------------------------

GOOD = b'{"model":"clip","input":"a cat"}'


def head(n, more=b"", path=b"/v1/embeddings", version=b"HTTP/1.1"):
    return (b"POST " + path + b" " + version + b"\r\nHost: x\r\n"
            b"Content-Type: application/json\r\n" + more +
            (b"Content-Length: %d\r\n" % n if n is not None else b"") +
            b"\r\n")


def damage(r):
    """Returns the name of a damage, and the bytes of a damaged request."""
    good = head(len(GOOD)) + GOOD
    form = b'--bound\r\nContent-Disposition: form-data; name="image"\r\n\r\n'
    form += bytes(r.randrange(256) for _ in range(200)) + b"\r\n--bound--\r\n"
    kind = r.randrange(20)
    if kind == 0:
        return "cut", good[:r.randrange(1, len(good))]
    if kind == 1:
        return "long length", head(len(GOOD) + r.randrange(1, 99)) + GOOD
    if kind == 2:
        return "short length", head(r.randrange(1, len(GOOD))) + GOOD
    if kind == 3:
        return "bad length", head(None, b"Content-Length: %s\r\n" % r.choice(
            [b"-1", b"x", b"1e3", b"99999999999999999999999", b"0x10",
             b"+5 5", b"9223372036854775808"])) + GOOD
    if kind == 4:
        return "both", head(len(GOOD), b"Transfer-Encoding: chunked\r\n") + \
            b"%x\r\n" % len(GOOD) + GOOD + b"\r\n0\r\n\r\n"
    if kind == 5:
        return "bad chunk", head(None, b"Transfer-Encoding: chunked\r\n") + \
            r.choice([b"xyz\r\n", b"-5\r\n", b"fffffffffffffffff\r\n",
                      b"5\r\nab"]) + GOOD
    if kind == 6:
        # libmicrohttpd takes a NUL after the path, or in the value of a header,
        # for the end of the path or value.
        i = r.choice([*range(6, 19), *range(20, 28)])
        return "NUL", good[:i] + b"\0" + good[i:]
    if kind == 7:
        return "NUL in the body", head(len(GOOD)) + GOOD.replace(b" ", b"\0")
    if kind == 8:
        return "64 KiB header", head(len(GOOD), b"X-Long: " + b"a" * 65536 +
                                     b"\r\n") + GOOD
    if kind == 9:
        return "many headers", head(len(GOOD), b"".join(
            b"X-%d: %d\r\n" % (i, i) for i in range(9000))) + GOOD
    if kind == 10:
        import gzip
        body = gzip.compress(GOOD)
        return "gzip", head(len(body), r.choice(
            [b"", b"Content-Encoding: gzip\r\n"])) + body
    if kind == 11:
        return "HTTP/0.9", b"POST /v1/embeddings\r\n\r\n"
    if kind == 12:
        return "HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(18)
    if kind == 13:
        return "version", head(len(GOOD), version=r.choice(
            [b"HTTP/9.9", b"HTTP/", b"HTTP/1.1.1", b"FTP/1.1"])) + GOOD
    if kind == 14:
        return "noise", bytes(r.randrange(256) for _ in range(500))
    if kind == 15:
        cut = form[:r.randrange(len(form))]
        return "form", head(len(cut), path=b"/v1/vision/detection").replace(
            b"application/json", b"multipart/form-data; boundary=bound") + cut
    if kind == 16:
        b = bytearray(GOOD)
        b[r.randrange(len(b) - 20)] = r.choice(b"\0\xff{}[]\"\\,:")
        return "JSON", head(len(b), path=b"/embeddings") + \
            bytes(b).replace(b"input", b"cont\1nt")
    if kind == 17:
        return "TLS", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + bytes(99)
    if kind == 18:
        return "long path", b"GET /" + b"a" * 70000 + b" HTTP/1.1\r\n\r\n"
    return "no Host", good.replace(b"Host: x\r\n", b"")


def all_of(s):
    data = b""
    try:
        while True:
            piece = s.recv(65536)
            if not piece:
                return data
            data += piece
    except ConnectionError:
        return data


def statuses(data):
    return [int(x) for x in re.findall(rb"^HTTP/1\.[01] (\d\d\d) ", data,
                                       re.M)]


def damaged_one(url, r):
    name, data = damage(r)
    s = connect(url)
    try:
        if r.randrange(8) == 0 and len(data) < 1000:
            for i in range(len(data)):
                s.send(data[i:i + 1])
        else:
            s.sendall(data)
        if r.randrange(10) != 0:
            s.shutdown(socket.SHUT_WR)
    except OSError:
        pass
    got = statuses(all_of(s))
    s.close()
    if any(x < 400 and x != 100 for x in got):
        raise AssertionError("%s: %s to %r" % (name, got, data[:300]))
    return name


def good_one(url, in_bytes):
    s = connect(url)
    data = head(len(GOOD), b"Connection: close\r\n") + GOOD
    for i in range(0, len(data), 1 if in_bytes else len(data)):
        s.sendall(data[i:i + 1] if in_bytes else data)
    got = all_of(s)
    s.close()
    assert statuses(got) == [200], got[:200]
    return only_vector(got.decode().replace("\r\n", "\n"))


def damaged(url, requests, seed):
    n, names = int(requests), collections.Counter()
    workers = 16 if n < 1000 else 48
    want = good_one(url, False)

    def client(k):
        r = random.Random("%s %d" % (seed, k))
        for i in range(k, n, workers):
            names[damaged_one(url, r)] += 1
            assert good_one(url, r.randrange(4) == 0) == want
    in_threads(client, workers)
    assert n < 200 or len(names) == 20, names
    print(sum(names.values()), "damaged")
    print(want)


# ---- Slow clients --------------------------------------------------------

def begin(s, what):
    if what == "head":
        s.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    else:
        s.sendall(head(100000))


def closed(s):
    """Returns whether the server has closed the connection, or answered."""
    s.setblocking(False)
    try:
        s.recv(1000, socket.MSG_PEEK)
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        s.setblocking(True)


def feed(sockets):
    """Sends a byte to each open connection; returns how many are open."""
    n = 0
    for s in sockets:
        if closed(s):
            continue
        try:
            s.send(b"a")
            n += 1
        except OSError:
            pass
    return n


def dribble(url, what):
    s = connect(url)
    begin(s, what)
    sent = 0
    while feed([s]):
        sent += 1
        time.sleep(0.1)
    print("closed", "after bytes" if sent > 1 else "at once",
          *["with %d" % x for x in statuses(all_of(s)) if x != 408])


def crowd(url, slow):
    sockets = []
    for _ in range(int(slow)):
        s = connect(url)
        begin(s, "head")
        feed(sockets)
        sockets.append(s)
        time.sleep(0.2)
    feed(sockets)
    before = feed(sockets)
    c = http.client.HTTPConnection(*address(url), timeout=LIMIT)
    c.request("GET", "/healthz")
    status = c.getresponse().status
    time.sleep(0.3)
    feed(sockets)
    print(before, "slow, status", status, ", then", feed(sockets))


def full(url, working, source="127.0.0.1"):
    """Fills the server with clients that wait for answers, then adds one."""
    waiting = []
    for _ in range(int(working)):
        s = connect(url)
        s.sendall(head(len(GOOD)) + GOOD)
        waiting.append(s)
        time.sleep(0.2)
    s = socket.create_connection(address(url), timeout=LIMIT,
                                 source_address=(source, 0))
    try:
        s.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        got = s.recv(1000)
    except ConnectionError:
        got = b""
    open_yet = sum(not closed(x) for x in waiting)
    answers = [statuses(x.recv(100)) for x in waiting]
    print(statuses(got), open_yet, answers)


def silent(where):
    if where.startswith("/"):
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(LIMIT)
        s.connect(where)
    else:
        s = connect(where)
    print("closed", statuses(all_of(s)))


def listen_as_3():
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    s.listen()
    if s.fileno() != 3:
        os.dup2(s.fileno(), 3)
    os.set_inheritable(3, True)
    s.detach()


def become(command):
    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
    os.execvp(command[0], command)


def handed(*command):
    listen_as_3()
    become(command)


def again(*command):
    """The second process runs without the first one's fault."""
    listen_as_3()
    for _ in range(2):
        child = os.fork()
        if child == 0:
            # The tests end the parent with SIGKILL: end with it.
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
            become(command)
        os.waitpid(child, 0)
        os.environ.pop("NPU_EMU_FAULT", None)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

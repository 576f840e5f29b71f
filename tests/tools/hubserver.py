#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""hubserver.py FOLDER [PATH=FAULT[,FAULT...]]... - a hub of models.

Serves the files of FOLDER on 127.0.0.1 as ModelScope and Hugging Face serve
theirs, below any OWNER/NAME and revision.  Writes its URL to the file "url" and
a line for each request to the file "requests".  Each request for PATH takes its
next FAULT; the last stays.  FAULTs:

  ok            the file
  404 403       an error, with a web page
  429:N 500 503 an error that passes; N is for Retry-After, in seconds
  cut:N         N bytes, then the connection ends
  drip:N        N bytes of what is asked for, then the connection ends
  stall:N       N bytes, then nothing
  slow:N        N bytes in each tenth of a second
  long short    Content-Length is larger, or smaller, than the file
  more          more bytes than the file has, without a Content-Length
  etag          a new ETag at each request
  weak noetag   a weak ETag; none
  norange       ignores Range
  wrongrange    answers any Range with the first bytes
  piece         status 206 and the first half, without an ETag
  gzip          compressed, as Content-Encoding says
  html json pointer empty   with status 200, in place of the file
  other         other bytes of the same size
  hop:N         N redirects, then the file
  to:URL        a redirect to URL

Environment: HUB_LISTING, a file that is sent as each listing; HUB_SUMS=no,
listings without sums; HUB_PAGE=N, files in one part of a listing; HUB_NEXT, a
URL that each listing names as its next part; HUB_TLS, a file with a certificate
and its key: https.
"""
import gzip
import hashlib
import json
import os
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

ROOT = sys.argv[1]
FAULTS = {p: f.split(",")
          for p, f in (a.split("=", 1) for a in sys.argv[2:])}
LOCK = threading.Lock()
COUNT = {}
PAGE = b"<!DOCTYPE html><html><body>Not here</body></html>"
POINTER = (b"version https://git-lfs.github.com/spec/v1\noid sha256:" +
           b"5" * 64 + b"\nsize 1000\n")
STATUSES = ("403", "404", "429", "500", "503")
INSTEAD = {"html": PAGE, "pointer": POINTER, "empty": b"",
           "json": b'{"Code":10990101,"Message":"no such file"}'}


def fault(path):
    """Returns the fault of this request for path, and its number."""
    with LOCK:
        COUNT[path] = n = COUNT.get(path, 0) + 1
    faults = FAULTS.get(path, ["ok"])
    return faults[min(n, len(faults)) - 1], n


def files(under):
    """Lists the files of the hub below a folder, sorted."""
    for folder, _, names in sorted(os.walk(os.path.join(ROOT, under))):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                data = f.read()
            yield os.path.relpath(path, ROOT), data


def sums(data):
    return "" if os.environ.get("HUB_SUMS") == "no" else \
        hashlib.sha256(data).hexdigest()


class Hub(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def note(self):
        head = self.headers
        words = [self.command, self.path] + [
            f"{k}={head[k]}" for k in ("Range", "If-Range", "Authorization",
                                       "User-Agent", "Accept-Encoding")
            if head[k]]
        with LOCK, open("requests", "a", encoding="utf-8") as f:
            f.write(" ".join(words) + "\n")

    def send(self, status, body=b"", **headers):
        self.send_response(status)
        headers.setdefault("Content_Length", str(len(body)))
        for k, v in headers.items():
            if v is not None:
                self.send_header(k.replace("_", "-"), v)
        self.end_headers()
        self.wfile.write(body)

    def base(self):
        scheme = "https" if os.environ.get("HUB_TLS") else "http"
        return f"{scheme}://{self.headers['Host']}"

    def do_CONNECT(self):
        self.note()
        self.send(403)

    def do_GET(self):
        self.note()
        try:
            self.answer()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def answer(self):
        parts = urlsplit(self.path)
        way = unquote(parts.path).strip("/").split("/")
        if not self.headers["User-Agent"]:
            self.send(403, PAGE)
        elif way[:3] == ["api", "v1", "models"]:
            self.modelscope(parse_qs(parts.query))
        elif way[:2] == ["api", "models"]:
            self.huggingface("/".join(way[6:]), parse_qs(parts.query))
        elif "resolve" in way:
            at = way.index("resolve")
            self.file("/".join(way[at + 2:]), way[0] != "models")
        else:
            self.file("/".join(way), False)

    # ---- Listings -----------------------------------------------------------

    def listing(self, document, **headers):
        own = os.environ.get("HUB_LISTING")
        body = open(own, "rb").read() if own else \
            json.dumps(document).encode()
        self.send(200, body, Content_Type="application/json", **headers)

    def modelscope(self, query):
        what, _ = fault("listing")
        if what in STATUSES:
            return self.send(int(what), PAGE)
        under = query.get("Root", [""])[0]
        found = [{"Name": os.path.basename(p), "Path": p, "Type": "blob",
                  "Size": len(d), "Sha256": sums(d), "Revision": "r"}
                 for p, d in files(under)]
        folders = [{"Name": f, "Path": f, "Type": "tree", "Size": 0,
                    "Sha256": "", "Revision": "r"}
                   for f in sorted({os.path.dirname(f["Path"])
                                    for f in found} - {""})]
        return self.listing({"Code": 200, "Data": {"Files":
                                                   folders + found}})

    def huggingface(self, under, query):
        found = [{"type": "file", "oid": "0" * 40, "size": len(d), "path": p}
                 | ({"lfs": {"oid": sums(d), "size": len(d),
                             "pointerSize": 134}} if sums(d) else {})
                 for p, d in files(under)]
        size = int(os.environ.get("HUB_PAGE", len(found) + 1))
        at = int(query.get("cursor", ["0"])[0])
        link = None
        if at + size < len(found):
            link = (f'<{self.base()}{urlsplit(self.path).path}'
                    f'?recursive=true&cursor={at + size}>; rel="next"')
        if os.environ.get("HUB_NEXT"):
            link = f'<{os.environ["HUB_NEXT"]}>; rel="next"'
        self.listing(found[at:at + size], Link=link)

    # ---- Files --------------------------------------------------------------

    def file(self, path, linked):
        what, n = fault(path)
        what, _, number = what.partition(":")
        number = int(number) if number.isdigit() else number
        if what in STATUSES:
            return self.send(int(what), PAGE, Retry_After=number or None)
        if what == "to":
            return self.send(302, Location=number)
        if what == "hop":
            FAULTS[path] = [f"hop:{number - 1}" if number > 1 else "ok"]
            return self.send(302, Location=self.path)
        try:
            with open(os.path.join(ROOT, path), "rb") as f:
                data = f.read()
        except OSError:
            return self.send(404, PAGE)
        return self.data(what, number, n, data, linked)

    def data(self, what, number, n, data, linked):
        tag = hashlib.sha256(data).hexdigest()[:16]
        headers = {"ETag": f'"{tag}"'}
        if linked and sums(data):
            headers["X_Linked_Etag"] = f'"{sums(data)}"'
        if what == "etag":
            headers["ETag"] = f'"{tag}-{n}"'
        elif what == "weak":
            headers["ETag"] = f'W/"{tag}"'
        elif what in ("noetag", "piece"):
            del headers["ETag"]
        elif what == "other":
            data = bytes(b ^ 1 for b in data)
        elif what in INSTEAD:
            data = INSTEAD[what]
        elif what == "gzip":
            data = gzip.compress(data, mtime=0)
            headers["Content_Encoding"] = "gzip"
        status, body = 200, data
        asked = self.headers["Range"]
        if asked and what != "norange" and \
                self.headers["If-Range"] in (None, headers.get("ETag")):
            at = int(asked[len("bytes="):].rstrip("-"))
            if at >= len(data):
                return self.send(416, PAGE)
            at = 0 if what == "wrongrange" else at
            status, body = 206, data[at:]
            headers["Content_Range"] = \
                f"bytes {at}-{len(data) - 1}/{len(data)}"
        if what == "piece":
            status, body = 206, data[:len(data) // 2]
            headers["Content_Range"] = \
                f"bytes 0-{len(body) - 1}/{len(data)}"
        return self.body(what, number, status, body, headers)

    def body(self, what, number, status, body, headers):
        length = len(body)
        headers["Content_Length"] = {"long": str(length + 100),
                                     "short": str(length // 2),
                                     "more": None}.get(what, str(length))
        self.close_connection = True
        if what == "more":
            body += body + b"more"
        if what in ("cut", "drip", "stall"):
            body = body[:number]
        self.send_response(status)
        headers["Connection"] = "close"
        for k, v in headers.items():
            if v is not None:
                self.send_header(k.replace("_", "-"), v)
        self.end_headers()
        if what == "slow":
            for i in range(0, length, number):
                self.wfile.write(body[i:i + number])
                time.sleep(0.1)
            return
        self.wfile.write(body)
        self.wfile.flush()
        if what == "stall":
            # Until the client leaves.
            self.rfile.read(1)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    server = Server(("127.0.0.1", 0), Hub)
    scheme = "http"
    if os.environ.get("HUB_TLS"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.environ["HUB_TLS"])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "https"
    with open("url.new", "w", encoding="ascii") as f:
        f.write(f"{scheme}://127.0.0.1:{server.server_address[1]}\n")
    os.rename("url.new", "url")
    server.serve_forever()


main()

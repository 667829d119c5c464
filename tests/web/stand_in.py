#!/usr/bin/env python3
"""Stands in for the program behind the tab: `serve --socket PATH ...` greets, answers every request with what it got, and
ends with its standard input. STAND_IN, a JSON object, makes it misbehave: {"greeting": text} says something else, {"die_at":
path} ends on that path, {"held": path} answers that in two parts, the second after somebody asked for /front/release.js,
{"answers": {path: [status, headers, text or its length]}} answers so. An upload is named by its SHA-256."""
import hashlib
import http.server
import json
import os
import socketserver
import sys
import threading

WISH = json.loads(os.environ.get("STAND_IN", "{}"))
STARTED = os.environ.get("STAND_IN_STARTS")
RELEASED = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_one(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        if path == WISH.get("die_at"):
            os._exit(3)
        if path == WISH.get("held"):
            return self.answer_in_two_parts()
        if path == "/front/release.js":
            RELEASED.set()
        if path == "/api/v1/uploads":  # named by what came
            WISH.setdefault("answers", {})[path] = [201, {}, json.dumps({"upload": hashlib.sha256(body).hexdigest()})]
        status, headers, said = WISH.get("answers", {}).get(path, [200, {}, None])
        echo = {"method": self.command, "path": self.path, "headers": dict(self.headers.items()),
                "body": body.decode("latin-1"), "arguments": sys.argv[1:], "pid": os.getpid()}
        content = (json.dumps(echo) if said is None else "x" * said if isinstance(said, int) else said).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(content)), "Set-Cookie": "a=b",
                            **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def answer_in_two_parts(self):
        self.send_response(200)
        self.send_header("Content-Length", "12")
        self.end_headers()
        self.wfile.write(b"first ")
        RELEASED.wait(30)
        self.wfile.write(b"second")

    do_GET = do_POST = do_DELETE = handle_one

    def address_string(self):
        return "socket"

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Who asked has gone: nobody to be told."""


def main():
    if STARTED:
        with open(STARTED, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    assert sys.argv[1:3] == ["serve", "--socket"], sys.argv
    server = Server(sys.argv[3], Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(WISH.get("greeting", '{"tideline":"0.1.0","api":1}'), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

"""`tideline serve` as a process, and what a page asks of it."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

import common

PATIENCE = 60
GRAPH = common.graph("resnet50.meta")


class Unix(http.client.HTTPConnection):
    """A connection to a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(self.path)


class Server:
    def __init__(self, *words, env=None, under=()):
        """`under`: a command that starts the program."""
        self.process = subprocess.Popen([*map(str, under), common.PROGRAM, "serve", *map(str, words)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        self.socket = dict(zip(words, words[1:])).get("--socket")
        self.first = self.process.stdout.readline()
        self.token = ""
        if not self.socket:
            match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{64})\n", self.first)
            if not match:
                self.process.kill()
                raise AssertionError((self.first, self.process.stderr.read()))
            self.port, self.token = int(match[1]), match[2]

    def connection(self):
        return Unix(self.socket) if self.socket else http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, method, path, body=None, **fields):
        """Status, fields and bytes of the answer."""
        with contextlib.closing(self.connection()) as connection:
            headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
            data = json.dumps(body) if body is not None and not isinstance(body, bytes) else body
            connection.request(method, path, data, {**headers, **fields})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def json(self, method, path, body=None, status=200):
        got, _, data = self.ask(method, "/api/v1/" + path, body)
        assert got == status, (path, got, data[:500])
        return json.loads(data) if data else None

    def open(self, source, **more):
        return self.json("POST", "sessions", {"source": source, **more}, 201)["id"]

    def act(self, session, *actions, status=200, **more):
        return self.json("POST", f"sessions/{session}/act", {"do": list(actions), "wait_ms": 30000, **more}, status)

    def until_open(self, session):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            state = self.act(session)
            if state["graph"]:
                return state
            assert state["busy"], state["messages"]
        raise AssertionError("the graph is not read")

    def download(self, session, **wish):
        made = self.json("POST", f"sessions/{session}/files", wish, 201)
        status, fields, data = self.ask("GET", "/api/v1/files/" + made["file"])
        assert status == 200 and len(data) == made["bytes"], (status, fields)
        assert fields["Content-Disposition"] == f'attachment; filename="{made["name"]}"'
        return data

    def end(self, how=signal.SIGTERM, code=130):
        if how is None:
            self.process.stdin.close()
        else:
            self.process.send_signal(how)
        assert self.process.wait(PATIENCE) == code, self.process.stderr.read()
        self.process.stdout.close()
        said = self.process.stderr.read()
        self.process.stderr.close()
        if how is not None:
            self.process.stdin.close()
        return said


@contextlib.contextmanager
def serving(*words, **more):
    server = Server(*words, **more)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


def raw(server, data, patience=PATIENCE):
    """What comes back for these bytes until the server ends the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=patience) as connection:
        got = b""
        with contextlib.suppress(ConnectionError):
            connection.sendall(data)
        with contextlib.suppress(ConnectionError):
            while piece := connection.recv(65536):
                got += piece
        return got


def memory_of(process):
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) * 1024

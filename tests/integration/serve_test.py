"""`tideline serve` as a process: what it says, whom it answers, that graphs come out as `tideline script` writes them,
and that nothing stays behind when it ends."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time

import common

PATIENCE = 60
GRAPH = common.graph("resnet50.meta")
ACTIONS = [["policy.mode", "lms2"], ["policy.set", "swapout-threshold", "20"], ["policy.set", "swapin-ahead", "5"],
           ["scope.set", "fc1000", "never"], ["graph.batch-size", "16"]]


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
    def __init__(self, *words, env=None):
        self.process = subprocess.Popen([common.PROGRAM, "serve", *map(str, words)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        self.socket = dict(zip(words, words[1:])).get("--socket")
        self.first = self.process.stdout.readline()
        self.token = ""
        if not self.socket:
            match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{64})\n", self.first)
            assert match, (self.first, self.process.poll() is not None and self.process.stderr.read())
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
def serving(*words, env=None):
    server = Server(*words, env=env)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


def quoted(words):
    return " ".join(f'"{word}"' for word in words)


def test_graphs_are_those_of_scripts(folder):
    """The same actions give the same bytes, downloaded, written and after an upload."""
    script = folder / "actions.txt"
    script.write_text("".join(quoted(action) + "\n" for action in ACTIONS) + quoted(["file.write", str(folder / "script.meta")]) + "\n")
    common.tideline("script", GRAPH, script)
    expected = (folder / "script.meta").read_bytes()
    out = folder / "out"
    out.mkdir()
    with serving(GRAPH, "--write", out) as server:
        session = server.open({"path": str(GRAPH)})
        server.until_open(session)
        state = server.act(session, *ACTIONS)
        assert state["graph"]["swaps"] > 0 and not state["stale"], state["policy_error"]
        assert server.download(session, kind="graph") == expected
        server.act(session, ["file.write", "model.meta"])
        assert (out / "model.meta").read_bytes() == expected
        status, _, data = server.ask("POST", "/api/v1/uploads?name=mine.meta", GRAPH.read_bytes())
        assert status == 201, data
        upload = json.loads(data)
        again = server.open({"upload": upload["upload"]}, resume=state["resume"])
        server.until_open(again)
        server.act(again)
        assert server.download(again, kind="graph") == expected
        server.end()


def test_socket(folder):
    """A Unix socket of this user, without a token, that ends with standard input."""
    private = folder / "private"
    private.mkdir(mode=0o700)
    path = str(private / "s")
    with serving("--socket", path, "--open", GRAPH.parent) as server:
        said = json.loads(server.first)
        assert said["api"] == 1 and said["tideline"], said
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert server.json("GET", "about")["api"] == 1
        session = server.open({"path": str(GRAPH)})
        server.until_open(session)
        server.end(None, 0)
        assert not os.path.exists(path)
    # Neither name nor folder is needed once it runs.
    with serving("--socket", path) as server:
        held = os.open(path, os.O_PATH)
        shutil.rmtree(private)
        server.socket = f"/proc/self/fd/{held}"
        assert server.json("GET", "about")["api"] == 1
        server.end(None, 0)
        os.close(held)
    private.mkdir(mode=0o755)
    refused = common.tideline("serve", "--socket", path, check=False)
    assert refused.returncode == 1 and "0700" in refused.stderr, refused
    for words in (["--socket", path, "--port", "1"], ["--port", "65536"], ["--sessions", "0"], ["--upload-limit", "x"]):
        assert common.tideline("serve", *words, check=False).returncode == 2, words
    for words in (["--host", "nowhere"], [folder / "missing"], ["--write", folder / "missing"]):
        assert common.tideline("serve", *words, check=False).returncode == 1, words


def test_only_who_may_is_answered(folder):
    """The gate, from outside of the process."""
    with serving("--open", GRAPH.parent, "--allow-host", "gpu7") as server:
        own = f"localhost:{server.port}"
        for fields, expected in (({}, 200), ({"Host": own, "Origin": f"http://{own}"}, 200), ({"Host": "gpu7"}, 200),
                                 ({"Authorization": "Bearer x"}, 401), ({"Authorization": ""}, 401),
                                 ({"Host": "example.org"}, 421), ({"Host": ""}, 421),
                                 ({"Origin": "http://example.org"}, 403), ({"Origin": "null"}, 403),
                                 ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403)):
            assert server.ask("GET", "/api/v1/about", **fields)[0] == expected, fields
        status, fields, page = server.ask("GET", "/", Authorization="")
        assert status == 200 and b"<html" in page and server.token.encode() not in page
        assert "frame-ancestors 'none'" in fields["Content-Security-Policy"]
        assert server.ask("GET", "/", Host="example.org")[0] == 421
        preflight = server.ask("OPTIONS", "/api/v1/sessions", Origin="http://example.org",
                               **{"Access-Control-Request-Method": "POST"})
        assert preflight[0] == 403 and not [name for name in preflight[1] if name.startswith("Access-Control")]
        for path in ("/etc/passwd", str(GRAPH.parent / "../../run"), "/proc/self/environ"):
            assert server.json("POST", "sessions", {"source": {"path": path}}, 422)["error"]["code"] == "not_found"
        server.end(signal.SIGINT)


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


def test_floods(folder):
    """Much of everything: the server answers briefly, and its memory stays."""
    with serving() as server:
        server.json("GET", "about")
        before = memory_of(server.process)
        assert raw(server, b"GET /" + b"a" * (50 << 20)).startswith(b"HTTP/1.1 431 ")
        assert raw(server, b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 100000).startswith(b"HTTP/1.1 431 ")
        assert raw(server, b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n").startswith(b"HTTP/1.1 4")
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
        answers = [connection for connection in idle[64:]]
        for connection in answers:
            connection.settimeout(PATIENCE)
        assert any(connection.recv(100).startswith(b"HTTP/1.1 429 ") for connection in answers)
        for connection in idle:
            connection.close()
        answered = 0
        until = time.monotonic() + PATIENCE
        while answered != 200 and time.monotonic() < until:
            answered = server.ask("GET", "/api/v1/about")[0]
        assert answered == 200
        assert memory_of(server.process) - before < 64 << 20, memory_of(server.process) - before
        server.end()


def cpu_of(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def test_idle_server_rests(folder):
    """Without requests there is no work, and the connections of the last ones end."""
    with serving(GRAPH) as server:
        server.until_open(server.open({"path": str(GRAPH)}))
        kept = server.connection()
        kept.request("GET", "/")
        kept.getresponse().read()
        kept.sock.settimeout(PATIENCE)
        assert kept.sock.recv(1) == b"", "an idle connection stays"
        before = cpu_of(server.process)
        time.sleep(2)
        assert cpu_of(server.process) - before <= 1, "an idle server works"
        assert len(os.listdir(f"/proc/{server.process.pid}/task")) < 16
        server.end()


def wait_for_ever(server, session):
    with contextlib.suppress(ConnectionError):
        server.ask("GET", f"/api/v1/sessions/{session}/state?since=999999&wait=30000")


def test_nothing_stays(folder):
    """However it ends, in the middle of waiting and writing, no file and no process is left."""
    for how, code in ((signal.SIGTERM, 130), (signal.SIGINT, 130), (signal.SIGHUP, 130)):
        spool = folder / f"spool{how}"
        spool.mkdir()
        with serving(GRAPH, env={**os.environ, "TMPDIR": str(spool)}) as server:
            session = server.open({"path": str(GRAPH)})
            server.until_open(session)
            server.act(session, ["policy.mode", "lms2"])
            server.download(session, kind="log")
            server.json("POST", f"sessions/{session}/files", {"kind": "graph"}, 201)  # never fetched
            waiting = threading.Thread(target=wait_for_ever, args=(server, session))
            waiting.start()
            begin = time.monotonic()
            server.end(how, code)
            assert time.monotonic() - begin < 20
            waiting.join()
        assert not list(spool.iterdir()), list(spool.iterdir())
        with contextlib.suppress(ProcessLookupError):
            os.kill(server.process.pid, 0)
            raise AssertionError("the process is still there")


def main():
    with common.temporary_folder() as name:
        for test_name, test in list(globals().items()):
            if not test_name.startswith("test_"):
                continue
            folder = pathlib.Path(name) / test_name
            folder.mkdir()
            begin = time.monotonic()
            test(folder)
            print(f"{test_name}: {time.monotonic() - begin:.1f} s", flush=True)


main()

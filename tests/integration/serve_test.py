"""`tideline serve` as a process: what it says, whom it answers, that graphs come out as `tideline script` writes them,
and that nothing stays behind when it ends."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import stat
import threading
import time

import common
from server import GRAPH, PATIENCE, memory_of, raw, serving

ACTIONS = [["policy.mode", "lms2"], ["policy.set", "swapout-threshold", "20"], ["policy.set", "swapin-ahead", "5"],
           ["scope.set", "fc1000", "never"], ["graph.batch-size", "16"]]


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


def test_floods(folder):
    """Much of everything: the server answers briefly, and its memory stays."""
    with serving() as server:
        server.json("GET", "about")
        before = memory_of(server.process)
        assert raw(server, b"GET /" + b"a" * (50 << 20)).startswith(b"HTTP/1.1 431 ")
        assert raw(server, b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 100000).startswith(b"HTTP/1.1 431 ")
        assert raw(server, b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n").startswith(b"HTTP/1.1 4")
        idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
        # The oldest make room, for others and for who may ask.
        assert server.ask("GET", "/api/v1/about")[0] == 200
        idle[0].settimeout(PATIENCE)
        assert idle[0].recv(100) == b""
        for connection in idle:
            connection.close()
        assert server.ask("GET", "/api/v1/about")[0] == 200
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


def test_without_a_place_for_temporary_files(folder):
    """All but what is written into a file first works."""
    with serving(GRAPH, env={**os.environ, "TMPDIR": str(folder / "missing")}) as server:
        session = server.open({"path": str(GRAPH)})
        server.until_open(session)
        assert server.download(session, kind="svg", view="levels", w=800, h=300).startswith(b"<svg")
        said = server.json("POST", f"sessions/{session}/files", {"kind": "graph"}, 422)["error"]["message"]
        assert "temporary" in said and "XXXXXX" not in said, said
        server.end()


def test_folders_that_are_replaced(folder):
    """Opened files stay; what can no longer be reached is named."""
    given, out = folder / "given", folder / "out"
    for made in (given, out):
        made.mkdir()
    shutil.copy(GRAPH, given / "graph.meta")
    with serving(given / "graph.meta", "--write", out) as server:
        session = server.open({"path": str(given / "graph.meta")})
        server.until_open(session)
        for made in (given, out):
            made.rename(made.with_name(made.name + "_before"))
            made.mkdir()
        shutil.copy(GRAPH, given / "graph.meta")
        said = server.json("POST", "sessions", {"source": {"path": str(given / "graph.meta")}}, 422)["error"]["message"]
        assert "replaced after" in said, said
        assert "replaced after" in server.act(session, ["file.write", "a.meta"], status=422)["error"]["message"]
        assert server.download(session, kind="graph")
        server.end()


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

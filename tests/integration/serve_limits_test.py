"""What closed tabs, forgotten uploads, a thousand connections, too little memory and kills leave of `tideline serve`: nobody
is locked out, and the next start finds a clean place."""
import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import time

import common
from server import PATIENCE, serving

GRAPH = common.graph("mlp.meta")
# Addresses of a process (ulimit -v), in KiB: for few threads, and for some more.
LIMITS_KIB = (400_000, 700_000, 1_500_000)
CONNECTIONS, TABS = 1000, 200


def limited(option, number):
    """A command that starts another under `ulimit`."""
    return ["bash", "-c", f'ulimit {option} {number}; exec "$0" "$@"']


def answers(server):
    """Whether who may ask is answered, and how long that took."""
    begin = time.monotonic()
    until = begin + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(OSError, ValueError):
            if server.ask("GET", "/api/v1/about")[0] == 200:
                return time.monotonic() - begin
        time.sleep(0.05)
    raise AssertionError("the server does not answer any more")


def is_sanitized():
    return b"__asan_init" in pathlib.Path(common.PROGRAM).read_bytes()


def test_tabs_that_nobody_closed_lock_nobody_out():
    """Sessions are opened one after the other and forgotten; each gets its picture straight after."""
    with serving(GRAPH) as server:
        first = server.open({"path": str(GRAPH)})
        state = server.act(first, ["policy.mode", "lms2"], ["policy.set", "swapout-threshold", "3"])
        for _ in range(TABS):
            session = server.open({"path": str(GRAPH)})
            status, _, data = server.ask("GET", f"/api/v1/sessions/{session}/picture?view=levels&w=800&h=300")
            assert status == 200, data
        assert server.json("GET", f"sessions/{first}/state", status=404)["error"]["code"] == "no_session"
        again = server.open({"path": str(GRAPH)}, resume=state["resume"])
        assert server.act(again)["graph"]["swaps"] == state["graph"]["swaps"] > 0
        server.end()


def test_a_session_ends_when_its_page_went():
    with serving(GRAPH) as server:
        threads = pathlib.Path(f"/proc/{server.process.pid}/task")
        without_any = len(list(threads.iterdir()))
        kept, left = server.open({"path": str(GRAPH)}), server.open({"path": str(GRAPH)})
        for session in (kept, left):
            server.until_open(session)
        status, _, data = server.ask("POST", f"/api/v1/sessions/{left}/leave", {})
        assert status == 204, data
        assert server.ask("POST", f"/api/v1/sessions/{kept}/leave", {})[0] == 204
        server.act(kept)  # the page was only loaded again
        until = time.monotonic() + PATIENCE
        while len(list(threads.iterdir())) > without_any + 2:  # each session has two for its jobs
            assert time.monotonic() < until, "the session of a closed tab goes on"
            time.sleep(0.1)
        assert server.ask("GET", f"/api/v1/sessions/{left}/state")[0] == 404
        assert server.act(kept)["graph"]
        server.end()


def connect(server, count, bytes_of):
    """Opens `count` connections without a token and keeps the last hundred."""
    held = []
    for i in range(count):
        try:
            held.append(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
            held[-1].sendall(bytes_of(i))
        except OSError:
            pass  # turned away
        while len(held) > 100:
            held.pop(0).close()
    return held


def sent_by_others(i):
    """Nothing; the beginning of a header; a request without a token; one that never takes its answer."""
    return (b"", b"GET / HT", b"GET /api/v1/about HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /front/main.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)[i % 4]


def test_connections_without_a_token_lock_nobody_out():
    """Also where there is no memory or no descriptor for so many."""
    ways = [([], True), (limited("-n", 40), True)]
    if not is_sanitized():
        # The least is too little for a session beside the threads of others, but not for an answer.
        ways += [(limited("-v", limit), limit >= 700_000) for limit in LIMITS_KIB]
    for under, has_room in ways:
        with serving(GRAPH, under=under) as server:
            answers(server)
            held = connect(server, CONNECTIONS, sent_by_others)
            answers(server)  # while they hold their connections
            if has_room:
                server.until_open(server.open({"path": str(GRAPH)}))
            for connection in held:
                connection.close()
            answers(server)
            session = server.open({"path": str(GRAPH)})
            server.until_open(session)
            assert server.act(session, ["policy.mode", "lms2"])["graph"], under
            server.end()


def test_the_folder_of_a_killed_server_is_removed_by_the_next(folder):
    environment = {**os.environ, "TMPDIR": str(folder)}
    with serving(GRAPH, env=environment) as living:
        with serving(GRAPH, env=environment) as killed:
            session = killed.open({"path": str(GRAPH)})
            killed.json("POST", f"sessions/{session}/files", {"kind": "log"}, 201)
            killed.process.kill()
            killed.process.wait()
            assert len(list(folder.iterdir())) == 2, list(folder.iterdir())
        with serving(GRAPH, env=environment) as server:
            assert len(list(folder.iterdir())) == 2, "the orphan stays, or another's folder went"
            server.end()
        # The one that lives has lost nothing.
        session = living.open({"path": str(GRAPH)})
        living.act(session, ["policy.mode", "lms2"])
        assert living.download(session, kind="graph")
        living.end()
    assert not list(folder.iterdir()), list(folder.iterdir())


def test_the_socket_of_a_killed_server_is_replaced_by_the_next(folder):
    folder.chmod(0o700)
    path = folder / "socket"
    with serving("--socket", str(path)) as killed:
        killed.process.kill()
        killed.process.wait()
    assert path.exists()
    with serving("--socket", str(path)) as server:
        assert server.json("GET", "about")["api"] == 1
        # Not that of one that lives.
        second = subprocess.run([common.PROGRAM, "serve", "--socket", str(path)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert second.returncode == 1 and "in use" in second.stderr, second
        assert server.json("GET", "about")["api"] == 1
        server.end(None, 0)
    path.write_text("mine")
    refused = subprocess.run([common.PROGRAM, "serve", "--socket", str(path)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert refused.returncode == 1 and path.read_text() == "mine", refused


def test_hidden_commands_are_refused():
    """A leading blank, or arguments in one word: what runs is what was checked."""
    with serving(GRAPH, "--sessions", "1") as server:
        session = server.open({"path": str(GRAPH)})
        state = server.until_open(session)
        for words in ([" file.quit now"], ["file.quit now"], ["file.quit", "now"], [f" file.open {GRAPH}"], [f"\tfile.open {GRAPH}"],
                      [f" document.open graph {GRAPH}"], [f" document.open checkpoint {GRAPH}"], [" checkpoint.backends"],
                      ["\u00a0file.quit now"], ["", "file.quit"], ["FILE.QUIT"]):
            said = server.act(session, words, status=422)
            assert said["state"]["graph"] == state["graph"], (words, said)
        assert server.act(session)["graph"] == state["graph"]
        server.end(signal.SIGTERM)


def main():
    with common.temporary_folder() as name:
        for test_name, test in list(globals().items()):
            if not test_name.startswith("test_"):
                continue
            begin = time.monotonic()
            if test.__code__.co_argcount:
                folder = pathlib.Path(name) / test_name[-30:]
                folder.mkdir()
                test(folder)
            else:
                test()
            print(f"{test_name}: {time.monotonic() - begin:.1f} s", flush=True)


main()

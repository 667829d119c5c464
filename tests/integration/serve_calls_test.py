"""What `tideline serve` reads and writes, by its system calls: while a page opens, uploads, downloads and asks for what it
must not have, nothing outside of the given folders is read but libraries and what Linux says of the machine, and
nothing is written but below --write and, for downloads, in a folder of $TMPDIR that is gone afterwards. And what the
program itself refuses."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sys
import threading
import time

import common
from server import GRAPH, PATIENCE, memory_of, raw, serving

SKIPPED = 77
# What a program on Linux reads anyway.
OPEN_TO_ALL = re.compile(r"/(lib|lib64|usr|proc|sys|dev)(/|$)|/etc/(ld\.so\..*|localtime|nsswitch\.conf|host\.conf|hosts|resolv\.conf|gai\.conf)$")
CALL = re.compile(r"(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?")
WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")
CHANGES = ("rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "link", "linkat", "symlink",
           "symlinkat", "truncate", "chmod", "fchmodat", "mknod", "mknodat", "creat")
TRACED = ",".join(("open", "openat", "openat2", "execve", *(f"?{name}" for name in CHANGES)))


def ask_for_everything(server, folder, graph):
    """What a page does, and what a page of somebody else would like to do."""
    session = server.open({"path": str(graph)})
    server.until_open(session)
    server.act(session, ["policy.mode", "lms2"])
    server.json("GET", f"sessions/{session}/picture?view=levels&w=800&h=300&font=15")
    for kind in ("graph", "log", "csv", "plan"):
        server.download(session, kind=kind)
    status, _, data = server.ask("POST", "/api/v1/uploads?name=../../mine.meta", graph.read_bytes())
    assert status == 201, data
    upload = server.open({"upload": json.loads(data)["upload"]})
    server.until_open(upload)
    server.json("GET", "sources")
    server.act(session, ["file.write", "written.meta"])
    for name in ("../written.meta", "/tmp/written.meta", "a/b", ".hidden", ""):
        assert server.act(session, ["file.write", name], status=422)["error"], name
    wanted = [str(folder / "secret.meta"), f"{graph.parent}/../secret.meta", "/etc/passwd", "/proc/self/environ", "../secret.meta",
              f"{graph.parent}/out.meta", f"{graph.parent}/%2e%2e/secret.meta", f"{graph.parent}//..//secret.meta", "file:///etc/passwd",
              f"{graph.parent}/links", "a\0b", f"{graph.parent}/./../given/../secret.meta"]
    for path in wanted:
        answer = server.json("POST", "sessions", {"source": {"path": path}}, 422)
        assert answer["error"]["code"] == "not_found", (path, answer)
    for path in ("/etc/passwd", "/front/../../secret.meta", "/front/%2e%2e/%2e%2e/secret.meta", "/%2fetc%2fpasswd", "//etc/passwd"):
        assert server.ask("GET", path)[0] in (400, 404), path
    for words in (["measure.open", "/etc/passwd"], ["profile.set", "/etc/passwd"], ["checkpoint.backends", "/tmp/x.so"], ["file.open", "/etc/passwd"]):
        assert server.act(session, words, status=422)["error"], words
    secret = folder / "secret.meta"
    switched_while_it_is_opened(server, graph.parent, "switched.meta", lambda path: os.symlink("graph.meta", path), secret)
    # A name that is checked while it is a file and read when it is a link: only the kernel sees that.
    switched_while_it_is_opened(server, graph.parent, "replaced.meta", lambda path: os.link(graph, path), secret)


def switched_while_it_is_opened(server, given, name, harmless, secret):
    """`name` leads to a file of the folder, as `harmless` makes it, and out of it by turns."""
    path, ends = given / name, threading.Event()

    def switch():
        turn = 0
        while not ends.is_set():
            turn += 1
            with contextlib.suppress(FileNotFoundError):
                os.unlink(given / "next")
            if turn % 2:
                harmless(given / "next")
            else:
                os.symlink(secret, given / "next")
            os.rename(given / "next", path)

    harmless(path)
    thread = threading.Thread(target=switch)
    thread.start()
    try:
        for _ in range(60):
            status, _, data = server.ask("POST", "/api/v1/sessions", {"source": {"path": str(path)}})
            if status == 201:
                server.ask("DELETE", f"/api/v1/sessions/{json.loads(data)['id']}")
    finally:
        ends.set()
        thread.join()


def test_only_given_folders_are_touched(folder):
    strace = shutil.which("strace")
    if not strace:
        print("SKIP: no strace (Debian: strace)")
        sys.exit(SKIPPED)
    given, out, spool = folder / "given", folder / "out", folder / "spool"
    for made in (given, out, spool):
        made.mkdir()
    shutil.copy(GRAPH, given / "graph.meta")
    shutil.copy(GRAPH, folder / "secret.meta")
    os.symlink("../secret.meta", given / "out.meta")
    (given / "links").mkdir()
    os.symlink("../../secret.meta", given / "links/events.out.tfevents.1")
    trace = folder / "trace"
    with serving(given, "--write", out, under=(strace, "-D", "-f", "-y", "-s", "4096", "-e", f"trace={TRACED}", "-o", trace),
                 env={**os.environ, "TMPDIR": str(spool)}) as server:
        ask_for_everything(server, folder, given / "graph.meta")
        is_confined = "Landlock" not in server.end(signal.SIGTERM)
    until = time.monotonic() + PATIENCE
    while not re.search(rf"^{server.process.pid} .*\+\+\+", trace.read_text(errors="replace"), re.M):
        assert time.monotonic() < until, "strace does not end"
        time.sleep(0.05)
    assert (out / "written.meta").exists() and not list(folder.glob("written*")) and not list(spool.iterdir())
    calls = [match.groups() for match in map(CALL.match, trace.read_text(errors="replace").splitlines()) if match]
    # What the kernel refused is what the check by name let pass.
    passed = [call for call in calls if "replaced.meta" in call[1] and call[0] == "openat" and int(call[2]) < 0]
    assert passed or not is_confined, "no name changed between its check and its reading"
    opened = [(name, arguments, path) for name, arguments, result, path in calls if name.startswith("open") and int(result) >= 0]
    assert len(opened) > 50, "nothing was traced"
    for name, arguments, path in opened:
        path = (path or "").removesuffix(" (deleted)")
        is_written = WRITES.search(arguments)
        if path.startswith((str(out), str(spool), "/memfd:", "anon_inode:", "socket:", "pipe:")):
            continue
        assert not is_written or path in ("/dev/null", "/dev/tty"), (name, arguments, path)
        # Where a link leads is found out by name (O_PATH) before it is refused; that reads nothing of it.
        assert path.startswith(str(given)) or OPEN_TO_ALL.match(path) or "O_PATH" in arguments or "O_DIRECTORY" in arguments, (name, arguments, path)
        assert "secret" not in path or not is_confined and "replaced.meta" in arguments, (name, arguments)
    for name, arguments, result, _ in calls:
        if name in CHANGES and int(result) >= 0:
            assert str(out) in arguments or str(spool) in arguments, (name, arguments)
        assert name != "execve" or "tideline" in arguments, arguments


def head(server, line, *fields):
    return "\r\n".join([line, f"Host: localhost:{server.port}", f"Authorization: Bearer {server.token}", "Connection: close", *fields, "", ""]).encode()


def test_what_is_refused(folder):
    """Over a socket, as others would send it."""
    with serving(GRAPH) as server:
        session = server.open({"path": str(GRAPH)})
        server.until_open(session)
        before = memory_of(server.process)
        api = f"/api/v1/sessions/{session}"
        for line, fields, body, expected in (
                (f"GET {api}/picture?view=levels&w=8193&h=300 HTTP/1.1", (), b"", b"422"),
                (f"GET {api}/picture?view=levels&w=800&h=8193 HTTP/1.1", (), b"", b"422"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: 2", "Content-Length: 3"), b"{}", b"400"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: -1",), b"{}", b"400"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: 18446744073709551616",), b"{}", b"400"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: 9999999999",), b"{}", b"413"),
                (f"POST {api}/act HTTP/1.1", ("Transfer-Encoding: chunked",), b"2\r\n{}\r\n0\r\n\r\n", b"411"),
                (f"POST {api}/act HTTP/1.1", ("Content-Length: 30000",), b"[" * 30000, b"400"),
                (f"POST {api}/act HTTP/1.1", ("Host: example.org", "Content-Length: 2"), b"{}", b"421"),
                ("GET /api/v1/about HTTP/1.1", ("Origin: null",), b"", b"403"),
                ("GET /api/v1/about HTTP/1.1", ("Origin: http://example.org",), b"", b"403"),
                ("GET /api/v1/about HTTP/1.1", ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"), b"", b"403"),
                ("POST /api/v1/sessions HTTP/1.1", ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Content-Length: 2"), b"{}", b"403"),
                ("OPTIONS /api/v1/sessions HTTP/1.1", ("Origin: http://example.org", "Access-Control-Request-Method: POST"), b"", b"403"),
                ("TRACE / HTTP/1.1", (), b"", b"404"), ("GET / HTTP/9.9", (), b"", b"400"), ("nonsense", (), b"", b"400")):
            answer = raw(server, head(server, line, *fields) + body)
            assert answer.startswith(b"HTTP/1.1 " + expected), (line, fields, answer[:300])
            assert b"Access-Control" not in answer, answer
        for _ in range(7):
            server.open({"path": str(GRAPH)})
        assert server.json("POST", "sessions", {"source": {"path": str(GRAPH)}}, 429)["error"]["message"]
        assert memory_of(server.process) - before < 64 << 20
        server.end()


def main():
    with common.temporary_folder() as name:
        for test_name, test in list(globals().items()):
            if test_name.startswith("test_"):
                folder = pathlib.Path(name).resolve() / test_name
                folder.mkdir()
                test(folder)
                print(test_name, flush=True)


main()

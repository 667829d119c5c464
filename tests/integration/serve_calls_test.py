"""What `tideline serve` reads and writes, by its system calls: while a page opens, uploads, downloads and asks for what it
must not have, nothing outside of the given folders is read but libraries, the lessons that come along and what Linux says
of the machine, and nothing is written but below --write and, for downloads, in a folder of $TMPDIR that is gone afterwards."""
import contextlib
import ctypes
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
from server import GRAPH, PATIENCE, serving

SKIPPED = 77
# What a program on Linux reads anyway.
OPEN_TO_ALL = re.compile(r"/(lib|lib64|usr|proc|sys|dev)(/|$)|/etc/(ld\.so\..*|localtime|nsswitch\.conf|host\.conf|hosts|resolv\.conf|gai\.conf)$")
# The lessons that come with the program, and their graphs.
LESSONS = pathlib.Path(__file__).resolve().parents[2] / "assets/tutorials/lessons"
OWN = {str(path) for ending in ("lesson", "meta") for path in LESSONS.glob(f"*.{ending}")}
CALL = re.compile(r"(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?(?: (E\w+))?")
WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")
CHANGES = ("rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "link", "linkat", "symlink",
           "symlinkat", "truncate", "chmod", "fchmodat", "mknod", "mknodat", "creat")
TRACED = ",".join(("open", "openat", "openat2", "execve", *(f"?{name}" for name in CHANGES)))


def ask_for_everything(server, folder, graph, trace):
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
    switched_while_it_is_opened(server, graph.parent, "replaced.meta", lambda path: os.link(graph, path), secret,
                                lambda: not kernel_confines() or refused_by_the_kernel(trace))


def switched_while_it_is_opened(server, given, name, harmless, secret, is_enough=lambda: True):
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
        for tries in range(1, 1501):
            status, _, data = server.ask("POST", "/api/v1/sessions", {"source": {"path": str(path)}})
            if status == 201:
                server.ask("DELETE", f"/api/v1/sessions/{json.loads(data)['id']}")
            if tries % 60 == 0 and is_enough():  # on a busy machine the moment comes seldom
                break
    finally:
        ends.set()
        thread.join()


def refused_by_the_kernel(trace):
    """What the check by name let pass, as its arguments."""
    calls = [match.groups() for match in map(CALL.match, trace.read_text(errors="replace").splitlines()) if match]
    return [call for call in calls if "replaced.meta" in call[1] and call[0] == "openat" and call[4] == "EACCES"]


def kernel_confines():
    """Whether there is Landlock: the version of landlock_create_ruleset."""
    return ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) >= 1


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
        ask_for_everything(server, folder, given / "graph.meta", trace)
        is_confined = kernel_confines()
        assert ("Landlock" in server.end(signal.SIGTERM)) is not is_confined
    until = time.monotonic() + PATIENCE
    while not re.search(rf"^{server.process.pid} .*\+\+\+", trace.read_text(errors="replace"), re.M):
        assert time.monotonic() < until, "strace does not end"
        time.sleep(0.05)
    assert (out / "written.meta").exists() and not list(folder.glob("written*")) and not list(spool.iterdir())
    calls = [match.groups() for match in map(CALL.match, trace.read_text(errors="replace").splitlines()) if match]
    assert refused_by_the_kernel(trace) or not is_confined, "no name changed between its check and its reading"
    opened = [(name, arguments, path) for name, arguments, result, path, _ in calls if name.startswith("open") and int(result) >= 0]
    assert len(opened) > 50, "nothing was traced"
    for name, arguments, path in opened:
        path = (path or "").removesuffix(" (deleted)")
        is_written = WRITES.search(arguments)
        if path.startswith((str(out), str(spool), "/memfd:", "anon_inode:", "socket:", "pipe:")):
            continue
        assert not is_written or path in ("/dev/null", "/dev/tty"), (name, arguments, path)
        # Where a link leads is found out by name (O_PATH) before it is refused; that reads nothing of it.
        is_open = path.startswith(str(given)) or OPEN_TO_ALL.match(path) or path in OWN
        assert is_open or "O_PATH" in arguments, (name, arguments, path)
        assert "secret" not in path or not is_confined and "replaced.meta" in arguments, (name, arguments)
    for name, arguments, result, *_ in calls:
        if name in CHANGES and int(result) >= 0:
            assert str(out) in arguments or str(spool) in arguments, (name, arguments)
        assert name != "execve" or "tideline" in arguments, arguments


def main():
    with common.temporary_folder() as name:
        for test_name, test in list(globals().items()):
            if test_name.startswith("test_"):
                folder = pathlib.Path(name).resolve() / test_name
                folder.mkdir()
                test(folder)
                print(test_name, flush=True)


main()

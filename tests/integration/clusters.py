"""Servers of TensorFlow on the loopback, started by `tideline cluster start`, for tests."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

import common

PATIENCE_S = 120


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def cluster_file(path, **jobs):
    """A file with as many tasks as `jobs` says, on free ports. What it holds is returned, too."""
    ports = iter(free_ports(sum(jobs.values())))
    cluster = {job: [f"127.0.0.1:{next(ports)}" for _ in range(count)] for job, count in jobs.items()}
    path.write_text(json.dumps({"cluster": cluster}), encoding="utf-8")
    return cluster


class Servers:
    """`cluster start` with these options, until the end of the `with`."""

    def __init__(self, path, *words):
        self.path, self.words, self.process_of = path, words, {}

    def __enter__(self):
        self.starter = subprocess.Popen([common.PROGRAM, "cluster", "start", str(self.path), *map(str, self.words)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in self.starter.stdout:
            if line.startswith("all are there"):
                return self
            task, rest = line.split(" at ")
            self.process_of[task] = int(rest.split("process ")[1].split(",")[0])
        raise AssertionError(f"the servers did not start: {self.starter.communicate()}")

    def __exit__(self, *_):
        self.starter.send_signal(signal.SIGINT)
        _, self.said = self.starter.communicate(timeout=PATIENCE_S)
        self.code = self.starter.returncode
        wait_for("the servers end", lambda: not any(map(is_alive, self.process_of.values())))

    def kill(self, task, number=signal.SIGKILL):
        os.kill(self.process_of[task], number)


def is_alive(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.02)


def listening(port):
    """The addresses on which somebody listens on the port."""
    found = set()
    for table in ("tcp", "tcp6"):
        for line in pathlib.Path(f"/proc/net/{table}").read_text(encoding="utf-8").splitlines()[1:]:
            local, state = line.split()[1], line.split()[3]
            address, at = local.rsplit(":", 1)
            if state == "0A" and int(at, 16) == port:
                found.add(address)
    return found

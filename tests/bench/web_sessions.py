#!/usr/bin/env python3
"""Memory of `tideline serve` with one and with two sessions of the same graph: web_sessions.py TIDELINE GRAPH

MiB (proportional set size), once each has a policy and once each has moved a slider six times.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration"))
from server import serving

PICTURES = [{"view": "levels", "w": 700, "h": 470, "font": 15}, {"view": "memory", "w": 700, "h": 175, "font": 15}]


def memory(server):
    rollup = pathlib.Path(f"/proc/{server.process.pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss:\s+(\d+)", rollup, re.M)[1]) / 1024


def act(server, session, *actions):
    if server.act(session, *actions, pictures=PICTURES)["busy"]:
        server.until_open(session)


def measure(server, graph, threshold, moves):
    """Memory with one more session that has a policy and moved a slider so many times."""
    session = server.open({"path": graph})
    server.until_open(session)
    act(server, session, ["policy.mode", "lms2"], ["policy.set", "swapout-threshold", str(threshold)])
    for i in range(moves):
        act(server, session, ["policy.set", "swapout-threshold", str(200 + 50 * i)])
    return memory(server)


def main():
    graph = str(pathlib.Path(sys.argv[2]).resolve())
    for what, moves in (("with a policy", 0), ("used", 6)):
        with serving(graph) as server:
            one, two = measure(server, graph, 100, moves), measure(server, graph, 300, moves)
            server.end()
        print(f"{what}: one session {one:.0f} MiB, two {two:.0f}, {two / one:.2f} times")


if __name__ == "__main__":
    main()

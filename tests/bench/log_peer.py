#!/usr/bin/env python3
"""Time of TensorBoard's own server (rustboard) and of ours on the same event log, best of five in turns.

    log_peer.py TIDELINE LOGDIR

Needs the pip package tensorboard-data-server. The peer is started with --checksum and --reload once; its
load cycle is over when its CPU time stands still. Ours is the whole process of `log ls`.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROUNDS = 5


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peer(server, logdir):
    with tempfile.TemporaryDirectory() as folder:
        start = time.time()
        process = subprocess.Popen([server, "--logdir", logdir, "--port", "0", "--port-file", folder + "/port",
                                    "--reload", "once", "--checksum"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            cpu, changed = 0.0, time.time()
            while time.time() - changed < 1.5 or cpu < 0.5:
                time.sleep(0.01)
                now = cpu_seconds(process.pid)
                if now != cpu:
                    cpu, changed = now, time.time()
                if time.time() - start > 300:
                    sys.exit("the peer does not come to an end")
            return changed - start, cpu
        finally:
            process.terminate()
            process.wait()


def ours(program, logdir):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.time()
    subprocess.run([program, "log", "ls", logdir], check=True, stdout=subprocess.DEVNULL)
    wall = time.time() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    program, logdir = sys.argv[1:]
    import tensorboard_data_server
    server = tensorboard_data_server.server_binary()
    rounds = [(peer(server, logdir), ours(program, logdir)) for _ in range(ROUNDS)]
    for theirs, mine in rounds:
        print(f"peer {theirs[0]:.2f} s wall, {theirs[1]:.2f} s CPU; ours {mine[0]:.2f} s wall, {mine[1]:.2f} s CPU")
    best = [min(each[side][part] for each in rounds) for side in (0, 1) for part in (0, 1)]
    print(f"best: peer {best[0]:.2f} s, {best[1]:.2f} CPU; ours {best[2]:.2f} s, {best[3]:.2f} CPU; "
          f"wall ratio {best[0] / best[2]:.1f}; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    sys.exit(main())

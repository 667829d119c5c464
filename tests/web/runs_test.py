#!/usr/bin/env python3
"""Runs of a real TensorBoard and what becomes of them: blobs arrive byte for byte, whatever way TensorBoard reads its logs, and
nothing is left of a TensorBoard that was killed. The program is a stand-in that names an upload by its SHA-256.
Arguments: the environment (latest without any), and whether a graph of 25 MB is among the logs."""
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import urllib.request

import board
import common

STAND_IN = pathlib.Path(__file__).resolve().parent / "stand_in.py"
ENVIRONMENT = sys.argv[2] if len(sys.argv) > 2 else "latest"
MANY = 1000 if "large" in sys.argv else 10


def graph_of(large):
    """A GraphDef with constants of these sizes, serialized as TensorFlow would."""
    from tensorboard.compat.proto import graph_pb2, types_pb2
    graph = graph_pb2.GraphDef()
    for i, size in enumerate(large):
        node = graph.node.add(name=f"scope/constant_{i}", op="Const")
        node.attr["dtype"].type = types_pb2.DT_FLOAT
        tensor = node.attr["value"].tensor
        tensor.dtype = types_pb2.DT_FLOAT
        tensor.tensor_shape.dim.add(size=size // 4)
        tensor.tensor_content = struct.pack("<I", i) * (size // 4)
    return graph.SerializeToString()


def write_log(folder, graph):
    from tensorboard.compat.proto import event_pb2
    from tensorboard.summary.writer import record_writer
    folder.mkdir(parents=True)
    with open(folder / "events.out.tfevents.1.host", "wb") as file:
        writer = record_writer.RecordWriter(file)
        for event in (event_pb2.Event(wall_time=1, file_version="brain.Event:2"), event_pb2.Event(wall_time=1, graph_def=graph)):
            writer.write(event.SerializeToString())
        writer.flush()


def post(served, path, body):
    host = served.url.split("/")[2]
    request = urllib.request.Request(served.url + path, json.dumps(body).encode(), {
        "Content-Type": "application/json", "X-Tideline": "1", "Origin": "http://" + host})
    return json.loads(urllib.request.urlopen(request, timeout=60).read())


def blobs_arrive_as_logged(served, logged):
    def listed():
        rows = json.loads(served.get("data/plugin/tideline/sources"))["graphs"]
        return rows if len(rows) == len(logged) else None
    rows = common.wait("TensorBoard has read the logs", listed, patience=120)
    for row in rows:
        assert row["path"] == "tensorboard:graphs", row
        sent = json.loads(post(served, "data/plugin/tideline/open", {"source": row})["body"])
        assert sent["source"]["upload"] == logged[row["run"]], row["run"]
    plugins = json.loads(served.get("data/plugins_listing"))
    assert plugins["tideline"]["enabled"], "the tab is there when a run has a graph"


def data_server(folder, logs):
    """(process, address) of a data server as it would run elsewhere."""
    import tensorboard_data_server
    port = folder / "port"
    process = subprocess.Popen([tensorboard_data_server.server_binary(), "--logdir", logs, "--port", "0", "--port-file", port,
                                "--reload", "1", "--die-after-stdin"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    common.wait("the data server listens", lambda: port.exists() and port.read_text().strip())
    return process, f"localhost:{port.read_text().strip()}"


def killed_tensorboard_leaves_nothing(served, folder):
    pid = json.loads(served.get("data/plugin/tideline/page/main.js"))["pid"]
    # Besides what TensorBoard itself leaves when it is killed.
    assert not [path for path in served.tmp.iterdir() if path.name.startswith("tideline")]
    assert os.path.exists(f"/proc/{pid}")
    served.kill()
    common.wait("the program ends", lambda: not board.is_running(pid))
    assert not [path for path in folder.rglob("*") if path.is_socket()]


def main():
    common.enter(ENVIRONMENT, browser=False)
    with common.temporary_folder() as name:
        folder = pathlib.Path(name).resolve()
        os.environ["STAND_IN"] = json.dumps({"answers": {"/api/v1/sources": [404, {}, '{"error": {"code": "not_found", "message": ""}}']}})
        graphs = {"six": graph_of([6_000_000]), "many/large": graph_of([25_000, 40] * MANY), "small": graph_of([4])}
        logged = {run: hashlib.sha256(graph).hexdigest() for run, graph in graphs.items()}
        logs = folder / "logs"
        for run, graph in graphs.items():
            write_log(logs / run, graph)
        assert len(graphs["six"]) > 6e6 and len(graphs["many/large"]) > 25_000 * MANY
        process, address = data_server(folder, logs)
        ways = {"fast": ["--logdir", logs], "slow": ["--logdir", logs, "--load_fast=false"],
                "elsewhere": [f"--grpc_data_provider={address}"]}
        for way, flags in ways.items():
            with board.TensorBoard(sys.executable, folder, *flags, program=STAND_IN) as served:
                blobs_arrive_as_logged(served, logged)
                print(way, flush=True)
                if way == "fast":
                    killed_tensorboard_leaves_nothing(served, folder)
        named = {f"a/{run}": digest for run, digest in logged.items()}
        with board.TensorBoard(sys.executable, folder, f"--logdir_spec=a:{logs}", "--path_prefix=/some/where", program=STAND_IN) as served:
            assert "/some/where/" in served.url, served.url
            blobs_arrive_as_logged(served, named)
        process.stdin.close()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())

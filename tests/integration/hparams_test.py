#!/usr/bin/env python3
"""Hyperparameters and metrics of logs are those that TensorBoard's page HPARAMS gets from its own reader."""
import json
import math
import subprocess
import sys

import common

# Prints for every session: status, hyperparameters, and (name, value, step) of its metrics.
READ = """
import json, os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
from tensorboard import context
from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.plugins import base_plugin
from tensorboard.plugins.hparams import api_pb2, backend_context, list_session_groups

logdir = sys.argv[1]
runs = plugin_event_multiplexer.EventMultiplexer()
runs.AddRunsFromDirectory(logdir)
runs.Reload()
backend = backend_context.Context(base_plugin.TBContext(data_provider=data_provider.MultiplexerDataProvider(runs, logdir)))
request = context.RequestContext()
metadata = backend.hparams_metadata(request, "x")
found = backend.experiment_from_metadata(request, "x", True, metadata, backend.hparams_from_data_provider(request, "x", 10))
wanted = api_pb2.ListSessionGroupsRequest(slice_size=100, allowed_statuses=[0, 1, 2, 3])
for metric in found.metric_infos:
    wanted.col_params.add().metric.CopyFrom(metric.name)
answer = {}
for group in list_session_groups.Handler(request, backend, "x", wanted).run().session_groups:
    values = {name: getattr(value, value.WhichOneof("kind")) for name, value in group.hparams.items()}
    for session in group.sessions:
        metrics = {(m.name.group + "/" if m.name.group else "") + m.name.tag: [m.value, m.training_step]
                   for m in session.metric_values}
        answer[session.name] = [session.status, values, metrics]
print(json.dumps(answer))
"""

STATUS = ["unknown", "success", "failure", "running"]


def number(value):
    return float("nan") if value == "NaN" else value


def same(one, other):
    return one == other or (math.isnan(one) and math.isnan(other))


def main():
    common.need_tensorflow()
    rows = 0
    for name in ("hparams", "hparams_alone"):
        logdir = str(common.DATA / "foreign/logs" / name)
        done = subprocess.run([common.TENSORFLOW, "-c", READ, logdir], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        theirs = json.loads(done.stdout)
        ours = {row["run"]: row for row in json.loads(common.tideline("log", "hparams", logdir, "--json").stdout)["runs"]}
        assert sorted(ours) == sorted(theirs), (sorted(ours), sorted(theirs))
        for run, (status, values, metrics) in theirs.items():
            assert ours[run]["status"] == STATUS[status], (run, ours[run]["status"], status)
            assert ours[run]["hparams"] == values, (run, ours[run]["hparams"], values)
            assert sorted(ours[run]["metrics"]) == sorted(metrics), (run, metrics)
            for metric, (value, step) in metrics.items():
                own = ours[run]["metrics"][metric]
                assert same(number(own["value"]), value) and own["step"] == step, (run, metric, own, value, step)
            rows += 1
    assert rows == 4, rows
    print(f"{rows} runs as TensorBoard lists them")


if __name__ == "__main__":
    sys.exit(main())

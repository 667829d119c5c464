"""What TensorBoard shows that can be opened: rows as `tideline serve` lists them, and what each is for the program. Runs in
folders of this machine are read by the program itself, which finds more than TensorBoard does (MetaGraphs, functions,
partitions). All other runs (remote storage, a data server elsewhere) come through TensorBoard as blobs."""
import os
import re
from urllib.parse import quote

from tensorboard import plugin_util
from tensorboard.data import provider

from .program import Refused, answers

# What has graphs for TensorBoard, and the table in which a blob of it stands here (none: the program finds those in logs).
KINDS = {"graphs": "graphs", "graph_run_metadata": "traces", "graph_tagged_run_metadata": "traces",
         "graph_run_metadata_graph": None}
ADDRESS = re.compile(r"[a-zA-Z][0-9a-zA-Z.]*://")
FIELDS = ("path", "run", "tag", "function")


def log_folders(flags):
    """[(name, folder)] of --logdir or --logdir_spec, as TensorBoard reads them, without what is not of this machine."""
    spec = getattr(flags, "logdir_spec", "")
    given = [split(part) for part in spec.split(",")] if spec else [("", getattr(flags, "logdir", ""))]
    return [(name, os.path.realpath(os.path.expanduser(folder))) for name, folder in given
            if folder and not ADDRESS.match(folder)]


def split(part):
    """`name:folder`; no name stands before an address or an absolute path, which may have colons itself."""
    name, colon, folder = part.partition(":")
    return (name, folder) if colon and not part.startswith("/") and not ADDRESS.match(part) else ("", part)


def key_of(row):
    return tuple(str(row.get(field) or "") for field in FIELDS)


def where_of(environ):
    return {"ctx": plugin_util.context(environ), "experiment_id": plugin_util.experiment_id(environ)}


class Sources:
    """Thread: any; the rows of the last listing are replaced as a whole."""

    def __init__(self, data_provider, flags):
        self._provider, self._folders = data_provider, log_folders(flags)
        self._known = {"graphs": {}, "traces": {}}

    def options(self):
        """What lets the program read the folders that are there."""
        return [word for _, folder in self._folders if os.path.isdir(folder) for word in ("--open", folder)]

    def list(self, environ, ask):
        """What the page gets. `ask(method, path, body)` gives the program's answer as JSON."""
        known, runs = {"graphs": {}, "traces": {}}, set()
        for name, folder in self._folders:
            try:
                found = ask("GET", "/api/v1/sources?folder=" + quote(folder))
            except Refused as refusal:
                if refusal.status >= 500:
                    raise
                found = {}  # came after the program, or has links that lead out of it: TensorBoard reads its runs
            with answers():
                for table, rows in known.items():
                    for row in (row for row in found.get(table, ()) if row.get("run")):  # others are files beside the logs
                        rows[key_of(row)] = row, True
                        runs.add(os.path.join(name, row["run"]))
        where = where_of(environ)
        for kind, table in KINDS.items() if self._provider else ():
            try:
                listed = self._provider.list_blob_sequences(plugin_name=kind, **where) if table else {}
            except KeyError:
                continue  # TensorBoard is just reading the first of them
            for run, tags in listed.items():
                for tag, series in tags.items() if run not in runs else ():
                    row = {"path": "tensorboard:" + kind, "run": run, "tag": tag, "function": "", "kind": kind}
                    known[table][key_of(row)] = {**row, "step": series.max_step}, False
        self._known = known
        return {"folder": "", "folders": [], **{table: [row for row, _ in rows.values()] for table, rows in known.items()}}

    def resolve(self, environ, ask, table, key):
        """What the program takes as source or trace for a row of the page. Errors: Refused for what is not listed."""
        if key not in self._known[table]:
            self.list(environ, ask)
        if key not in self._known[table]:
            raise Refused(f"run '{key[1]}', tag '{key[2]}': TensorBoard lists none such", 404, "not_found")
        row, is_here = self._known[table][key]
        if is_here:
            return {field: row[field] for field in FIELDS if row.get(field)}
        found = ask("POST", "/api/v1/uploads?name=" + quote(row["run"], safe=""), self._blob(environ, row))
        with answers():
            return {"upload": found["upload"], "document": "graph"}  # whatever the run is called

    def measured(self, key):
        """The last traced step of a run that comes as a blob, or None: in a log the program finds it itself."""
        steps = [(row["step"], other) for other, (row, is_here) in self._known["traces"].items()
                 if not is_here and row["run"] == key[1] and key[0] == "tensorboard:graphs"]
        return max(steps)[1] if steps else None

    def _blob(self, environ, row):
        wanted, where = provider.RunTagFilter(runs=[row["run"]], tags=[row["tag"]]), where_of(environ)
        found = self._provider.read_blob_sequences(plugin_name=row["kind"], downsample=1, run_tag_filter=wanted, **where)
        blobs = [blob for datum in found.get(row["run"], {}).get(row["tag"], ()) for blob in datum.values]
        if not blobs:
            raise Refused(f"run '{row['run']}', tag '{row['tag']}': TensorBoard no longer has it", 404, "not_found")
        return self._provider.read_blob(where["ctx"], blob_key=blobs[0].blob_key)

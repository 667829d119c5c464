"""The valid inputs that are mutated: files and folders of the repository, each with its kind and with names in it that
options can ask for."""
import dataclasses
import functools
import pathlib
import re
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parents[2]
DATA = ROOT / "tests/data"
CASES = ROOT / "tests/golden/cases"
CORPUS = ROOT / "tests/fuzz/corpus"
# Larger ones take longer than they teach; their formats are those of smaller ones.
MOST_BYTES = 250_000

WORD = re.compile(rb"[A-Za-z][\w./-]{2,60}")


@dataclasses.dataclass(frozen=True)
class Input:
    """A file, or a folder as several files; `kind` says how the first one is mutated."""
    name: str
    kind: str
    files: tuple  # (path in the folder or "", content)

    @property
    def content(self):
        return self.files[0][1]

    @functools.cached_property
    def words(self):
        """What looks like names of ops, scopes and types."""
        return sorted({word.decode() for word in WORD.findall(self.content[:100_000])})[:2000] or ["none"]


def file_input(path, kind):
    return Input(path.name, kind, (("", path.read_bytes()),))


def folder_input(path, first, kind):
    paths = sorted((inner for inner in path.rglob("*") if inner.is_file()), key=lambda inner: (inner.name != first, inner))
    assert paths[0].name == first, path
    return Input(path.name, kind, tuple((str(inner.relative_to(path)), inner.read_bytes()) for inner in paths))


def graph_kind(path):
    return "text" if path.suffix == ".pbtxt" else "wire"


def small(paths):
    return sorted(path for path in paths if path.is_file() and path.stat().st_size <= MOST_BYTES)


def all_graphs():
    places = (ROOT / "assets/samples", DATA / "graphs", DATA / "savers", CASES)
    files = [path for place in places for path in place.iterdir() if path.suffix in (".pb", ".pbtxt", ".meta")]
    found = [file_input(path, graph_kind(path)) for path in small(files)]
    models = DATA / "saved_models"
    found += [folder_input(models / name, "saved_model.pb", "wire") for name in ("train_step", "two_graphs")] * 4
    found += [file_input(path, "events") for path in small([*CASES.glob("*.events"), *(CORPUS / "events").glob("log_*"),
                                                            CORPUS / "events/real_trace_head"])]
    found += [folder_input(DATA / "logs/tf2_keras", path.name, "events")
              for path in (DATA / "logs/tf2_keras").rglob("*.v2")] * 4
    return found


def odd_graphs():
    """Made by hand or by the fuzzer for one case each; many are refused as they are."""
    return [file_input(path, kind) for reader, kind in (("wire_scan", "wire"), ("saved_model", "wire"), ("pbtxt", "text"))
            for path in small((CORPUS / reader).iterdir())]


def npy(descr, shape, content):
    header = str({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


def feeds():
    return [Input("x.npy", "npy", (("", npy("<f4", (4, 8, 32), bytes(4 * 8 * 32 * 4))),)),
            Input("y.npy", "npy", (("", npy("<i8", (4, 8), bytes(4 * 8 * 8))),)),
            Input("z.npy", "npy", (("", npy("|b1", (), b"\1")),))]


LMS2 = ("lms2", "--swapout-threshold", "5", "--swapin-ahead", "2", "--swapin-groupby", "2")


def planned(program, graph, *words):
    """A graph with a plan of a rewriter for it."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "graph").write_bytes(graph.content)
        subprocess.run([program, "rewrite", words[0], "graph", "--plan-json", "plan.json", "--quiet", *words[1:]],
                       cwd=folder, check=True, stderr=subprocess.DEVNULL)
        return graph, Input("plan.json", "json", (("", (place / "plan.json").read_bytes()),))


def checkpoints(program):
    """Those of the repository, and the small one in other formats, each with the name that it is opened by."""
    place = DATA / "checkpoints"
    found = [(folder_input(place / name, "ckpt.index", "index"), "/ckpt") for name in ("small", "sliced")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for out in ("all.safetensors", "values/"):
            subprocess.run([program, "checkpoint", "convert", place / "small/ckpt", "-o", out, "--quiet"], cwd=folder,
                           check=True, stderr=subprocess.DEVNULL)
        found.append((file_input(folder / "all.safetensors", "safetensors"), ""))
        first = min(path.name for path in (folder / "values").rglob("*.npy"))
        found.append((folder_input(folder / "values", first, "npy"), "/"))
    return found


class Inputs:
    """All of them, by what they are for."""

    def __init__(self, program):
        self.graphs = all_graphs()
        self.odd_graphs = odd_graphs()
        self.trainable = file_input(DATA / "graphs/mlp.meta", "wire")
        self.plans = [file_input(path, "json") for path in small((CASES / "plans").iterdir())]  # for small graphs there
        self.profiles = [file_input(path, "json") for path in small((CASES / "profiles").iterdir())]
        self.traces = [file_input(path, "wire") for path in small([*(CORPUS / "run_metadata").iterdir(),
                                                                   *(DATA / "logs").rglob("*.runmeta.pb")])
                       if path.stat().st_size > 0] + [file_input(CASES / "measured.trace.pbtxt", "text")]
        self.planned = [planned(program, self.trainable, *LMS2), planned(program, file_input(DATA / "graphs/cond.meta", "wire"), *LMS2),
                        planned(program, file_input(ROOT / "assets/samples/tutorial_mnist.meta", "wire"), "lms1",
                                "--optimizer-scopes", "adam_optimizer")]
        cycle = planned(program, self.trainable, "sections", "--levels", "4", "--loss", "loss/Mean",
                        "--train-op", "adam_optimizer/Adam", "--batch-size", "8")
        towers = planned(program, self.trainable, "replicate", "--devices", "/cpu:0,/cpu:1", "--split", "x,y", "--loss", "loss/Mean",
                         "--train-op", "adam_optimizer/Adam")
        self.planned += [cycle, towers]
        self.plans_to_run = [self.planned[0][1], cycle[1], towers[1]]
        self.logs = [source for source in self.graphs + self.odd_graphs if source.kind == "events"]
        self.traced = {trace.name: self.graph_of(trace.name) for trace in self.traces}
        self.scripts = [file_input(path, "script") for path in small(CASES.glob("*.tls"))]
        self.feeds = feeds()
        self.checkpoints = checkpoints(program)
        assert len(self.graphs) > 30 and len(self.odd_graphs) > 80 and self.plans and self.profiles and len(self.traces) > 5 and self.scripts

    def graph_of(self, trace):
        """The graph that a trace is of, where there is one."""
        named = {"mlp.runmeta.pb": "mlp.meta", "mnist_deep.runmeta.pb": "mnist_deep.meta",
                 "measured.trace.pbtxt": "measured.pbtxt"}.get(trace, "mlp.meta")
        return next(graph for graph in self.graphs if graph.name == named)

"""What the integration tests share: where things are, how to run the program, how to skip."""
import atexit
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
SUPPORT = ROOT / "tests/support"
GRAPH_FILES = 27  # in tests/data/graphs and assets/samples together
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""
# A Python with TensorFlow 2.15 (its protocol buffers and TensorBoard with it); made by tests/run.
TENSORFLOW = os.environ.get("TIDELINE_TF_PYTHON", "")


def skip(why):
    """For what a machine truly lacks. Missing data are a failure."""
    print("SKIP:", why)
    sys.exit(77)


def need_tensorflow():
    if not TENSORFLOW or not os.path.exists(TENSORFLOW):
        skip("no Python with TensorFlow 2.15 (TIDELINE_TF_PYTHON)")


def tideline(*words, check=True):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=300)
    if check and done.returncode != 0:
        sys.exit(f"tideline {' '.join(map(str, words))}: exit {done.returncode}: {done.stderr}")
    return done


def graphs():
    """All graph files of the repository; all of them, or the test fails."""
    found = [path for folder in (ROOT / "assets/samples", DATA / "graphs")
             for path in sorted(folder.iterdir()) if path.suffix in (".pb", ".pbtxt", ".meta")]
    assert len(found) == GRAPH_FILES, f"{len(found)} graphs, there should be {GRAPH_FILES}"
    return found


def graph(name):
    """The graph file of this name."""
    found = [path for path in graphs() if path.name == name]
    assert len(found) == 1, f"{name}: {len(found)} files of this name"
    return found[0]


def oracles(folder, count):
    """(path, content) of the oracles in a folder of tests/data; all of them, or the test fails."""
    paths = sorted((DATA / folder).glob("*.json"))
    assert len(paths) == count, f"{folder}: {len(paths)} oracles, there should be {count}"
    return [(path, read_json(path)) for path in paths]


def options_of(oracle):
    """The command line's options for an oracle of LMS v1 or v2."""
    words = []
    for key, value in oracle["params"].items():
        if value is False:
            continue
        words.append("--" + key.replace("_", "-"))
        if value is not True:
            words.append(",".join(value) if isinstance(value, list) else str(value))
    for key, values in oracle.get("filters", {}).items():
        words += ["--" + key.replace("_", "-"), ",".join(values)]
    if oracle.get("batch_size"):
        words += ["--batch-size", str(oracle["batch_size"])]
    return words


def read_json(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def temporary_folder():
    return tempfile.TemporaryDirectory(prefix="tideline.")


# Where TensorFlow is asked

class Forks:
    """A TensorFlow that waits to be forked (tensorflow_forks.py), started when the first script is run."""

    def __init__(self):
        self.server, self.folder = None, None

    def run(self, script, *words):
        if not self.server:
            self.folder = temporary_folder()
            self.server = subprocess.Popen(
                [TENSORFLOW, "-B", str(pathlib.Path(__file__).resolve().parent / "tensorflow_forks.py")],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "TF_ENABLE_ONEDNN_OPTS": "0"})
            atexit.register(self.end)
        out, err = (pathlib.Path(self.folder.name) / name for name in ("out", "err"))
        job = {"script": str(script), "words": [str(word) for word in words], "out": str(out), "err": str(err)}
        self.server.stdin.write(json.dumps(job) + "\n")
        self.server.stdin.flush()
        code = int(self.server.stdout.readline())
        return subprocess.CompletedProcess([script, *words], code, out.read_text(), err.read_text())

    def end(self):
        self.server.stdin.close()
        self.server.wait()
        self.folder.cleanup()


# A script in a process with TensorFlow, without the seconds that importing it takes; what it printed, and its exit
# code. Its environment is that of the first.
run_on_tensorflow = Forks().run


class Jobs:
    """Jobs for tensorflow_worker.py. `ask` remembers one and returns its answer as a function, to be called
    after `run` has done them all in one process."""

    def __init__(self):
        self.jobs, self.answers = [], []

    def ask(self, name, *arguments):
        number = len(self.jobs)
        self.jobs.append([name, *(str(a) if isinstance(a, pathlib.Path) else a for a in arguments)])
        return lambda: self.answer(number)

    def answer(self, number):
        found = self.answers[number]
        if isinstance(found, dict) and "error" in found:
            raise AssertionError(f"{self.jobs[number]}: {found['error']}")
        return found

    def run(self):
        worker = pathlib.Path(__file__).resolve().parent / "tensorflow_worker.py"
        done = subprocess.run([TENSORFLOW, "-B", str(worker)], input=json.dumps(self.jobs),
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"TensorFlow: exit {done.returncode}: {done.stderr[-3000:]}")
        self.answers = json.loads(done.stdout)


def run_with_tensorflow(*tests):
    """Each test is a generator (folder, jobs): it prepares files and asks, yields, and compares the answers.
    All are run, and all that failed are named."""
    failed = []

    def step(test, generator):
        try:
            return next(generator, None)
        except (Exception, SystemExit) as problem:  # the others shall run, too
            line = traceback.extract_tb(problem.__traceback__)[-1].lineno
            failed.append(f"{test.__name__}: line {line}: {problem!r}"[:3000])
            generator.close()

    with temporary_folder() as name:
        jobs, generators = Jobs(), []
        for test in tests:
            folder = pathlib.Path(name) / test.__name__
            folder.mkdir()
            generators.append(test(folder, jobs))
            step(test, generators[-1])
        jobs.run()
        for test, generator in zip(tests, generators):
            step(test, generator)
            print(test.__name__, flush=True)
    return "\n".join(["failed:", *failed]) if failed else 0


SAVED_MODELS = DATA / "saved_models"


def make_saved_model(folder, kind, *words):
    """A model of tests/support/make_train_step.py."""
    out = folder / kind
    done = subprocess.run([TENSORFLOW, "-B", ROOT / "tests/support/make_train_step.py", out, "--kind", kind,
                           *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"make_train_step.py: {done.stderr[-3000:]}")
    return out


def files_in(folder):
    """Content of every file below a folder, by its path in it."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def lms2(threshold, ahead, groupby, sync_mode=0):
    return ["--swapout-threshold", threshold, "--swapin-ahead", ahead, "--swapin-groupby", groupby,
            "--sync-mode", sync_mode, "--quiet"]

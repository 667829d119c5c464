"""What the integration tests share: where things are, how to run the program, how to skip."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""
# A Python with TensorFlow 2.15 (its protocol buffers and TensorBoard with it); made by tests/run.
TENSORFLOW = os.environ.get("TIDELINE_TF_PYTHON", "")


def skip(why):
    print("SKIP:", why)
    sys.exit(77)


def need_shared():
    if not (SHARED / "tools").is_dir():
        skip("the shared folder is not at hand")


def need_tensorflow():
    if not TENSORFLOW or not os.path.exists(TENSORFLOW):
        skip("no Python with TensorFlow 2.15 (TIDELINE_TF_PYTHON)")


def tideline(*words, check=True):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=300)
    if check and done.returncode != 0:
        sys.exit(f"tideline {' '.join(map(str, words))}: exit {done.returncode}: {done.stderr}")
    return done


def graphs():
    """All graph files at hand, the repository's own first."""
    folders = [ROOT / "assets/samples", ROOT / "tests/data/graphs", SHARED / "graphs"]
    found = {}
    for folder in folders:
        for path in sorted(folder.glob("*")):
            if path.suffix in (".pb", ".pbtxt", ".meta") and path.is_file():
                found.setdefault(path.name, path)
    return list(found.values())


def options_of(oracle):
    """The command line's options for an oracle of LMS v2."""
    words = []
    for key, value in oracle["params"].items():
        words += ["--" + key.replace("_", "-"), str(value)]
    for key, values in oracle.get("filters", {}).items():
        words += ["--" + key.replace("_", "-"), ",".join(values)]
    if oracle.get("batch_size"):
        words += ["--batch-size", str(oracle["batch_size"])]
    return words


def read_json(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def temporary_folder():
    return tempfile.TemporaryDirectory(prefix="tideline.")

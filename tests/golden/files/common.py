"""What the tests of files share: the program, the sample, a folder, and how to run it."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SAMPLE = ROOT / "assets/samples/tutorial_mnist.meta"
MODEL = ROOT / "tests/data/saved_models/train_step"
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
# Preloaded into the program: tests/support/watched_files.c.
WATCHER = str(pathlib.Path(sys.argv[2]).resolve()) if len(sys.argv) > 2 else ""
LMS = ("--swapout-threshold", "50", "--swapin-ahead", "3", "--swapin-groupby", "2")
PATIENCE_S = 60
# As often as ./tests/run --all does it.
IS_LONG = os.environ.get("TIDELINE_TEST_LONG") == "1"


def tideline(folder, *words, **options):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True,
                          timeout=PATIENCE_S, umask=0o022, **options)


def watched(folder, *words, **variables):
    """The same under the watcher: what ran, and the renames and flushes in their order."""
    log = folder / "watched.log"
    log.unlink(missing_ok=True)
    done = tideline(folder, *words, env=dict(os.environ, LD_PRELOAD=WATCHER, WATCHED_FILES=str(log),
                                             ASAN_OPTIONS="verify_asan_link_order=0", **variables))
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return done, lines


def succeeds(done):
    assert done.returncode == 0, done
    return done


def fails(done, *parts, code=1):
    """Ends with one line that has all of these."""
    assert done.returncode == code, done
    assert done.stderr.startswith("tideline: ") and done.stderr.count("\n") == 1, done
    for part in parts:
        assert part in done.stderr, (part, done)
    return done


def mode(path):
    return path.stat().st_mode & 0o777


def entries(folder):
    return sorted(path.name for path in folder.iterdir())


def model_at(path):
    shutil.copytree(MODEL, path)
    path.chmod(0o755)
    for inner in path.rglob("*"):
        inner.chmod(0o755 if inner.is_dir() else 0o644)
    return path


def temporary(folder):
    return [path for path in folder.iterdir() if ".tideline-" in path.name]


def content(path):
    """Of a file, or of all files below a folder; without temporary ones."""
    if path.is_dir():
        return {str(inner.relative_to(path)): inner.read_bytes() for inner in path.rglob("*")
                if inner.is_file() and ".tideline-" not in inner.name}
    return path.read_bytes()


def make_old(path):
    """An earlier output of that name: a file, or a model."""
    if path.name != "model":
        path.write_text("old")
        return
    shutil.rmtree(path, ignore_errors=True)
    (path / "variables").mkdir(parents=True)
    (path / "saved_model.pb").write_text("old")
    (path / "variables/variables.index").write_text("old")


def run(*tests):
    """Each in an empty folder of its own; exit code 1 if one fails."""
    failed = 0
    for test in tests:
        with tempfile.TemporaryDirectory() as name:
            try:
                test(pathlib.Path(name))
                print(f"{test.__name__}: ok", flush=True)
            except (AssertionError, OSError, subprocess.TimeoutExpired):
                failed += 1
                print(f"{test.__name__}: FAILED\n{traceback.format_exc()}", flush=True)
    assert tests
    sys.exit(1 if failed else 0)

#!/usr/bin/env python3
"""What is written is open to nobody who may not read all that was read for it.

    modes_test.py TIDELINE
"""
import json
import shutil

from common import LMS, ROOT, SAMPLE, mode, model_at, run, succeeds, tideline

LOG = ROOT / "tests/data/logs/tf2_keras"
CHECKPOINT = ROOT / "tests/data/checkpoints/small"
SLICED = ROOT / "tests/data/checkpoints/sliced"


def modes(path):
    """Of all files and folders below, and of the path itself."""
    return {mode(inner) for inner in path.rglob("*") if inner.is_file()} or {mode(path)}, {
        mode(inner) for inner in [path, *path.rglob("*")] if inner.is_dir()}


def copied(source, folder, name):
    """A copy that everybody may read."""
    path = folder / name
    if not source.is_dir():
        shutil.copyfile(source, path)
        path.chmod(0o644)
        return path
    shutil.copytree(source, path)
    path.chmod(0o755)
    for inner in path.rglob("*"):
        inner.chmod(0o755 if inner.is_dir() else 0o644)
    return path


def files_of(path):
    found = sorted(inner for inner in path.rglob("*") if inner.is_file())
    assert found, path
    return found


def exported_logs_are_as_private_as_the_log(folder):
    log = copied(LOG, folder, "log")
    succeeds(tideline(folder, "log", "export", "log", "-o", "open"))
    assert modes(folder / "open") == ({0o644}, {0o755})
    events = [path for path in files_of(log) if "tfevents" in path.name]
    assert events
    events[-1].chmod(0o600)  # one of them is enough
    succeeds(tideline(folder, "log", "export", "log", "-o", "private"))
    assert modes(folder / "private") == ({0o600}, {0o700})
    events[-1].chmod(0o640)
    succeeds(tideline(folder, "log", "export", "log", "-o", "group"))
    assert modes(folder / "group") == ({0o640}, {0o750})


def converted_checkpoints_are_as_private_as_their_most_private_file(folder):
    for source in (CHECKPOINT, SLICED):
        files = files_of(copied(source, folder, source.name))
        parts = [path for path in files if ".data-" in path.name or path.name.endswith(".index")]
        assert len(parts) >= 2, files
        for number, private in enumerate(parts):
            private.chmod(0o600)
            for form in ("ckpt", "one.safetensors", "many.npy"):
                out = folder / f"{source.name}{number}" / form
                out.parent.mkdir(exist_ok=True)
                succeeds(tideline(folder, "checkpoint", "convert", f"{source.name}/ckpt", "-o", out))
                made = [path for path in out.parent.glob(form + "*")]
                assert made and all(modes(path)[0] == {0o600} for path in made), (private, form, made)
                assert not out.is_dir() or mode(out) == 0o700, (private, out)
            name = json.loads(tideline(folder, "checkpoint", "ls", f"{source.name}/ckpt", "--json").stdout)["tensors"][-1]["name"]
            cat = folder / f"{source.name}{number}.npy"
            succeeds(tideline(folder, "checkpoint", "cat", f"{source.name}/ckpt", name, "-o", cat))
            assert mode(cat) == 0o600, (private, cat)
            private.chmod(0o644)
        succeeds(tideline(folder, "checkpoint", "convert", f"{source.name}/ckpt", "-o", f"open-{source.name}"))
        assert all(mode(path) == 0o644 for path in folder.glob(f"open-{source.name}.*"))


def a_private_plan_gives_private_files(folder):
    graph = copied(SAMPLE, folder, "graph.meta")
    succeeds(tideline(folder, "rewrite", "lms2", graph, "--plan-json", "plan.json", *LMS))
    assert mode(folder / "plan.json") == 0o644
    (folder / "plan.json").chmod(0o600)
    succeeds(tideline(folder, "rewrite", "apply", graph, "--plan", "plan.json", "-o", "out.meta", "--tb", "tb"))
    assert mode(folder / "out.meta") == 0o600
    assert modes(folder / "tb") == ({0o600}, {0o700})


def a_private_profile_gives_private_files(folder):
    graph = copied(SAMPLE, folder, "graph.meta")
    profile = folder / "profile.json"
    profile.write_text('{"schema": "tideline.profile/1", "name": "mine"}')
    profile.chmod(0o600)
    succeeds(tideline(folder, "render", graph, "--batch-size", 10, "-o", "picture.svg", "--device-profile", profile))
    assert mode(folder / "picture.svg") == 0o600
    succeeds(tideline(folder, "simulate", graph, "--batch-size", 10, "--tb", "tb", "--device-profile", profile))
    assert modes(folder / "tb") == ({0o600}, {0o700})
    succeeds(tideline(folder, "render", graph, "--batch-size", 10, "-o", "open.svg"))
    assert mode(folder / "open.svg") == 0o644


def a_private_graph_gives_private_folders(folder):
    graph = copied(SAMPLE, folder, "graph.meta")
    graph.chmod(0o600)
    succeeds(tideline(folder, "convert", graph, "-o", "model"))
    assert modes(folder / "model") == ({0o600}, {0o700})
    succeeds(tideline(folder, "rewrite", "lms2", graph, "-o", "out.meta", "--plan-json", "plan.json", "--tb", "tb/deep",
                      *LMS))
    assert mode(folder / "out.meta") == 0o600 and mode(folder / "plan.json") == 0o600
    assert modes(folder / "tb") == ({0o600}, {0o700})


def a_copied_model_keeps_the_mode_of_each_file(folder):
    model = model_at(folder / "model")
    private = next(model.glob("variables/variables.data*"))
    private.chmod(0o600)
    (model / "variables").chmod(0o700)
    succeeds(tideline(folder, "convert", "model", "-o", "copy"))
    assert mode(folder / "copy" / private.relative_to(model)) == 0o600
    assert mode(folder / "copy/variables") == 0o700 and mode(folder / "copy/saved_model.pb") == 0o644


def what_a_script_writes_is_as_private_as_what_it_opened(folder):
    graph = copied(SAMPLE, folder, "graph.meta")
    graph.chmod(0o600)
    script = folder / "script"
    script.write_text("policy.mode lms2\npolicy.set swapout-threshold 50\npolicy.set swapin-ahead 3\n"
                      "policy.set swapin-groupby 2\nfile.write out.meta\n")
    done = tideline(folder, "script", graph, script)
    assert done.returncode == 0, done
    assert mode(folder / "out.meta") == 0o600


run(exported_logs_are_as_private_as_the_log, converted_checkpoints_are_as_private_as_their_most_private_file,
    a_private_plan_gives_private_files, a_private_profile_gives_private_files, a_private_graph_gives_private_folders,
    a_copied_model_keeps_the_mode_of_each_file, what_a_script_writes_is_as_private_as_what_it_opened)

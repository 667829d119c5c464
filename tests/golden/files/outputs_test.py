#!/usr/bin/env python3
"""What is written replaces nothing else, is open to nobody else, and is on disk when it is said to be.

    outputs_test.py TIDELINE LIBRARY_OF_watched_files.c
"""
import os
import resource
import shutil

from common import (LMS, SAMPLE, entries, fails, mode, model_at, run, succeeds, tideline, watched)


def force_removes_no_file_that_is_not_of_a_model(folder):
    model = model_at(folder / "p")
    (model / "src").mkdir()
    (model / "src/main.py").write_text("my work")
    before = entries(model)
    fails(tideline(folder, "convert", SAMPLE, "-o", "p", "--force"), "p: holds 'src/main.py'", "not replaced")
    assert entries(model) == before and (model / "src/main.py").read_text() == "my work"
    assert entries(folder) == ["p"], entries(folder)
    # Without it the folder is one of a SavedModel alone.
    shutil.rmtree(model / "src")
    succeeds(tideline(folder, "convert", SAMPLE, "-o", "p", "--force"))
    assert entries(model) == ["saved_model.pb"] and entries(folder) == ["p"]


def force_replaces_a_model_by_itself_with_all_its_files(folder):
    model = model_at(folder / "p")
    (model / "notes.txt").write_text("kept, as in every copy")
    succeeds(tideline(folder, "convert", "p", "-o", "copy"))
    before = entries(model)
    for name in ("p", "copy"):
        succeeds(tideline(folder, "convert", "p", "-o", name, "--force"))
        assert entries(folder / name) == before
    (folder / "copy/notes.txt").write_text("mine now")
    fails(tideline(folder, "convert", "p", "-o", "copy", "--force"), "copy: holds 'notes.txt'")
    assert (folder / "copy/notes.txt").read_text() == "mine now"


def a_private_input_gives_private_outputs(folder):
    private = folder / "private.meta"
    shutil.copy(SAMPLE, private)
    private.chmod(0o600)
    succeeds(tideline(folder, "rewrite", "lms2", private, "-o", "out.meta", "--plan-json", "plan.json",
                      "--tb", "log", *LMS))
    succeeds(tideline(folder, "convert", private, "-o", "model"))
    succeeds(tideline(folder, "render", private, "-o", "picture.svg", *LMS))
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert len(written) == 7, written
    for path in written:
        assert mode(path) == 0o600, (path, oct(mode(path)))
    private.chmod(0o640)
    succeeds(tideline(folder, "convert", private, "-o", "group.pb"))
    assert mode(folder / "group.pb") == 0o640
    private.chmod(0o444)  # nobody may write it, but its reader may write what is made of it
    succeeds(tideline(folder, "convert", private, "-o", "closed.pb"))
    assert mode(folder / "closed.pb") == 0o644


def a_private_model_gives_a_private_model(folder):
    model = model_at(folder / "model")
    model.chmod(0o700)
    (model / "variables").chmod(0o750)
    index = model / "variables/variables.index"
    index.chmod(0o600)
    succeeds(tideline(folder, "convert", "model", "-o", "copy"))
    copy = folder / "copy"
    assert (mode(copy), mode(copy / "variables"), mode(copy / "variables/variables.index")) == (0o700, 0o750, 0o600)
    assert mode(copy / "saved_model.pb") == 0o644


def replacing_keeps_the_mode_and_the_owner(folder):
    out = folder / "out.meta"
    shutil.copy(SAMPLE, out)
    out.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(out, 1234, 2345)
    succeeds(tideline(folder, "convert", SAMPLE, "-o", out, "--force"))
    assert mode(out) == 0o640, oct(mode(out))
    if os.geteuid() == 0:
        assert (out.stat().st_uid, out.stat().st_gid) == (1234, 2345)
    succeeds(tideline(folder, "convert", SAMPLE, "-o", "model"))
    (folder / "model").chmod(0o711)
    (folder / "model/saved_model.pb").chmod(0o600)
    succeeds(tideline(folder, "convert", SAMPLE, "-o", "model", "--force"))
    assert mode(folder / "model") == 0o711 and mode(folder / "model/saved_model.pb") == 0o600


def of_two_outputs_none_is_new_when_the_second_cannot_be(folder):
    words = ("rewrite", "lms2", SAMPLE, "-o", "out.meta", "--plan-json", "plan.json", "--force", *LMS)
    (folder / "out.meta").write_text("old graph")
    (folder / "plan.json").write_text("old plan")
    done, _ = watched(folder, *words, FAILING_RENAME="plan.json")
    assert done.returncode == 1 and "plan.json: cannot rename" in done.stderr, done
    assert "the other outputs are as they were" in done.stderr, done
    assert (folder / "out.meta").read_text() == "old graph"
    assert (folder / "plan.json").read_text() == "old plan"
    assert entries(folder) == ["out.meta", "plan.json"]


def a_signal_in_the_middle_of_a_flush_is_no_failure(folder):
    done, lines = watched(folder, "convert", SAMPLE, "-o", "out.meta")
    succeeds(done)
    assert [line.split()[0] for line in lines] == ["sync", "rename", "sync"], lines


def a_rename_is_flushed_to_disk(folder):
    folder = folder.resolve()
    done, lines = watched(folder, "convert", SAMPLE, "-o", "out.meta", "--force")
    succeeds(done)
    assert lines[-2:] == ["rename out.meta", f"sync {folder}"], lines
    model_at(folder / "model")
    done, lines = watched(folder, "convert", "model", "-o", "copy")
    succeeds(done)
    placed = lines.index("rename copy")
    assert any(line.startswith("sync ") and line.endswith("/variables") for line in lines[:placed]), lines
    assert lines[placed:] == ["rename copy", f"sync {folder}"], lines
    succeeds(watched(folder, "rewrite", "lms2", SAMPLE, "-o", "o.meta", "--tb", "log", *LMS)[0])


def limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


def a_limit_on_the_size_of_files_is_a_message_about_the_output(folder):
    model_at(folder / "model")
    for name, shown in (("out.meta", "out.meta"), ("copy", "copy/saved_model.pb")):
        done = tideline(folder, "convert", "model", "-o", name, "--quiet", preexec_fn=limited)
        fails(done, f"tideline: {shown}: cannot write: File too large")
    assert entries(folder) == ["model"]


def a_script_replaces_a_picture_only_when_told_to(folder):
    (folder / "a.svg").write_text("mine")
    script = ("policy.mode lms2", "policy.set swapout-threshold 50", "policy.set swapin-ahead 3")
    for words, code in (("a.svg levels", 1), ("a.svg levels force", 0)):
        lines = "\n".join((*script, f"file.write-picture {words}")) + "\n"
        done = tideline(folder, "script", SAMPLE, "-", input=lines)
        if "cannot be drawn" in done.stderr:
            return  # a build without the window
        assert done.returncode == code, done
        assert ((folder / "a.svg").read_text() == "mine") == (code == 1)
        assert code == 0 or "a.svg: exists; give 'force' to replace it" in done.stderr, done


run(force_removes_no_file_that_is_not_of_a_model, force_replaces_a_model_by_itself_with_all_its_files,
    a_private_input_gives_private_outputs, a_private_model_gives_a_private_model,
    replacing_keeps_the_mode_and_the_owner, of_two_outputs_none_is_new_when_the_second_cannot_be,
    a_signal_in_the_middle_of_a_flush_is_no_failure, a_rename_is_flushed_to_disk,
    a_limit_on_the_size_of_files_is_a_message_about_the_output, a_script_replaces_a_picture_only_when_told_to)

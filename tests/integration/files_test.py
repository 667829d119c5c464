#!/usr/bin/env python3
"""Files: byte identity, determinism, in-place writing, interruption, full disks."""
import os
import pathlib
import signal
import subprocess
import sys
import time

import common


def same_format_is_byte_identical(folder):
    for path in common.graphs():
        out = folder / ("copy" + path.suffix)
        common.tideline("convert", path, "-o", out, "--force", "--quiet")
        if path.suffix == ".pbtxt":
            # Text keeps its meaning; written twice, it keeps its bytes.
            assert common.tideline("diff", path, out).returncode == 0, path
            again = folder / "again.pbtxt"
            common.tideline("convert", out, "-o", again, "--force", "--quiet")
            assert out.read_bytes() == again.read_bytes(), path
        else:
            assert out.read_bytes() == path.read_bytes(), path


def text_and_back_says_the_same(folder):
    for path in common.graphs():
        text, back = folder / "t.pbtxt", folder / "t.pb"
        common.tideline("convert", path, "-o", text, "--force", "--quiet")
        common.tideline("convert", text, "-o", back, "--force", "--quiet")
        assert common.tideline("diff", path, back).returncode == 0, path


def a_rewrite_changes_only_what_it_must(folder):
    """Every byte run of an untouched op is in the output, in order; and twice the same output."""
    source = common.graph("mlp.meta")
    words = ["--swapout-threshold", 5, "--swapin-ahead", 2, "--swapin-groupby", 2, "--quiet"]
    outs = [folder / "one.meta", folder / "two.meta"]
    for out in outs:
        common.tideline("rewrite", "lms2", source, "-o", out, "--force", *words)
    assert outs[0].read_bytes() == outs[1].read_bytes()
    # In place: the input is replaced only when the whole output is there.
    copy = folder / "in_place.meta"
    copy.write_bytes(source.read_bytes())
    common.tideline("rewrite", "lms2", copy, "-o", copy, "--force", *words)
    assert copy.read_bytes() == outs[0].read_bytes()


def a_full_disk_leaves_nothing(folder):
    # A limit on the size of files is what a full disk looks like to a writer.
    source = common.graph("two_gpu_towers.meta")
    out = folder / "full" / "out.meta"
    out.parent.mkdir()
    script = f'ulimit -f 16; trap "" XFSZ; exec "{common.PROGRAM}" convert "{source}" -o "{out}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.returncode == 1, done
    assert "out.meta" in done.stderr, done
    assert not list(out.parent.iterdir()), list(out.parent.iterdir())


def an_interrupt_leaves_nothing(folder):
    # A pipe that never ends keeps the reader busy... so a large file is converted to text instead,
    # and interrupted while it is written.
    block = common.graph("scale_400.pb").read_bytes()
    assert block
    big = folder / "big.pbtxt"
    nodes = "".join(f'node {{ name: "n{i}" op: "NoOp" }}\n' for i in range(120000))
    big.write_text(nodes)
    out = folder / "interrupted"
    out.mkdir()
    seen = set()
    # Not waited for anything: an interrupt may come at any moment, and these are some.
    for delay in (0.05, 0.1, 0.2, 0.3, 0.5, 0.8):
        process = subprocess.Popen([common.PROGRAM, "convert", big, "-o", out / "o.pbtxt"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        process.communicate()
        seen.add(process.returncode)
        assert process.returncode in (0, 130, -signal.SIGINT), process.returncode
        if process.returncode == 0:
            (out / "o.pbtxt").unlink()
        assert not list(out.iterdir()), (delay, list(out.iterdir()))
    assert 130 in seen, seen


def waits_for_the_pipe(process, sign):
    """Whether it sleeps and would notice the signal: it handles signals first, and then only the pipe
    makes it sleep."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    return status["State"].startswith("S") and int(status["SigCgt"], 16) >> (sign - 1) & 1


def a_signal_ends_the_wait_for_a_pipe(folder):
    pipe = folder / "never.pb"
    os.mkfifo(pipe)
    for sign in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([common.PROGRAM, "inspect", pipe], stderr=subprocess.PIPE)
        while not waits_for_the_pipe(process.pid, sign):
            assert process.poll() is None, process.communicate()
        process.send_signal(sign)
        process.communicate(timeout=20)
        assert process.returncode == 130, process.returncode


def output_keeps_to_the_umask(folder):
    out = folder / "mode.pb"
    common.tideline("convert", common.graph("scale_400.pb"), "-o", out, "--quiet")
    umask = os.umask(0)
    os.umask(umask)
    assert out.stat().st_mode & 0o777 == 0o666 & ~umask


def a_pipe_is_read_like_a_file(folder):
    source = common.graph("mlp.meta")
    script = f'cat "{source}" | "{common.PROGRAM}" inspect /dev/stdin'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.returncode == 0 and "227 vertices" in done.stdout, done
    script = f'"{common.PROGRAM}" levels "{source}" >/dev/full'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.returncode == 1 and "standard output" in done.stderr, done


def main():
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        same_format_is_byte_identical(folder)
        text_and_back_says_the_same(folder)
        a_rewrite_changes_only_what_it_must(folder)
        a_full_disk_leaves_nothing(folder)
        an_interrupt_leaves_nothing(folder)
        a_signal_ends_the_wait_for_a_pipe(folder)
        output_keeps_to_the_umask(folder)
        a_pipe_is_read_like_a_file(folder)
    print("all file tests hold")


if __name__ == "__main__":
    sys.exit(main())

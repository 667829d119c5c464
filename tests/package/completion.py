"""Completion in real shells, and manual pages, as the program writes them.

    python3 completion.py TIDELINE
"""

import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop()).resolve()


def script_for(shell):
    return subprocess.run([PROGRAM, f"--{shell}-completion"], check=True, capture_output=True, text=True).stdout


def need(tool):
    if shutil.which(tool) is None:
        raise unittest.SkipTest(f"{tool} is not installed")


class Completion(unittest.TestCase):
    """Each shell is asked for the same; complete() gives the set of what it offers."""

    shell = None
    CASES = (
        ("tideline re", {"render", "report", "rewrite", "rewriters"}, {"simulate"}),
        ("tideline rewrite l", {"lms1", "lms2"}, {"lms3", "log"}),
        ("tideline rewrite lms2 --swapo", {"--swapout-threshold"}, {"--swapin-ahead"}),
        ("tideline simulate graph.pb --as-run ", {"off", "modelled", "exact"}, {"--as-run"}),
        ("tideline rewrite lms2 --as-run mo", {"modelled"}, {"off"}),
        ("tideline render --theme da", {"dark"}, {"light"}),
        ("tideline inspect sam", {"sample.pb"}, {"render"}),
    )

    def setUp(self):
        if self.shell is None:
            self.skipTest("each shell has its own")
        need(self.shell)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "tideline").symlink_to(PROGRAM)
        (self.folder / "work").mkdir()
        (self.folder / "work" / "sample.pb").touch()
        self.env = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
                    "TERM": "dumb"}
        self.script = self.folder / f"completion.{self.shell}"
        self.script.write_text(script_for(self.shell), encoding="utf-8")

    def test_what_is_offered(self):
        for line, expected, not_expected in self.CASES:
            with self.subTest(line):
                offered = self.complete(line)
                self.assertLessEqual(expected, offered)
                self.assertFalse(not_expected & offered, offered)


class Bash(Completion):
    shell = "bash"

    def complete(self, line):
        ask = f"""source {self.script}
COMP_WORDS=({line}{'""' if line.endswith(' ') else ''}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_tideline
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
        done = subprocess.run(["bash", "-c", ask], cwd=self.folder / "work", env=self.env, check=True, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split("\n"))


class Fish(Completion):
    shell = "fish"

    def complete(self, line):
        quoted = line.replace("'", "\\'")
        done = subprocess.run(["fish", "--no-config", "-c", f"source {self.script}; complete -C '{quoted}'"],
                              cwd=self.folder / "work", env=self.env, check=True, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return {row.split("\t")[0] for row in done.stdout.split("\n")}


class Zsh(Completion):
    """zsh completes only at its prompt, so it gets a terminal, and Tab."""

    shell = "zsh"

    def complete(self, line):
        functions = self.folder / "functions"
        functions.mkdir(exist_ok=True)
        (functions / "_tideline").write_text(self.script.read_text(encoding="utf-8"), encoding="utf-8")
        (self.folder / ".zshrc").write_text(
            f"fpath=({functions} $fpath)\nautoload -Uz compinit; compinit -u -d {self.folder}/dump\n"
            "PS1=READY\nLISTMAX=10000\nsetopt no_list_ambiguous no_beep\nzstyle ':completion:*' list-packed false\n"
            "zstyle ':completion:*' menu no\n", encoding="utf-8")
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder / "work")
            os.execvpe("zsh", ["zsh", "-i"], {**self.env, "COLUMNS": "200", "LINES": "200"})
        try:
            self.read_until(terminal, "READY")
            os.write(terminal, line.encode() + b"\t")
            text = self.read_quiet(terminal)
        finally:
            os.close(terminal)
            os.waitpid(child, 0)
        return set(text.replace("\r", "\n").split()) - set(line.split())  # what is typed comes back

    @staticmethod
    def read_until(terminal, word):
        text, end = "", time.monotonic() + 30
        while word not in text and time.monotonic() < end:
            if select.select([terminal], [], [], 1)[0]:
                text += os.read(terminal, 65536).decode(errors="replace")

    @staticmethod
    def read_quiet(terminal):
        text, end = "", time.monotonic() + 20
        while time.monotonic() < end:
            # The first answer loads the completion system.
            if not select.select([terminal], [], [], 3 if not text.strip() else 1.5)[0]:
                if text.strip():
                    break
                continue
            text += os.read(terminal, 65536).decode(errors="replace")
        return text


class ManualPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.pages = pathlib.Path(cls.folder.name) / "man1"
        subprocess.run([PROGRAM, "--man-pages", cls.pages], check=True)

    def text_of(self, page):
        env = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "200", "MAN_KEEP_FORMATTING": ""}
        done = subprocess.run(["man", "--warnings", "-l", page], check=True, capture_output=True, text=True, env=env)
        self.assertEqual(done.stderr, "", page)
        return done.stdout

    def test_there_is_one_for_each_verb(self):
        help_text = subprocess.run([PROGRAM, "--help"], check=True, capture_output=True, text=True).stdout
        verbs = [line.split()[0] for line in help_text.split("Subcommands:")[1].split("\n")[1:] if line.startswith("  ") and line[2] != " "]
        self.assertGreater(len(verbs), 15)
        self.assertEqual({page.name for page in self.pages.iterdir()}, {"tideline.1"} | {f"tideline-{verb}.1" for verb in verbs})

    def test_they_are_read_without_a_warning(self):
        need("man")
        for page in sorted(self.pages.iterdir()):
            with self.subTest(page.name):
                self.assertIn("SYNOPSIS", self.text_of(page))

    def test_they_say_what_help_says(self):
        need("man")
        text = " ".join(self.text_of(self.pages / "tideline-rewrite.1").split())
        self.assertIn("--swapout-threshold N Swap a tensor for consumers more than this many levels away (1 or more)", text)
        self.assertIn("--executor KIND", text)
        self.assertIn("One of cpu, gpu.", text)
        self.assertIn("Overrides", text)

    def test_a_folder_that_is_not_empty_is_left_alone(self):
        again = subprocess.run([PROGRAM, "--man-pages", self.pages], capture_output=True, text=True)
        self.assertEqual(again.returncode, 1)
        self.assertIn(str(self.pages), again.stderr)


if __name__ == "__main__":
    unittest.main()

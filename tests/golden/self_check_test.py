"""tideline --self-check on machines that lack things, and on some where they are broken.

    python3 self_check_test.py TIDELINE
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop()).resolve()
HAS_WINDOW = b"has no window" not in subprocess.run([PROGRAM, "--sample"], env={"PATH": ""}, capture_output=True, check=False).stderr
CRASHES = "__attribute__((constructor)) static void crash(void) { __builtin_trap(); }\n"


class SelfCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # A machine with a Python that has no TensorFlow, a home, and no display.
        (self.folder / "home").mkdir()
        (self.folder / "bin").mkdir()
        self.write_python("echo")
        self.env = {"PATH": str(self.folder / "bin"), "HOME": str(self.folder / "home"), "LC_ALL": "C.UTF-8"}

    def write_python(self, command):
        python = self.folder / "bin" / "python3"
        python.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
        python.chmod(0o755)

    def run_it(self, *words, **env):
        return subprocess.run([PROGRAM, *words], env={**self.env, **env}, cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=False)

    def check(self, expected_code, **env):
        done = self.run_it("--self-check", "--json", **env)
        self.assertEqual(done.returncode, expected_code, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def problems(self, found):
        return {name for name, finding in found.items() if isinstance(finding, dict) and finding["state"] == "problem"}

    def test_a_bare_machine_has_no_problem(self):
        found = self.check(0)
        self.assertEqual(found["schema"], "tideline.self-check/1")
        self.assertEqual(f"tideline {found['version']}", self.run_it("--version").stdout.rstrip("\n"))
        self.assertEqual(self.problems(found), set())
        self.assertEqual(found["tensorflow"]["state"], "absent")
        self.assertEqual(found["window"]["state"], "absent")
        self.assertEqual(found["build"]["facts"]["program"], str(PROGRAM))
        self.assertIn("file", found["checkpoint_backends"]["facts"])
        # Looking leaves nothing behind.
        self.assertEqual(list((self.folder / "home").iterdir()), [])

    def test_text_says_the_same(self):
        found = self.check(0)
        lines = self.run_it("--self-check").stdout.split("\n")
        self.assertEqual(lines[0], f"tideline {found['version']}")
        said = {}
        for line in lines[1:]:
            if line and not line.startswith(" "):
                state, rest = line.split(None, 1)
                said[rest.split(":")[0]] = state
        self.assertEqual(said, {name: finding["state"] for name, finding in found.items() if isinstance(finding, dict)})

    def test_version_stays_one_line(self):
        self.assertRegex(self.run_it("--version").stdout, r"\Atideline \d+\.\d+\.\d+\n\Z")

    def test_json_alone_is_wrong_usage(self):
        done = self.run_it("--json")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--self-check", done.stderr)

    def test_a_tensorflow_that_was_named_and_is_not_there(self):
        found = self.check(3, TFDIR="/nowhere")
        self.assertEqual(self.problems(found), {"tensorflow"})
        self.assertEqual(found["tensorflow"]["facts"]["TFDIR"], "/nowhere")

    def test_a_tensorflow_that_is_no_library(self):
        package = self.folder / "tensorflow"
        package.mkdir()
        (package / "libtensorflow_cc.so.2").write_text("no library\n", encoding="utf-8")
        self.write_python(f"echo {package}")
        found = self.check(3)
        self.assertEqual(self.problems(found), {"tensorflow"})
        self.assertIn("does not start", found["tensorflow"]["says"])

    def library(self, path):
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("there is no compiler")
        source = self.folder / "crashes.c"
        source.write_text(CRASHES, encoding="utf-8")
        subprocess.run([compiler, "-shared", "-fPIC", source, "-o", path], check=True)

    def test_a_tensorflow_that_crashes(self):
        package = self.folder / "tensorflow"
        package.mkdir()
        self.library(package / "libtensorflow_cc.so.2")
        self.write_python(f"echo {package}")
        found = self.check(3)
        self.assertEqual(self.problems(found), {"tensorflow"})

    def test_a_plugin_that_crashes_and_one_that_is_none(self):
        plugins = self.folder / "plugins"
        plugins.mkdir()
        (plugins / "tideline_checkpoint_text.so").write_text("no library\n", encoding="utf-8")
        found = self.check(3, TIDELINE_PLUGINS=str(plugins))
        self.assertEqual(self.problems(found), {"checkpoint_backends"})
        self.assertIn("tideline_checkpoint_text.so", found["checkpoint_backends"]["says"])
        self.library(plugins / "tideline_checkpoint_bad.so")
        found = self.check(3, TIDELINE_PLUGINS=str(plugins))
        self.assertEqual(self.problems(found), {"checkpoint_backends"})
        self.assertRegex(found["checkpoint_backends"]["says"], "^(crashes: |ends without)")

    def test_a_driver_that_crashes(self):
        self.need_window()
        self.library(self.folder / "libEGL_bad.so")
        vendor = self.folder / "bad.json"
        vendor.write_text(json.dumps({"file_format_version": "1.0.0", "ICD": {"library_path": str(self.folder / "libEGL_bad.so")}}),
                          encoding="utf-8")
        found = self.check(3, __EGL_VENDOR_LIBRARY_FILENAMES=str(vendor))
        self.assertEqual(self.problems(found), {"pictures"})

    def test_a_display_that_does_not_answer(self):
        self.need_window()
        found = self.check(3, DISPLAY=":4711")
        self.assertEqual(self.problems(found), {"window"})
        self.assertEqual(found["window"]["facts"]["DISPLAY"], ":4711")

    def test_settings_that_cannot_be_written_and_a_font_that_is_none(self):
        self.need_window()
        (self.folder / "a file").touch()
        found = self.check(3, HOME=str(self.folder / "a file"))
        self.assertEqual(self.problems(found), {"settings"})
        folder = self.folder / "home" / ".config" / "tideline"
        folder.mkdir(parents=True)
        (self.folder / "font.ttf").write_text("no font\n", encoding="utf-8")
        settings = {"schema": "tideline.settings/1", "font_file": str(self.folder / "font.ttf")}
        (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        found = self.check(3)
        self.assertEqual(self.problems(found), {"fonts"})
        self.assertEqual(found["settings"]["says"], "can be written")

    def need_window(self):
        if not HAS_WINDOW:
            self.skipTest("this build has no window")


if __name__ == "__main__":
    unittest.main(verbosity=2)

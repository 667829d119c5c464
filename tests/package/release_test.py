"""app/release in a small repository: when it refuses, what it would run, what it writes.

    python3 release_test.py
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COPIED = ("app/release", "app/versions.py", "CMakeLists.txt", "debian/changelog", "plugins/tensorflow/tideline/__init__.py",
          "app/desktop/io.tideline.tideline.metainfo.xml", "plugins/vscode/package.json", "plugins/conda/recipe/meta.yaml",
          "plugins/homebrew/tideline.rb", "plugins/tensorboard/pyproject.toml", "plugins/wheels/tmci/setup.cfg")


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in COPIED:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, self.root / name)
        self.write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.0.1] - 2020-01-01\n\n- The first.\n")
        self.write(".gitignore", "/build/\n")
        self.script("tests/run", 'echo "3 passed, 0 failed, 1 skipped"')
        self.script("app/package", "mkdir -p build/packages && echo $SOURCE_DATE_EPOCH >build/packages/tideline_1.deb")
        self.git("init", "--quiet")
        self.commit()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def script(self, name, command):
        self.write(name, f"#!/bin/sh\n{command}\n").chmod(0o755)

    def git(self, *words):
        settings = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_COMMITTER_DATE": "1700000000 +0000"}
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], cwd=self.root, check=True,
                       env={**os.environ, **settings}, capture_output=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", "a")

    def release(self, expected_code, *words):
        done = subprocess.run(["python3", "-B", self.root / "app/release", *words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, expected_code, done.stderr)
        return done.stderr

    def cut(self):
        self.release(0, "--cut", "3.20.1")
        self.commit()

    def test_cutting_writes_the_version_everywhere(self):
        self.cut()
        for name in COPIED[2:]:
            self.assertIn("3.20.1", (self.root / name).read_text(encoding="utf-8"), name)
        tab = (self.root / "plugins/tensorboard/pyproject.toml").read_text(encoding="utf-8")
        self.assertIn('\nversion = "3.20.1"\n', tab)
        self.assertIn('"tideline==3.20.1"', tab)
        ops = (self.root / "plugins/wheels/tmci/setup.cfg").read_text(encoding="utf-8")
        self.assertRegex(ops, r"\nversion = 3\.20\.1\n[^$]*tideline == 3\.20\.1\n")
        changes = (self.root / "CHANGELOG.md").read_text(encoding="utf-8")
        self.assertRegex(changes, r"## \[Unreleased\]\n\n## \[3\.20\.1\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\.\n\n## \[0\.0\.1\]")
        self.assertRegex((self.root / "debian/changelog").read_text(encoding="utf-8"), r"\Atideline \(3\.20\.1-1\) bookworm; ")
        self.release(0, "--dry-run")
        self.release(2, "--cut", "3.2")
        self.assertIn("nothing is unreleased", self.release(1, "--cut", "3.20.2"))

    def test_what_is_not_ready_is_refused(self):
        self.assertIn("no section", self.release(1))
        self.cut()
        self.write("new.txt", "")
        said = self.release(1)
        self.assertIn("not as committed", said)
        self.assertIn("new.txt", said)
        (self.root / "new.txt").unlink()
        init = self.root / "plugins/tensorflow/tideline/__init__.py"
        init.write_text(init.read_text(encoding="utf-8").replace("3.20.1", "3.20.0"), encoding="utf-8")
        self.commit()
        self.assertIn("says version 3.20.0; expected that of CMakeLists.txt, 3.20.1", self.release(1, "--dry-run"))
        self.assertFalse((self.root / "build").exists())

    def test_a_release_is_tested_packed_and_summed(self):
        self.cut()
        self.script("plugins/wheels/build", 'echo wheel >"$1/tideline.whl"')
        self.commit()
        self.release(0)
        folder = self.root / "build/release/3.20.1"
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["SHA256SUMS", "tideline.whl", "tideline_1.deb"])
        self.assertEqual((folder / "tideline_1.deb").read_text(encoding="utf-8"), "1700000000\n")
        sums = hashlib.sha256(b"wheel\n").hexdigest()
        self.assertIn(f"{sums}  tideline.whl\n", (folder / "SHA256SUMS").read_text(encoding="utf-8"))
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=True)

    def test_failed_tests_release_nothing(self):
        self.script("tests/run", 'echo "3 passed, 1 failed, 0 skipped"')
        self.commit()
        self.cut()
        self.assertIn("all tests: failed", self.release(1))
        self.assertEqual(list((self.root / "build/release/3.20.1").iterdir()), [])

    def test_a_dry_run_says_what_would_be_run(self):
        self.cut()
        said = self.release(0, "--dry-run")
        self.assertIn("SOURCE_DATE_EPOCH=1700000000\n", said)
        self.assertLess(said.index("./tests/run --all"), said.index("./app/package"))
        self.assertFalse((self.root / "build").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)

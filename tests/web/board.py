"""A TensorBoard for a test: the real program on a free port, with the tab, ended with the test."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import tomllib
import urllib.error
import urllib.request

import common

PACKAGE = common.ROOT / "plugins/tensorboard"


def install_tab(folder):
    """A folder that makes the tab known when it is on PYTHONPATH: the package of the sources, and what its pyproject.toml
    says, as an installation would have it. (The wheel has its own test.)"""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    path = pathlib.Path(folder) / "site"
    if not path.exists():
        shutil.copytree(PACKAGE / "tensorboard_plugin_tideline", path / "tensorboard_plugin_tideline",
                        ignore=shutil.ignore_patterns("__pycache__"))
        info = path / f"tensorboard_plugin_tideline-{project['version']}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
        points = "".join(f"{key} = {value}\n" for key, value in project["entry-points"]["tensorboard_plugins"].items())
        (info / "entry_points.txt").write_text("[tensorboard_plugins]\n" + points)
    return path


class TensorBoard:
    """`url` ends with a slash. Use as a context; `kill` ends it by SIGKILL before that. `program`: what --tideline_program
    says. Its temporary files go to `folder`/tmp."""

    def __init__(self, python, folder, *flags, plugin=True, program=common.PROGRAM):
        self.folder, self.tmp = pathlib.Path(folder), pathlib.Path(folder) / "tmp"
        self.tmp.mkdir(exist_ok=True)
        self.log = self.folder / f"tensorboard{time.monotonic_ns()}.log"
        environment = {**os.environ, "TMPDIR": str(self.tmp), "PYTHONDONTWRITEBYTECODE": "1"}
        if plugin:
            environment["PYTHONPATH"] = str(install_tab(folder))
        with open(self.log, "w", encoding="utf-8") as out:
            self.process = subprocess.Popen(
                [str(word) for word in (python, "-m", "tensorboard.main", "--port", 0, "--host", "127.0.0.1", "--reload_interval", 1,
                                        *(["--tideline_program", program] if program else []), *flags)],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment, cwd=folder)

    def __enter__(self):
        try:
            said = common.wait("TensorBoard says where it is", self._address, patience=90)
            self.url = said.rstrip("/") + "/"
            common.wait("TensorBoard answers", lambda: self.get("data/environment"))
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.kill()

    def _address(self):
        assert self.process.poll() is None, self.said()
        found = re.search(r"TensorBoard [\d.]+ at (http://\S+)", self.said())
        return found and found[1]

    def said(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def get(self, path, **headers):
        """The body at `path` below the address; None while nobody answers."""
        try:
            return urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=60).read()
        except urllib.error.HTTPError as refusal:
            raise AssertionError(f"{path}: {refusal.code} {refusal.read()[:500]}\n{self.said()[-3000:]}") from refusal
        except urllib.error.URLError:
            return None

    def kill(self):
        self.process.kill()
        self.process.wait()


def open_tab(driver, url):
    """Opens the tab of the TensorBoard at `url`, and leads the driver into its frame."""
    from selenium.webdriver.common.by import By
    driver.get(url + "#tideline")
    driver.switch_to.frame(common.wait("the tab's frame", lambda: driver.find_element(By.CSS_SELECTOR, "iframe[src*='name=tideline']")))


def link_of(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def processes_of(program):
    """Numbers of the processes that run `program`."""
    return {int(path.parent.name) for path in pathlib.Path("/proc").glob("[0-9]*/exe") if link_of(path) == program}


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def children_of(pid):
    """Numbers of the processes that `pid` started and that still run."""
    found = set()
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if path.read_text().rsplit(")", 1)[1].split()[1] == str(pid):
                found.add(int(path.parent.name))
        except OSError:
            pass
    return found

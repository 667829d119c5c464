"""assets/docs/licences.md names what the program is compiled and linked with, and says how it is used; debian/copyright is made
from it.

    python3 copyright_test.py TIDELINE BUILD       a program with a window, and the folder where ninja built it
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "debian"))
import make_copyright  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop()).resolve()
PROGRAM = pathlib.Path(sys.argv.pop()).resolve()

# Words of the table by the Debian packages that have the headers; None: only declarations of the system.
OF_PACKAGE = {
    "libprotobuf-dev": "protobuf", "nlohmann-json3-dev": "nlohmann-json", "libcli11-dev": "CLI11", "libexpected-dev": "tl::expected",
    "libxxhash-dev": "xxHash", "libfmt-dev": "fmt", "nettle-dev": "nettle", "libboost1.74-dev": "Boost.Beast", "zlib1g-dev": "zlib",
    "libminizip-dev": "minizip", "libsnappy-dev": "Snappy", "libre2-dev": "RE2", "libimgui-dev": "Dear ImGui", "libglfw3-dev": "GLFW",
    "libpng-dev": "libpng", "libfreetype-dev": "FreeType", "libcmark-gfm-dev": "cmark-gfm", "libcmark-gfm-extensions-dev": "cmark-gfm",
    "libgl-dev": "OpenGL", "libegl-dev": "EGL", "libopengl-dev": "OpenGL", "mesa-common-dev": "OpenGL", "libstdc++-12-dev": "libstdc++",
    "libgcc-12-dev": "libgcc", "libc6-dev": None, "linux-libc-dev": None, "libx11-dev": None, "x11proto-dev": None}
# The same by libraries that are linked.
OF_LIBRARY = {
    "protobuf": "protobuf", "fmt": "fmt", "nettle": "nettle", "z": "zlib", "minizip": "minizip", "snappy": "Snappy", "re2": "RE2",
    "imgui": "Dear ImGui", "stb": "stb", "glfw": "GLFW", "png16": "libpng", "png": "libpng", "freetype": "FreeType", "cmark-gfm": "cmark-gfm",
    "cmark-gfm-extensions": "cmark-gfm", "OpenGL": "OpenGL", "GLX": "OpenGL", "GL": "OpenGL", "EGL": "EGL", "stdc++": "libstdc++",
    "gcc_s": "libgcc", "c": None, "m": None, "dl": None, "pthread": None, "ld-linux-x86-64": None}


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def library_name(path):
    """fmt of libfmt.so.9, png16 of libpng16.a."""
    return re.match(r"(?:lib)?(.*?)(?:\.so|\.a)(?:\.|$)", pathlib.Path(path).name)[1]


class Copyright(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for tool in ("ninja", "dpkg-query", "readelf"):
            if shutil.which(tool) is None:
                raise unittest.SkipTest(f"{tool} is not installed")
        cls.rows = make_copyright.rows()
        cls.met = set()

    def row(self, word):
        found = [row for row in self.rows if word in re.split(r", | and ", row[0])]
        self.assertEqual(len(found), 1, f"rows of {word} in assets/docs/licences.md")
        self.met.add(found[0][0])
        return found[0]

    def check(self, name, table, how):
        self.assertIn(name, table, f"{name} is used: name it in assets/docs/licences.md and here")
        if table[name] is not None:
            used = self.row(table[name])[3]
            self.assertRegex(used, how, table[name])

    def check_headers(self):
        headers = set()
        is_ours = False
        for line in lines_of("ninja", "-C", BUILD, "-t", "deps"):
            if not line.startswith(" "):
                is_ours = re.match(r"(core|render|app)/", line) is not None
            elif is_ours and line.strip().startswith("/usr/"):
                headers.add(line.strip())
        self.assertGreater(len(headers), 500)
        # dpkg is asked once.
        packages = {line.split(":")[0] for line in lines_of("dpkg-query", "-S", *sorted(headers))}
        for package in sorted(packages):
            self.check(package, OF_PACKAGE, ".")

    def check_linked(self):
        command = lines_of("ninja", "-C", BUILD, "-t", "commands", "app/tideline")[-1]
        self.assertIn("-o app/tideline", command)
        archives = [word for word in command.split() if word.endswith(".a") and word.startswith("/usr/")]
        self.assertTrue(any("protobuf" in archive for archive in archives), command)
        for archive in archives:
            self.check(library_name(archive), OF_LIBRARY, "^linked statically")
        shared = [re.search(r"\[(.*)\]", line)[1] for line in lines_of("readelf", "-d", PROGRAM) if "(NEEDED)" in line]
        self.assertGreater(len(shared), 5)
        for library in shared:
            self.check(library_name(library), OF_LIBRARY, "linked dynamically|^headers only|from the system")

    def test_what_is_used_is_in_the_table_and_nothing_else(self):
        self.check_headers()
        self.check_linked()
        rest = {row[0] for row in self.rows if not row[3].startswith(("tests", "installed font"))} - self.met
        self.assertEqual(rest, set(), "rows of nothing that is used")

    def test_every_licence_in_the_packages_has_its_text(self):
        texts = set(re.findall(r"^License: (\S+)$", (ROOT / "debian/licence_texts").read_text(encoding="utf-8"), re.M))
        wanted = set()
        for row in self.rows:
            if make_copyright.is_compiled_in(row[3]):
                wanted.update(row[1].split(", "))
        self.assertLessEqual(wanted, texts)
        self.assertEqual(make_copyright.copyright_file(), (ROOT / "debian/copyright").read_text(encoding="utf-8"),
                         "run debian/make_copyright.py")


if __name__ == "__main__":
    unittest.main(verbosity=2)

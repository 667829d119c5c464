"""The tarball of plugins/wheels/build on a bare Debian: unpacked into any folder it opens a window there, with all that it needs inside
but the C library, X11 and GL."""
import pathlib
import re
import shutil

import roots

HERE = pathlib.Path(__file__).resolve().parent
# What a system with a desktop has, and what looks at the window.
PACKAGES = ["libopengl0", "libegl1", "libgl1-mesa-dri", "libglx-mesa0", "libx11-6", "libxcursor1", "libxrandr2", "libxinerama1", "libxi6",
            "xvfb", "xdotool"]
OUTSIDE = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2",
           "libX11.so.6", "libEGL.so.1", "libOpenGL.so.0"}
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")


def name_of(archive):
    return archive.name[:-len(".tar.gz")]


def unpacked(archive, folder):
    roots.run("tar", "-C", folder, "-xf", archive)
    return folder / name_of(archive)


def is_whole(archive, folder, most):
    """Everything inside that is said to be: libraries, texts of their licences, fonts, nothing of the place where it was built. `most`:
    the newest glibc that may be needed, as numbers."""
    there = unpacked(archive, folder)
    binaries = [there / "bin/tideline", *there.glob("lib/**/*.so*")]
    assert len(binaries) == 6, binaries
    inside = {path.name for path in there.glob("lib/*.so*")}
    for path in binaries:
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", roots.run("readelf", "--dynamic", path)))
        assert needed <= OUTSIDE | inside, (path, needed)
        about = roots.run("readelf", "--version-info", "--wide", path)
        versions = {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([\d.]+)", about)}
        assert versions and max(versions) <= most, (path, versions)
        assert not re.search(r"GLIBCXX_|CXXABI_|GCC_", about), path
        assert str(roots.ROOT).encode() not in path.read_bytes(), f"{path.name} names the folder where it was built"
    texts = {path.name for path in (there / "share/doc/tideline/licences").iterdir()}
    for package in ("libglfw3", "libimgui-dev", "libfreetype-dev", "libpng-dev", "libbrotli-dev", "fonts-dejavu-core", "libstb0"):
        assert f"{package}.txt" in texts, texts
    for file in (*(f"share/tideline/fonts/{font}" for font in FONTS), "share/tideline/samples/residual.meta", "share/man/man1/tideline.1",
                 "share/applications/tideline.desktop", "README.txt", "share/doc/tideline/LICENSE"):
        assert (there / file).is_file(), file
    shutil.rmtree(there)
    print(f"{archive.name}: {archive.stat().st_size / 1e6:.2f} MB", flush=True)


def opens_a_window_on(suite, root, archive):
    """In the bare Debian `root`, in a folder that nobody would have thought of."""
    folder = root / "srv/any where"
    folder.mkdir(parents=True)
    there = "/srv/any where/" + unpacked(archive, folder).name
    shutil.copy(HERE / "open_window.sh", root / "tmp")
    assert not (root / "usr/share/fonts").exists() or not list((root / "usr/share/fonts").rglob("DejaVu*")), "the fonts would be the system's"
    said = roots.inside(root, "bash", "/tmp/open_window.sh", f"{there}/bin/tideline", f"{there}/share/tideline/samples/residual.meta")
    shutil.copy(root / "tmp/window.xwd", roots.WORK / f"window_{suite}.xwd")
    colours = int(re.search(r"^(\d+) colours", said, re.M)[1])
    assert colours > 100 and "ended with 130" in said, said
    for good in ("window: OpenGL", "pictures: OpenGL", "checkpoint_backends: 4 found", "fonts: DejaVu Sans"):
        assert re.search(rf"^good +{re.escape(good)}", said, re.M), said
    assert said.count(f"{there}/share/tideline/fonts/") == 3 and not re.search("^problem", said, re.M), said
    picture = roots.inside(root, f"{there}/bin/tideline", "render", f"{there}/share/tideline/samples/residual.meta", "-o", "/tmp/a.png")
    assert (root / "tmp/a.png").stat().st_size > 10_000, picture
    print("a window opens on", suite, re.search(r"opened after \d+ s", said)[0], flush=True)

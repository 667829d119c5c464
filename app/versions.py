"""Where the version stands: CMakeLists.txt is the source, and whatever else has to say it says the same."""
import datetime
import itertools
import re

SOURCE = ("CMakeLists.txt", r"^project\(Tideline VERSION (\d+\.\d+\.\d+) ")
# (files, the version in each)
COPIES = (("plugins/*/pyproject.toml", r'^version = "(.*)"$'),
          ("plugins/*/*/__init__.py", r'^__version__ = "(.*)"$'),
          ("debian/changelog", r"\A\S+ \((.*)-\d+\) "),
          ("plugins/tensorboard/pyproject.toml", r'"tideline==(.*?)"'),
          ("plugins/wheels/*/setup.cfg", r"^version = (\d.*)$"),
          ("plugins/wheels/*/setup.cfg", r"tideline == (.*)$"),
          ("plugins/vscode/package.json", r'^  "version": "(.*)",$'),
          ("plugins/conda/recipe/meta.yaml", r'^{% set version = "(.*)" %}$'),
          ("plugins/homebrew/tideline.rb", r'^  version "(.*)"$'),
          ("plugins/homebrew/tideline.rb", r"/tideline-(.*)\.tar\.gz"),
          ("app/desktop/*.metainfo.xml", r'<release version="([^"]*)"'))
# Those that must be among them.
WANTED = ("plugins/tensorflow/tideline/__init__.py", "debian/changelog")
UNRELEASED = "## [Unreleased]\n"


def said(path, pattern):
    """The match of the first version in the file; None without one."""
    return re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)


def version(root):
    return said(root / SOURCE[0], SOURCE[1])[1]


def copies(root):
    """(path, match) for every place that says it. A file is read when its turn comes: what is written before may move the rest."""
    for files, pattern in COPIES:
        for path in sorted(root.glob(files)):
            match = said(path, pattern)
            if match is not None:
                yield path, match


def problems(root):
    expected = version(root)
    found = [(str(path.relative_to(root)), match[1]) for path, match in copies(root)]
    return [f"{path}: says version {other}; expected that of CMakeLists.txt, {expected}" for path, other in found
            if other != expected] + [f"{path}: says no version; expected {expected}" for path in WANTED if path not in dict(found)]


def section(root, name):
    """The text of a section of CHANGELOG.md; None if there is none."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    match = re.search(rf"^## \[{re.escape(name)}\].*\n((?:(?!## \[).*\n)*)", text, re.MULTILINE)
    return None if match is None else match[1].strip()


def set_version(root, new, now):
    """Writes the version everywhere, and makes what is unreleased in the changelogs its section. `now` is a time with a zone."""
    source = root / SOURCE[0]
    for path, match in itertools.chain([(source, said(source, SOURCE[1]))], copies(root)):
        text = path.read_text(encoding="utf-8")
        path.write_text(text[:match.start(1)] + new + text[match.end(1):], encoding="utf-8")
    day = now.astimezone(datetime.timezone.utc).strftime("%Y-%m-%d")
    for path in sorted(root.glob("app/desktop/*.metainfo.xml")):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r'<release version="[^"]*"[^>]*/>', f'<release version="{new}" date="{day}"/>', text, count=1), encoding="utf-8")
    changes = root / "CHANGELOG.md"
    changes.write_text(changes.read_text(encoding="utf-8").replace(UNRELEASED, f"{UNRELEASED}\n## [{new}] - {day}\n", 1), encoding="utf-8")
    debian = root / "debian/changelog"
    text = debian.read_text(encoding="utf-8").replace("UNRELEASED", "bookworm", 1)
    written = now.strftime("%a, %d %b %Y %H:%M:%S %z")
    debian.write_text(re.sub(r"^( -- .*>  ).*$", lambda line: line[1] + written, text, count=1, flags=re.MULTILINE), encoding="utf-8")

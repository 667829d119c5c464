#!/usr/bin/env python3
"""What is written for package managers and editors that are not here has their form, and the version of the project; the part of the
VS Code extension that needs no editor serves a page."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLUGINS = ROOT / "plugins"
EXTENSION = PLUGINS / "vscode"


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def versions_are_one():
    """Where else it stands than in CMakeLists.txt."""
    version = re.search(r"project\(Tideline VERSION ([\d.]+)", read("CMakeLists.txt"))[1]
    places = {"plugins/tensorflow/tideline/__init__.py": r'__version__ = "(.*?)"', "plugins/tensorboard/pyproject.toml": r'\nversion = "(.*?)"',
              "plugins/vscode/package.json": r'"version": "(.*?)"', "plugins/conda/recipe/meta.yaml": r'set version = "(.*?)"',
              "plugins/homebrew/tideline.rb": r'version "(.*?)"'}
    for path, pattern in places.items():
        found = re.search(pattern, read(path))
        assert found and found[1] == version, f"{path}: {found and found[1]}, expected {version}"
    assert f'"tideline=={version}"' in read("plugins/tensorboard/pyproject.toml")


def the_recipe_is_yaml():
    try:
        import yaml
    except ImportError:
        print("not checked: no PyYAML")
        return
    text = re.sub(r"\{%.*?%\}", "", read("plugins/conda/recipe/meta.yaml"))
    recipe = yaml.safe_load(re.sub(r"\{\{ *(.*?) *\}\}", lambda word: "'" + re.sub(r"\W", "", word[1]) + "'", text))
    assert set(recipe) == {"package", "source", "build", "requirements", "test", "about", "extra"}, recipe
    assert recipe["about"]["license"] == "Apache-2.0" and "libprotobuf" in recipe["requirements"]["host"]
    for name in recipe["about"]["license_file"]:
        assert (ROOT / name).is_file(), name


def the_formula_is_ruby():
    if not shutil.which("ruby"):
        print("not checked: no Ruby")
        return
    subprocess.run(["ruby", "-c", PLUGINS / "homebrew/tideline.rb"], check=True, stdout=subprocess.DEVNULL)


def the_extension_packs_the_same_each_time(folder):
    for name in ("a.vsix", "b.vsix"):
        subprocess.run([sys.executable, "-B", EXTENSION / "pack.py", folder / name], check=True)
    assert (folder / "a.vsix").read_bytes() == (folder / "b.vsix").read_bytes()
    with zipfile.ZipFile(folder / "a.vsix") as archive:
        names = set(archive.namelist())
        for name in ("[Content_Types].xml", "extension.vsixmanifest"):
            xml.dom.minidom.parseString(archive.read(name))
        about = json.loads(archive.read("extension/package.json"))
        manifest = archive.read("extension.vsixmanifest").decode()
    assert f'Version="{about["version"]}"' in manifest
    for asset in re.findall(r'Path="(.*?)"', manifest):
        assert asset in names, asset
    assert "extension/" + about["main"].removeprefix("./") in names
    lines = sum(len(read(f"plugins/vscode/{name}").splitlines()) for name in ("extension.js", "page.js", "package.json"))
    assert lines <= 300, lines


def the_extension_serves_a_page(program):
    node = shutil.which("node")
    if not node:
        print("not tried: no Node.js")
        return
    subprocess.run([node, "--check", EXTENSION / "extension.js"], check=True)
    said = subprocess.run([node, pathlib.Path(__file__).with_name("vscode_page.js"), EXTENSION / "page.js", program,
                           ROOT / "assets/samples/residual.meta"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert said.returncode == 0, said.stdout
    print(said.stdout.strip())


def main():
    versions_are_one()
    the_recipe_is_yaml()
    the_formula_is_ruby()
    with tempfile.TemporaryDirectory(prefix="tideline.") as folder:
        the_extension_packs_the_same_each_time(pathlib.Path(folder))
    the_extension_serves_a_page(sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())

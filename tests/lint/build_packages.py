#!/usr/bin/env python3
"""debian/control and app/setup.sh name the same libraries to build with."""
import re
import sys

import sources

# What app/run needs to build faster or to show a window; debhelper brings the compiler.
ONLY_SETUP = {"g++", "ccache", "libgl1-mesa-dri", "libegl-mesa0", "fonts-dejavu-core"}
ONLY_CONTROL = {"debhelper-compat"}


def of_setup(root):
    text = (root / "app/setup.sh").read_text(encoding="utf-8")
    return set(re.search(r"^TIDELINE_BUILD_PACKAGES=\(([^)]*)\)", text, re.MULTILINE)[1].split())


def of_control(root):
    text = (root / "debian/control").read_text(encoding="utf-8")
    listed = re.search(r"^Build-Depends:((?:.*\n )*.*)$", text, re.MULTILINE)[1]
    return {word.split()[0] for word in listed.split(",")}


def problems(root):
    setup, control = of_setup(root) - ONLY_SETUP, of_control(root) - ONLY_CONTROL
    return [f"debian/control: Build-Depends lacks {name}, which stands in app/setup.sh" for name in sorted(setup - control)] + [
        f"app/setup.sh: TIDELINE_BUILD_PACKAGES lacks {name}, which stands in debian/control" for name in sorted(control - setup)]


if __name__ == "__main__":
    sys.exit(sources.report(problems(sources.ROOT)))

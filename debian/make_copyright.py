#!/usr/bin/env python3
"""Makes debian/copyright (DEP-5) from assets/docs/licences.md, the licence texts beside this file, and NOTICE.

    make_copyright.py [--check]        --check: says whether the file is what it would be
"""
import pathlib
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# What of a library becomes a part of the packages, as the table says how it is used.
COMPILED_IN = ("linked statically", "headers only")


def rows():
    """(library, licence, copyright, how it is used) for each row of the table."""
    lines = (ROOT / "assets/docs/licences.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]
    return cells[1:]  # without the heading


def is_compiled_in(used):
    return used.startswith(COMPILED_IN)


def comment(text):
    return textwrap.fill(text, width=78, initial_indent=" ", subsequent_indent="   ", break_on_hyphens=False)


def copyright_file():
    holder = next(line[len("Copyright "):] for line in (ROOT / "NOTICE").read_text(encoding="utf-8").splitlines()
                  if line.startswith("Copyright "))
    inside = [f"{library}: {licence}; copyright {owner} ({used})" for library, licence, owner, used in rows() if is_compiled_in(used)]
    font = next(row for row in rows() if row[0] == "DejaVu Sans")
    return "\n".join([
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
        "Upstream-Name: Tideline",
        "Comment: made by debian/make_copyright.py from assets/docs/licences.md.",
        " The packages contain parts of these libraries, which are not in the sources:",
        *(" .\n" + comment(line) for line in inside),
        "",
        "Files: *",
        f"Copyright: {holder}",
        "License: Apache-2.0",
        "",
        "Files: app/web/front/dejavu.woff2",
        "Copyright: " + font[2].replace("; ", "\n "),
        "License: DejaVu",
        "",
        "Files: app/desktop/*.metainfo.xml",
        f"Copyright: {holder}",
        "License: FSFAP",
        "",
        (HERE / "licence_texts").read_text(encoding="utf-8")])


def main():
    path = HERE / "copyright"
    if sys.argv[1:] == ["--check"]:
        if path.read_text(encoding="utf-8") == copyright_file():
            return 0
        print("debian/copyright is not what debian/make_copyright.py makes of assets/docs/licences.md: run it")
        return 1
    path.write_text(copyright_file(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Violations of what a file may hold, planted."""

import unittest

import alone
import build_packages
import files
import functions
import licence
import named_files
import page
import printing
import version
from planted import Planted


class Printing(Planted):
    def test_texts_are_printed_by_the_function_that_escapes_them(self):
        self.plant("app/engine/say.h", "void say() { fmt::print(stdout, format, shown(arguments)...); }\n")
        self.plant("app/cli/a.cc", 'say("{}", graph.name(op));\nstd::fflush(stdout);\nsnprintf(text, 3, "%d", 1);\n'
                                   "// fmt::print would not escape.\n")
        self.plant("tests/unit/a.cc", 'fmt::print("{}", 1);\n')
        self.content(printing)

    def test_a_name_is_not_printed_past_it(self):
        for line in ('fmt::print("{}", graph.name(op));', 'fmt::print(stderr, "{}", path);', "std::cout << name;",
                     "std::fputs(name.c_str(), stdout);", "fwrite(name.data(), 1, 3, stderr);", 'printf("%s", name);',
                     'fmt :: print("{}", name);', "std::puts(name);", "fmt::vprint(format, arguments);",
                     "std::cerr<<name;", "::write(STDOUT_FILENO, name, 3);", 'fmt::println("{}", name);'):
            for path in ("app/cli/a.cc", "app/gui/a.h", "core/io/a.cc", "render/ui/a.cc"):
                with self.subTest(line=line, path=path):
                    self.plant(path, f"int f();\n  {line}\n")
                    self.complains(printing, f"{path}:2", "app::say")
                    (self.root / path).unlink()


class Page(Planted):
    def test_what_the_page_may_do(self):
        self.plant("app/web/front/index.html", '<title>a</title><link rel="stylesheet" href="front/a.css"><script type="module" src="front/a.js"></script>\n')
        self.plant("app/web/front/a.js", "// No handlers: on the left https is not meant.\nnode.textContent = name;\nnode.style.left = '1px';\n")
        self.plant("app/web/front/a.css", "[data-style] { color: #fff; }\n")
        self.content(page)

    def test_text_becomes_neither_markup_nor_program(self):
        for line in ("node.innerHTML = name;", "node.insertAdjacentHTML('afterend', name);", "eval(text);", "new Function(text)();",
                     "setTimeout('run()', 1);", "node.setAttribute('style', text);", "node.setAttribute('onclick', text);",
                     "import('./' + name);", "fetch('https://example.org/');", "fetch('//example.org/');"):
            with self.subTest(line=line):
                self.plant("app/web/front/a.js", f"\n{line}\n")
                self.complains(page, "app/web/front/a.js:2")

    def test_nothing_stands_inline(self):
        for line in ('<p style="color: red">', "<style>", '<p onclick="run()">', "<script>run();</script>", '<a href="javascript:run()">',
                     '<img src="//example.org/a.png">'):
            with self.subTest(line=line):
                self.plant("app/web/front/index.html", f"{line}\n")
                self.complains(page, "app/web/front/index.html:1")

    def test_a_style_sheet_from_elsewhere(self):
        self.plant("app/web/front/a.css", '@import "a.css";\n')
        self.complains(page, "a.css:1", "elsewhere")

    def test_a_heavy_page(self):
        self.plant("app/web/front/a.js", f"// {'a' * 151_000}\n")
        self.complains(page, "151004 bytes")

    def test_a_long_file_of_the_page(self):
        self.plant("app/web/front/a.js", "a;\n" * 401)
        self.complains(page, "401 lines")

    def test_a_heavy_font(self):
        self.plant("app/web/front/dejavu.woff2", "a" * 60_001)
        self.complains(page, "60001 bytes")

    def test_a_file_that_is_served_by_mistake(self):
        self.plant("app/web/front/notes.md", "a\n")
        self.complains(page, "notes.md")


class Files(Planted):
    def test_a_long_file(self):
        self.plant("core/base/a.cc", "\n" * 800)
        self.content(files)
        self.plant("core/base/a.cc", "\n" * 801)
        self.complains(files, "801 lines")

    def test_a_long_function(self):
        self.plant("core/base/a.cc", "int f() {\n" + "  g();\n" * 78 + "}\n")
        self.content(files)
        self.plant("core/base/a.cc", "\nint f() {\n" + "  g();\n" * 79 + "}\n")
        self.complains(files, "core/base/a.cc:2", "81 lines", "int f()")

    def test_a_long_function_in_python(self):
        self.plant("tests/golden/a.py", "def f():\n" + "    g()\n" * 80)
        self.complains(files, "81 lines", "f")

    def test_a_header_without_pragma_once(self):
        self.plant("core/base/a.h", "// #pragma once\n")
        self.complains(files, "#pragma once")

    def test_a_note_about_later_needs_owner_and_condition(self):
        self.plant("core/base/a.cc", "// TODO(ann): use std::expected once the compiler has it\n")
        self.content(files)
        for note in ("TODO: tidy", "TODO(ann): tidy", "FIXME", "XXX"):
            self.plant("core/base/a.cc", f"// {note}\n")
            self.complains(files, "core/base/a.cc:1", "later")

    def test_a_long_cmake_list(self):
        self.plant("CMakeLists.txt", "\n" * 81)
        self.complains(files, "81 lines")

    def test_data_of_tests_is_left_alone(self):
        self.plant("tests/golden/cases/a.py", "\n" * 2000)
        self.content(files)


class Alone(Planted):
    def test_a_path_beside_the_repository(self):
        for path, line in (("tests/golden/a_test.cc", 'const auto kLogs = kRoot / "shared/logs";'),
                           ("tests/golden/a_test.cc", 'auto graphs = source / "shared" / name;'),
                           ("tests/bench/run.py", "Made by ../shared/tools/make.py"),
                           ("tests/gui/a.py", "GRAPHS = PLACE / 'shared' / 'graphs'"),
                           ("tests/run", "cp ../shared/graphs/* build"),
                           ("tests/data/graphs/README.md", "Copied from /somewhere/shared/graphs"),
                           ("tests/golden/cases/a.txt", "$ inspect ../shared/a.pb"),
                           ("assets/docs/a.md", "`shared/design`"), ("README.md", "see ../shared")):
            with self.subTest(path=path, line=line):
                self.plant(path, "\n" + line + "\n")
                self.complains(alone, path + ":2", "a path through")
                (self.root / path).unlink()

    def test_a_name_for_it(self):
        for line in ('SHARED = pathlib.Path("..")', "graph = SHARED / name", "graph = common.SHARED", "need_shared()",
                     "const auto kShared = folder();", "read(kShared / name);"):
            with self.subTest(line=line):
                self.plant("tests/integration/a.py", line + "\n")
                self.complains(alone, "tests/integration/a.py:1", "a name for")

    def test_words_for_it(self):
        for line in ("the shared checker agrees", "# Of the shared folder", "Shared oracles"):
            with self.subTest(line=line):
                self.plant("tests/integration/CMakeLists.txt", line + "\n")
                self.complains(alone, "something of")

    def test_a_path_that_leaves_the_repository(self):
        for line in ('DATA = ROOT.parent / "data"', 'const auto data = kSource.parent_path() / "data";',
                     "ROOT = pathlib.Path(__file__).parents[3]"):
            with self.subTest(line=line):
                self.plant("tests/gui/a.py", line + "\n")
                self.complains(alone, "leaves the repository")

    def test_other_things_are_shared_too(self):
        self.plant("core/a.cc", 'std::shared_ptr<A> a = std::make_shared<A>();  // shared scalars, shared by both\n'
                                'case VariableRole::kShared: return "shared";\n'
                                'enum A {\n  kShared,  ///< by all\n};\nBytes kSharedLevels = 1;  // shared.\n')
        self.plant("tests/support/CMakeLists.txt", "add_library(fake SHARED ../support/fake/fake.cc)\n")
        self.plant("tests/golden/cases/a.txt", "  14 slots, 3 shared, 0 model\n")
        self.plant("assets/docs/a.md", "A shared library; libshared/a.so; nothing is shared-memory/x\n")
        self.plant("tests/data/lms_v2/a.json", '{"tensor": "shared/kernel"}\n')
        self.content(alone)


class Licence(Planted):
    def test_a_part_without_the_licence(self):
        self.plant("LICENSE", "Apache License\n   END OF TERMS AND CONDITIONS\n")
        self.plant("NOTICE", "under the Apache License, Version 2.0\n")
        self.plant("README.md", "the [Apache License 2.0](LICENSE)\n")
        self.plant("plugins/a/pyproject.toml", '[project]\nlicense = {text = "Apache-2.0"}\n')
        self.content(licence)
        self.plant("plugins/b/pyproject.toml", "[project]\n")
        self.complains(licence, "plugins/b/pyproject.toml")
        (self.root / "plugins/b/pyproject.toml").unlink()
        (self.root / "LICENSE").unlink()
        self.complains(licence, "LICENSE")


class Version(Planted):
    def test_a_file_that_says_another(self):
        self.plant("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(Tideline VERSION 1.2.3 LANGUAGES C)\n")
        self.plant("plugins/tensorflow/tideline/__init__.py", '__version__ = "1.2.3"\n')
        self.plant("plugins/a/pyproject.toml", '[build-system]\nrequires = []\n[project]\nversion = "1.2.3"\n')
        self.plant("debian/changelog", "tideline (1.2.3-1) UNRELEASED; urgency=medium\n\ntideline (1.2.2-1) bookworm; urgency=medium\n")
        self.content(version)
        self.plant("plugins/a/pyproject.toml", '[project]\nversion = "1.2.2"\n')
        self.complains(version, "plugins/a/pyproject.toml", "1.2.2")
        (self.root / "plugins/a/pyproject.toml").unlink()
        (self.root / "debian/changelog").unlink()
        self.complains(version, "debian/changelog", "no version")


class BuildPackages(Planted):
    def test_a_library_that_only_one_names(self):
        self.plant("app/setup.sh", "TIDELINE_BUILD_PACKAGES=(g++ cmake\n  zlib1g-dev)\n")
        self.plant("debian/control", "Build-Depends: debhelper-compat (= 13),\n cmake (>= 3.25),\n zlib1g-dev\nPriority: optional\n")
        self.content(build_packages)
        self.plant("app/setup.sh", "TIDELINE_BUILD_PACKAGES=(g++ cmake\n  zlib1g-dev libpng-dev)\n")
        self.complains(build_packages, "debian/control", "libpng-dev")
        self.plant("app/setup.sh", "TIDELINE_BUILD_PACKAGES=(cmake)\n")
        self.complains(build_packages, "app/setup.sh", "zlib1g-dev")


class Functions(unittest.TestCase):
    def lengths(self, text):
        return {head.strip(): lines for _, lines, head in functions.cpp_functions(text)}

    def test_braces_in_comments_and_literals_do_not_count(self):
        text = "void f() {  // {\n  g(\"{\", '{', R\"({)\", 1'000);\n}\nvoid h() {}\n"
        self.assertEqual(list(self.lengths(text).values()), [3, 1])

    def test_an_initializer_list_with_braces_belongs_to_its_constructor(self):
        text = "struct A {\n  A(int a)\n      : a_{a}, b_{0} {\n    g();\n  }\n  int a_{1};\n};\n"
        self.assertEqual(list(self.lengths(text).values()), [4])

    def test_lambdas_and_blocks_belong_to_the_function_around_them(self):
        text = "namespace n {\nvoid f() {\n  auto g = [] {\n  };\n  if (a) {\n  }\n}\n}\n"
        self.assertEqual(self.lengths(text), {"void f() {": 6})

    def test_tables_are_no_functions(self):
        text = "const std::array kTable = {\n  f(1),\n  g(2),\n};\nenum class A : int { kB };\n"
        self.assertEqual(self.lengths(text), {})

    def test_operators_are_functions(self):
        text = "bool operator==(A a, A b) {\n  return true;\n}\n"
        self.assertEqual(list(self.lengths(text).values()), [3])


class NamedFiles(Planted):
    def setUp(self):
        super().setUp()
        self.plant("tests/unit/base/a_test.cc", "")
        self.plant("core/base/a.h", "")

    def test_a_head_names_a_test_that_is_there(self):
        for head in ("// Tested by unit/base/a_test.cc.", "// Cost: O(1). Tested by: tests/unit/base/a_test.cc,\n"
                     "// unit/base/*_test.cc and the oracles of the reference (none/of/ours).",
                     "/* Tested in\n * unit/base/a_test.cc */", "/// Source: TFLMS v2, lms.py; see core/base/a.h."):
            with self.subTest(head=head):
                self.plant("core/base/a.cc", head + '\n#include "core/base/a.h"\n')
                self.content(named_files)

    def test_a_test_that_does_not_exist(self):
        for head in ("// Tested by unit/base/b_test.cc.", "// A.\n// Source: own. Tested\n// by: tests/unit/base/b_test.cc",
                     "// Tested by unit/base/a_test.cc\n// and unit/base/b_test.cc.", "/* Tested in unit/base/b_test.cc. */"):
            with self.subTest(head=head):
                self.plant("core/base/a.cc", "int a;\n" + head + "\n#include <vector>\n")
                self.complains(named_files, "core/base/a.cc:2", "unit/base/b_test.cc")

    def test_a_test_without_its_folder(self):
        self.plant("core/base/a.cc", "// Tested by a_test.cc.\n")
        self.complains(named_files, "names a_test.cc")

    def test_a_pattern_that_nothing_fits(self):
        for pattern in ("unit/graph/*", "tests/unit/graph/*", "unit/base/*_property.cc"):
            with self.subTest(pattern=pattern):
                self.plant("core/base/a.cc", f"// Tested by {pattern}.\n")
                self.complains(named_files, f"names {pattern}")

    def test_a_source_or_a_note_that_does_not_exist(self):
        for path, text in (("core/base/a.cc", "int a;  // Source: see core/base/b.h (rules only)\n"),
                           ("tests/unit/a.py", '"""Of core/base/b.h."""\n'), ("tests/unit/a.py", "# core/base/b.h\n"),
                           ("tests/CMakeLists.txt", "# What core/base/b.h needs.\n")):
            with self.subTest(path=path, text=text):
                self.plant(path, text)
                self.complains(named_files, f"{path}:1", "core/base/b.h")
                (self.root / path).unlink()

    def test_code_and_other_paths_are_left_alone(self):
        self.plant("core/base/a.cc", '// and/or, a/b.cc, tensorflow/core/b.h, https://host/core/b.h, /home/tests/x\n'
                                     'const char* a = "tests/nowhere";\n')
        self.content(named_files)


if __name__ == "__main__":
    unittest.main()

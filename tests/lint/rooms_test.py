"""Violations of the walls between rooms, planted."""

import unittest

import layers
import local_names
import option_names
from planted import Planted


class Layers(Planted):
    def test_a_room_knows_itself_and_those_before_it(self):
        self.plant("core/graph/a.cc", '#include "core/graph/a.h"\n#include "core/base/b.h"\n')
        self.plant("core/rewrite/lms2/a.cc", '#include "core/analysis/b.h"\n')
        self.plant("app/cli/a.cc", '#include "core/io/b.h"\n#include "render/view/c.h"\n')
        self.plant("app/main.cc", '#include "app/cli/b.h"\n#include "app/gui/c.h"\n')
        self.plant("tests/unit/a.cc", '#include "app/cli/b.h"\n#include <nlohmann/json.hpp>\n')
        self.content(layers)

    def test_an_earlier_room_does_not_know_a_later_one(self):
        self.plant("core/graph/a.h", '#pragma once\n\n  #  include "core/analysis/b.h"\n')
        self.complains(layers, "core/graph/a.h:3", "core/graph does not know core/analysis")

    def test_reading_files_and_analysing_do_not_know_each_other(self):
        self.plant("core/io/a.cc", '#include <core/analysis/b.h>\n')
        self.complains(layers, "core/io does not know core/analysis")

    def test_the_core_knows_no_app(self):
        self.plant("core/rewrite/a.cc", '#include "app/cli/b.h"\n')
        self.complains(layers, "core/rewrite does not know app/cli")

    def test_drawing_reads_no_files(self):
        self.plant("render/view/a.cc", '#include "core/io/b.h"\n')
        self.complains(layers, "render/view does not know core/io")

    def test_the_product_knows_no_tests(self):
        self.plant("app/session/a.cc", '#include "tests/support/b.h"\n')
        self.complains(layers, "app/session does not know tests")

    def test_inner_walls_of_drawing(self):
        for path, header in (("render/view/a.h", "render/model/b.h"), ("render/view/a.cc", "render/ui/b.h"),
                             ("render/model/a.h", "render/ui/b.h"), ("render/model/a.h", "render/gl/b.h"),
                             ("render/gl/a.cc", "render/view/b.h")):
            with self.subTest(path=path, header=header):
                self.plant(path, f'#include "{header}"\n')
                self.complains(layers, path, f"does not know {header[:header.rindex('/')]}")
                (self.root / path).unlink()

    def test_panels_draw_with_opengl_in_one_place(self):
        self.plant("render/ui/offscreen_frame.cc", '#include "render/gl/offscreen.h"\n')
        self.content(layers)
        self.plant("render/ui/memory_panel.cc", '#include "render/gl/offscreen.h"\n')
        self.complains(layers, "render/ui/memory_panel.cc", "panels know no OpenGL")

    def test_the_command_line_knows_no_viewer_but_for_scripts(self):
        self.plant("app/cli/script.cc", '#include "app/actions/script.h"\n')
        self.content(layers)
        self.plant("app/cli/why.cc", '#include "app/session/viewer.h"\n')
        self.complains(layers, "app/cli/why.cc", "the command line knows no viewer")

    def test_the_engine_knows_no_session_and_a_session_no_action(self):
        for path, header in (("app/engine/a.cc", "app/session/b.h"), ("app/engine/a.cc", "app/actions/b.h"),
                             ("app/session/a.cc", "app/actions/b.h")):
            with self.subTest(path=path, header=header):
                self.plant(path, f'#include "{header}"\n')
                self.complains(layers, path, f"does not know {header[:header.rindex('/')]}")
                (self.root / path).unlink()

    def test_fronts_know_the_session_and_not_each_other(self):
        for path, header in (("app/cli/a.cc", "app/gui/b.h"), ("app/gui/a.cc", "app/cli/b.h"),
                             ("app/session/a.cc", "app/gui/b.h"), ("app/session/a.cc", "app/cli/b.h"),
                             ("app/session/a.h", "render/ui/b.h"), ("app/cli/a.cc", "render/ui/b.h")):
            with self.subTest(path=path, header=header):
                self.plant(path, f'#include "{header}"\n')
                self.complains(layers, path, f"does not know {header[:header.rindex('/')]}")
                (self.root / path).unlink()

    def test_a_new_inner_room_has_to_be_named(self):
        self.plant("render/web/a.cc", '#include <vector>\n')
        self.complains(layers, "render/web")

    def test_a_new_room_has_to_be_named(self):
        self.plant("core/utils/a.cc", '#include <vector>\n')
        self.complains(layers, "core/utils")

    def test_protobuf_stays_out_of_headers(self):
        self.plant("core/io/a.cc", '#include <google/protobuf/arena.h>\n#include "core/io/proto/g.pb.h"\n')
        self.content(layers)
        self.plant("core/io/a.h", '#include "core/io/proto/g.pb.h"\n')
        self.complains(layers, "core/io/a.h:1", "protobuf")

    def test_every_library_has_its_place(self):
        for path, header in (("core/rewrite/a.cc", "nlohmann/json.hpp"), ("app/cli/a.cc", "CLI/CLI.hpp"),
                             ("core/io/a.cc", "dlfcn.h"), ("core/io/a.cc", "nettle/sha2.h"), ("core/io/a.cc", "re2/re2.h"),
                             ("core/graph/a.cc", "xxhash.h"), ("render/view/a.cc", "GL/gl.h"),
                             ("app/cli/a.cc", "google/protobuf/message.h")):
            with self.subTest(header=header):
                self.plant(path, f"#include <{header}>\n")
                self.complains(layers, path, header)
                (self.root / path).unlink()


class LocalNames(Planted):
    FIRST = "namespace tideline {\nnamespace {\n\nstruct Sums {\n  int run() const {\n    return 1;\n  }\n};\nconstexpr int kMost = 3;\n" \
            "int count(const Graph& graph, int = 2) {\n  return 1;\n}\n\n}  // namespace\n}  // namespace tideline\n"

    def plant_both(self, second, other="render/view/b.cc"):
        self.plant("render/view/a.cc", self.FIRST)
        self.plant(other, f"namespace tideline {{\nnamespace {{\n\n{second}\n\n}}  // namespace\n}}  // namespace tideline\n")

    def test_a_type_a_constant_or_a_function_of_two_files(self):
        for second, name in (("class Sums {\n};", "Sums"), ("constexpr std::size_t kMost = 4;", "kMost"),
                             ("int count(const Graph& other, int most) {\n  return 2;\n}", "count(const Graph&, int)")):
            with self.subTest(name):
                self.plant_both(second)
                self.complains(local_names, "render/view/a.cc", name, "render/view/b.cc")

    def test_what_is_apart(self):
        for second in ("int count(const Plan& plan) {\n  return 2;\n}", "struct Sum {\n  int run() const {\n    return 2;\n  }\n};",
                       "namespace field {\nconstexpr int kMost = 4;\n}  // namespace field"):
            with self.subTest(second):
                self.plant_both(second)
                self.content(local_names)
        self.plant_both("struct Sums {\n};", other="render/model/b.cc")
        (self.root / "render/view/b.cc").unlink()
        self.content(local_names)


class OptionNames(Planted):
    TABLE = ('constexpr Bound kA = bound<O, &O::swap_far>({.name = "swap-far", .title = "far"});\n'
             'constexpr Bound kB = bound<O, &O::mode>({.name = "mode"});\n'
             'filter<&O::a, &F::scopes>(\n    "only-scopes", "only_scopes"),\n')

    def setUp(self):
        super().setUp()
        self.plant("core/rewrite/one/parameters.cc", self.TABLE)

    def test_a_parameter_in_another_room(self):
        for text in ('"--swap-far"', "options.swap_far = 1;", "// the swap far", '"mode"', 'get("only-scopes")'):
            with self.subTest(text=text):
                self.plant("app/cli/a.cc", text + "\n")
                self.complains(option_names, "app/cli/a.cc:1", "a parameter of one")

    def test_the_folder_itself_tests_and_other_words_are_left_alone(self):
        self.plant("core/rewrite/one/options.h", "int swap_far;\n")
        self.plant("tests/unit/a_test.cc", '"swap-far"\n')
        self.plant("app/cli/a.cc", "// the mode of a file, swap_farther\n")
        self.content(option_names)

    def test_a_table_without_parameters(self):
        self.plant("core/rewrite/two/parameters.cc", "int a;\n")
        self.complains(option_names, "core/rewrite/two/parameters.cc: no parameter found")


if __name__ == "__main__":
    unittest.main()

#include "core/io/op_header_sizes.h"

#include <catch2/catch.hpp>

namespace tideline::io {

TEST_CASE("only headers that are not in their shortest form are remembered") {
  CHECK(OpHeaderSizes::shortest(0) == 2);
  CHECK(OpHeaderSizes::shortest(127) == 2);
  CHECK(OpHeaderSizes::shortest(128) == 3);
  OpHeaderSizes sizes;
  sizes.add(0, 2, 100);
  sizes.add(1, 4, 100);
  sizes.add(2, 3, 200);
  CHECK(sizes.unusual(0) == 0);
  CHECK(sizes.unusual(1) == 4);
  CHECK(sizes.unusual(2) == 0);
  CHECK(sizes.unusual(1000) == 0);
}

TEST_CASE("ops that no file has move the others on") {
  OpHeaderSizes sizes;
  sizes.insert_in_front(2);
  CHECK(sizes.unusual(0) == 0);
  sizes.add(3, 5, 1);
  sizes.insert_in_front(2);
  CHECK(sizes.unusual(3) == 0);
  CHECK(sizes.unusual(5) == 5);
}

}  // namespace tideline::io

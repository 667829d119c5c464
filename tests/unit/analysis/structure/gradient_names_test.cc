#include "core/analysis/structure/gradient_names.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("an op of a backward pass works for the forward op in its name") {
  CHECK(layer_name("gradients/conv1/Conv2D_grad/Conv2DBackpropFilter") == "conv1/Conv2D");
  CHECK(layer_name("opt/gradients_1/net/fc/MatMul_grad/tuple/control_dependency") ==
        "net/fc/MatMul");
  CHECK(layer_name("gradient_tape/net/conv1/Conv2D/Conv2DBackpropInput") ==
        "net/conv1/Conv2D/Conv2DBackpropInput");
  CHECK(layer_name("training/Adam/gradients/gradients/loss/mul_grad/Mul") == "loss/mul");
}

TEST_CASE("other names stay as they are") {
  CHECK(layer_name("conv1/Relu") == "conv1/Relu");
  CHECK(layer_name("my_gradients/x_grad/y") == "my_gradients/x_grad/y");
  CHECK(layer_name("gradients") == "gradients");
  CHECK(layer_name("gradients_of_loss/x") == "gradients_of_loss/x");
  CHECK(layer_name("gradients/AddN_3") == "AddN_3");
  CHECK(layer_name("") == "");
}

TEST_CASE("the scope around a backward pass is told whole") {
  CHECK(gradient_scope_of("opt/gradients/fc/MatMul_grad/MatMul") == "opt/gradients");
  CHECK(gradient_scope_of("a/gradients/b/gradients_2/c") == "a/gradients/b/gradients_2");
  CHECK(gradient_scope_of("conv1/Relu").empty());
  CHECK(gradient_scope_of("opt/gradients").empty());  // the name of the op itself
}

}  // namespace tideline

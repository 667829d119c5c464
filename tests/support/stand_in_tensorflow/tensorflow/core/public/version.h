/* In place of TensorFlow's header of this name: see tensor.h beside it. */
#pragma once

#define TF_VERSION_STRING "0.0.0-stand-in"

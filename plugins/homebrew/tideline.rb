# A formula of Homebrew on Linux for the command line. Untried: the machine on which it was written has no Homebrew.
class Tideline < Formula
  desc "Device memory of a TensorFlow training step, and large model support for its graph"
  # The project has no address yet: HOMEBREW_TIDELINE_SDIST is the path of the sdist that plugins/wheels/build makes.
  url "file://#{ENV.fetch("HOMEBREW_TIDELINE_SDIST", "/tmp/tideline-0.1.0.tar.gz")}"
  version "0.1.0"
  license "Apache-2.0"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "tl-expected" => :build
  depends_on "boost"
  depends_on "cmark-gfm"
  depends_on "fmt"
  depends_on :linux
  depends_on "minizip"
  depends_on "nettle"
  depends_on "protobuf@21"
  depends_on "re2"
  depends_on "snappy"
  depends_on "xxhash"
  depends_on "zlib"

  def install
    args = %w[-DTIDELINE_BUILD_GUI=OFF -DTIDELINE_BUILD_TESTS=OFF -DTIDELINE_TOGETHER=ON -DTIDELINE_INSTALL=OFF]
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build", "--target", "tideline"
    bin.install "build/app/tideline"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tideline --version")
  end
end

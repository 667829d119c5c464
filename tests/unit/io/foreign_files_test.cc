#include "core/io/foreign_files.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/io/graph_format.h"
#include "core/io/wire.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline::io {
namespace {

using namespace std::string_literals;

std::string field(std::uint32_t number, const std::string& content) {
  std::string out;
  append_bytes(out, number, content);
  return out;
}

std::string said(const std::string& bytes, FileUse use = FileUse::kGraph) {
  return foreign_file(bytes, bytes, use).value_or("");
}

std::string record(const std::string& data) {
  std::string length;
  append_little_endian(length, std::uint64_t{data.size()});
  std::string out = length;
  append_little_endian(out, mask_crc(crc32c(length)));
  out += data;
  append_little_endian(out, mask_crc(crc32c(data)));
  return out;
}

std::string zip_of(const std::string& name) {
  std::string out = "PK\x03\x04" + std::string(22, '\0');
  out += static_cast<char>(name.size());
  return out + std::string(3, '\0') + name + "content";
}

const std::string kLfs = "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 4310\n";

}  // namespace

TEST_CASE("a Git LFS pointer in place of a file is named, and how to fetch the file") {
  CHECK(said(kLfs) ==
        "is a Git LFS pointer and not the file itself; expected a graph: fetch the file with 'git "
        "lfs pull'");
  CHECK(said(kLfs, FileUse::kLog).find("an event log: fetch the file with 'git lfs pull'") !=
        std::string::npos);
  CHECK(said(kLfs, FileUse::kCheckpoint).find("a checkpoint: fetch") != std::string::npos);
}

TEST_CASE("files of other programs are named by their first bytes") {
  struct Case {
    std::string bytes;
    const char* what;
  };
  const Case cases[] = {
      {"\x1f\x8b\x08\0rest"s, "is packed by gzip; expected a graph: unpack it first (gunzip)"},
      {"BZh91AY"s, "packed by bzip2"},
      {"\xfd"
       "7zXZ\0"s,
       "packed by xz"},
      {"\x28\xb5\x2f\xfd\x04"s, "packed by zstd"},
      {"a.txt" + std::string(95, '\0') + "0000644" + std::string(150, '\0') + "ustar\0"s,
       "a tar archive"},
      {zip_of("weights.npy"), "an .npz archive"},
      {zip_of("config.json"), "a .keras archive"},
      {zip_of("archive/data.pkl"), "a PyTorch file"},
      {zip_of("readme"), "a zip archive; expected a graph: unpack it first (unzip)"},
      {"\x89HDF\r\n\x1a\n"s, "an HDF5 file"},
      {"\x1c\0\0\0TFL3\x14"s, "a TensorFlow Lite model"},
      {"ML\xefR\x01"s, "StableHLO"},
      {"\x80\x02}q\x01."s, "a Python pickle"},
      {"\x80\x04\x95\x10\0\0\0\0\0\0\0"s, "a Python pickle"},
      {"\x80\x02\x8a\nl\xfc\x9c"
       "F\xf9 j\xa8P\x19."s,
       "a PyTorch file"},
      {"\x93NUMPY\x01\0"s, "an .npy file"},
      {"\x02\0\0\0\0\0\0\0{}"s, "a safetensors file"},
      {"\x89PNG\r\n\x1a\n"s, "an image"},
      {"\xff\xd8\xff\xe0"s, "an image"},
      {"%PDF-1.7"s, "a PDF document"},
      {"\x7f"
       "ELF\x02"s,
       "a program or a library"},
      {"\xff\xfen\0o\0d\0e\0"s, "a text in UTF-16"},
      {"\xfe\xff\0n\0o\0d\0e"s, "a text in UTF-16"},
      {"n\0o\0d\0e\0 \0{\0 \0n\0a\0m\0e\0:\0 \0\"\0x\0\"\0 \0}\0"s, "a text in UTF-16"},
      {"\n <!DOCTYPE html><html>"s,
       "a web page (HTML); expected a graph: download the file itself"},
      {"\xef\xbb\xbf<html lang=\"en\">"s, "a web page (HTML)"},
      {"<?xml version=\"1.0\"?><Error>"s, "an XML document"},
      {"{\"modelTopology\": {}}"s, "a model of TensorFlow.js"},
      {"[{\"a\": 1}]"s, "a JSON text"},
      {"HloModule jit_f\n"s, "an HLO module"},
      {"module @jit_f {\n"s, "MLIR"},
      {"model_checkpoint_path: \"model-1\"\n"s, "the list of checkpoints"},
      {"\x08\x07\x12\x07pytorch\x1a\x03"s + "2.0" + field(7, field(1, "node")), "an ONNX model"},
      {"\x08\x08"s + field(8, "\x10\x11"), "an ONNX model"},
      {field(1, "net") + field(2, field(1, "data") + field(2, "conv") + field(4, "Conv")),
       "a Caffe2 net"},
      {field(1, "\x08\x01" + field(2, "/host:CPU") + field(3, "")), "a profile (XSpace"},
      {field(1, field(2, "Task Environment")), "a profile (XSpace"},
      {record(field(1, field(1, field(1, "age") + field(2, "x")))),
       "a TFRecord file of training data"},
      {std::string(40, 'x') + "\x57\xfb\x80\x8b\x24\x75\x47\xdb", "the index of a TensorFlow"},
  };
  for (const Case& entry : cases) {
    INFO(entry.what);
    CHECK_THAT(said(entry.bytes), Catch::Matchers::Contains(entry.what));
    CHECK(sniff(entry.bytes).kind == FileKind::kForeign);
  }
}

TEST_CASE("what Tideline reads is not foreign") {
  // A line feed and a brace begin a graph whose first op takes 123 bytes.
  std::string op = field(1, "a") + field(2, "NoOp");
  op += field(3, std::string(123 - op.size() - 2, 'x'));
  REQUIRE(op.size() == 123);
  const std::string graph = test::encode_graph("a = Const() f32[2]\n b = Relu(a) f32[2]\n");
  const std::string cases[] = {
      field(1, op),
      graph,
      field(1, field(4, "serve")) + field(2, graph),
      "\x08\x01" + field(2, field(2, graph)),
      field(2, field(2, graph)),
      field(4, "\x08\x1b"),
      test::encode_graph("TFL3/a = Const() f32[2]\n"),  // at the place of TensorFlow Lite's number
      "node { name: \"x\" op: \"NoOp\" }",
      "\xef\xbb\xbfnode { name: \"x\" op: \"NoOp\" }",
      "versions { producer: 27 }",
      "version: 3",
      record("\x0a\x03"
             "bad"),
      record("\x09" + std::string(8, '\0') + "\x1a\x0d" + "brain.Event:2"),
  };
  for (const std::string& bytes : cases) {
    for (const FileUse use : {FileUse::kGraph, FileUse::kLog, FileUse::kCheckpoint}) {
      CHECK(said(bytes, use).empty());
    }
    CHECK(sniff(bytes).kind != FileKind::kForeign);
  }
}

TEST_CASE("tensors are foreign to who wants a graph, not to who wants a checkpoint") {
  const std::string cases[] = {"\x02\0\0\0\0\0\0\0{}"s, zip_of("weights.npy"), "\x93NUMPY\x01\0"s,
                               std::string(40, 'x') + "\x57\xfb\x80\x8b\x24\x75\x47\xdb"};
  for (const std::string& bytes : cases) {
    CHECK_THAT(said(bytes), Catch::Matchers::Contains("'tideline checkpoint ls' reads tensors"));
    CHECK(said(bytes, FileUse::kCheckpoint).empty());
  }
}

TEST_CASE("every byte may be missing of a foreign file") {
  const std::string onnx = "\x08\x07\x12\x07pytorch"s + field(7, std::string(300, 'x'));
  for (std::size_t size = 0; size <= onnx.size(); ++size) {
    (void)said(onnx.substr(0, size));
  }
  CHECK_THAT(said(onnx.substr(0, 16)), Catch::Matchers::Contains("ONNX"));
}

TEST_CASE("a file is looked at by its path, and one that is not there is nothing") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("pointer"), std::ios::binary) << kLfs;
  CHECK(foreign_file_at(folder.file("pointer"), FileUse::kGraph));
  CHECK_FALSE(foreign_file_at(folder.file("nowhere"), FileUse::kGraph));
  CHECK_FALSE(foreign_file_at(folder.file("."), FileUse::kGraph));
}

}  // namespace tideline::io

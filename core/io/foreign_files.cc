// Most kinds are told by their first bytes, from one table. Those without a number of their own are
// protocol buffers of other programs, told by fields that no message of TensorFlow has, and texts,
// told by their first word.
// Source: the formats' public descriptions. Tested by unit/io/foreign_files_test.cc.
#include "core/io/foreign_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/base/input_file.h"
#include "core/base/text.h"
#include "core/io/wire.h"

namespace tideline::io {
namespace {

using namespace std::string_view_literals;

constexpr std::array<const char*, 4> kNouns = {"a graph", "an event log", "a checkpoint",
                                               "run metadata"};

struct Kind {
  std::string_view what;
  std::string_view instead = {};         // what to do to get what is expected
  std::string_view for_graph = {};       // what is expected; takes precedence over `instead`
  std::string_view for_checkpoint = {};  // the same
  bool is_checkpoint = false;            // one that is read
};

constexpr std::string_view kOrigin = "the TensorFlow graph that it was made from";
constexpr std::string_view kTensorsOnly = "a graph; 'tideline checkpoint ls' reads tensors";
constexpr std::string_view kExport =
    "a SavedModel: load it in Python and write one with model.export(DIR)";
constexpr std::string_view kFromTorch =
    "a safetensors file: load it in PyTorch and write one with safetensors.torch.save_file";

constexpr Kind kLfs = {"a Git LFS pointer and not the file itself",
                       "fetch the file with 'git lfs pull'"};
constexpr Kind kZip = {"a zip archive", "unpack it first (unzip)"};
constexpr Kind kNpz = {"an .npz archive of NumPy arrays", "", kTensorsOnly, "", true};
constexpr Kind kKeras = {"a .keras archive, which holds layers and weights and no graph", "",
                         kExport, kExport};
constexpr Kind kTorch = {"a PyTorch file", "", kOrigin, kFromTorch};
constexpr Kind kPickle = {
    "a Python pickle, which may run any code when it is loaded", "", "",
    ".npy files: load it in Python if you trust it, and write its arrays with numpy.save"};
constexpr Kind kSafetensors = {"a safetensors file", "", kTensorsOnly, "", true};
constexpr Kind kTable = {"the index of a TensorFlow checkpoint", "",
                         "the .meta beside it; 'tideline checkpoint ls' reads tensors", "", true};
constexpr Kind kLatest = {"the list of checkpoints in a folder", "",
                          "the .meta of one of them; 'tideline checkpoint ls' reads tensors", "",
                          true};
constexpr Kind kWebPage = {"a web page (HTML)",
                           "download the file itself (of GitHub, the raw one)"};
constexpr Kind kXml = {"an XML document, perhaps the message of a server"};
constexpr Kind kUtf16 = {"a text in UTF-16", "convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)"};
constexpr Kind kUtf32 = {"a text in UTF-32", "convert it to UTF-8 (iconv -f UTF-32 -t UTF-8)"};
constexpr Kind kOnnx = {"an ONNX model", "", kOrigin};
constexpr Kind kCoreMl = {"a Core ML model", "", kOrigin};
constexpr Kind kCaffe2 = {"a Caffe2 net", "", kOrigin};
constexpr Kind kTfLite = {"a TensorFlow Lite model", "", kOrigin};
constexpr Kind kTfJs = {"a model of TensorFlow.js", "", kOrigin};
constexpr Kind kMlir = {"MLIR, such as StableHLO", "", kOrigin};
constexpr Kind kHlo = {"the text of an HLO module of XLA", "", kOrigin};
constexpr Kind kProfile = {
    "a profile (XSpace, .xplane.pb), which holds times and no graph; the profile tab of "
    "TensorBoard "
    "shows it"};
constexpr Kind kExamples = {"a TFRecord file of training data (tf.train.Example)"};
constexpr Kind kTar = {"a tar archive", "unpack it first (tar -xf)"};
constexpr Kind kImage = {"an image"};
constexpr Kind kProgram = {"a program or a library"};

struct Signature {
  std::string_view bytes;  // the first ones
  Kind kind;
};

constexpr Kind packed(std::string_view what, std::string_view instead) {
  return {what, instead};
}

constexpr Signature kSignatures[] = {
    {"version https://git-lfs.github.com/spec/"sv, kLfs},
    {"version http://git-media.io/v/"sv, kLfs},
    {"version https://hawser.github.com/spec/"sv, kLfs},
    {"\x1f\x8b\x08"sv, packed("packed by gzip", "unpack it first (gunzip)")},
    {"BZh"sv, packed("packed by bzip2", "unpack it first (bunzip2)")},
    {"\xfd"
     "7zXZ\0"sv,
     packed("packed by xz", "unpack it first (unxz)")},
    {"\x28\xb5\x2f\xfd"sv, packed("packed by zstd", "unpack it first (unzstd)")},
    {"\x04\x22\x4d\x18"sv, packed("packed by lz4", "unpack it first (unlz4)")},
    {"\x1f\x9d"sv, packed("packed by compress", "unpack it first (uncompress)")},
    {"7z\xbc\xaf\x27\x1c"sv, packed("a 7z archive", "unpack it first (7z x)")},
    {"Rar!\x1a\x07"sv, packed("a RAR archive", "unpack it first (unrar x)")},
    {"PK\x05\x06"sv, {"an empty zip archive"}},
    {"\x89HDF\r\n\x1a\n"sv,
     {"an HDF5 file, as Keras writes weights and models, and holds no graph", "", kExport,
      kExport}},
    {"ML\xefR"sv, kMlir},
    {"BC\xc0\xde"sv, {"LLVM bitcode"}},
    {"\x93NUMPY"sv, {"an .npy file, one NumPy array", "", kTensorsOnly, "", true}},
    {"GGUF"sv, {"a GGUF file of llama.cpp"}},
    {"PAR1"sv, {"a Parquet table"}},
    {"ARROW1"sv, {"an Arrow table"}},
    {"SQLite format 3\0"sv, {"an SQLite database"}},
    {"\x89PNG\r\n\x1a\n"sv, kImage},
    {"\xff\xd8\xff"sv, kImage},
    {"GIF87a"sv, kImage},
    {"GIF89a"sv, kImage},
    {"RIFF"sv, {"a RIFF file, such as an image or a sound"}},
    {"%PDF-"sv, {"a PDF document"}},
    {"\x7f"
     "ELF"sv,
     kProgram},
    {"\xcf\xfa\xed\xfe"sv, kProgram},
    {"\xca\xfe\xba\xbe"sv, kProgram},
    {"MZ\x90\0"sv, kProgram},
    {"\xff\xfe\0\0"sv, kUtf32},
    {"\0\0\xfe\xff"sv, kUtf32},
};

// The first words of texts; tried in lower case after blanks and a byte-order mark.
constexpr Signature kFirstWords[] = {
    {"<!doctype html"sv, kWebPage},
    {"<html"sv, kWebPage},
    {"<head"sv, kWebPage},
    {"<?xml"sv, kXml},
    {"<svg"sv, kImage},
    {"hlomodule "sv, kHlo},
    {"module @"sv, kMlir},
    {"module {"sv, kMlir},
    {"module attributes"sv, kMlir},
    {"func.func "sv, kMlir},
    {"#loc = loc("sv, kMlir},
    {"model_checkpoint_path:"sv, kLatest},
    {"{"sv, {"a JSON text"}},
    {"[{"sv, {"a JSON text"}},
};

const Kind* among(std::span<const Signature> signatures, std::string_view head) {
  const auto found =
      std::find_if(signatures.begin(), signatures.end(),
                   [&](const Signature& signature) { return head.starts_with(signature.bytes); });
  return found == signatures.end() ? nullptr : &found->kind;
}

// The number of a FlatBuffer stands behind the place of its root, which is not far away. The name
// of a graph's first op may stand at the same place.
const Kind* flat_buffer(std::string_view head) {
  const std::string_view number = head.substr(std::min<std::size_t>(2, head.size()));
  return number.starts_with("\0\0TFL3"sv) ? &kTfLite : nullptr;
}

// The number of a tar archive stands behind the first name and numbers in octal digits.
const Kind* tar(std::string_view head) {
  constexpr std::size_t kMode = 100, kModeBytes = 8, kNumber = 257;
  if (head.size() < kNumber || !head.substr(kNumber).starts_with("ustar")) return nullptr;
  const std::string_view mode = head.substr(kMode, kModeBytes);
  const bool is_octal = std::all_of(mode.begin(), mode.end(), [](char c) {
    return (c >= '0' && c <= '7') || c == ' ' || c == '\0';
  });
  return is_octal ? &kTar : nullptr;
}

// The header of a zip archive's first entry: 4 bytes that say so, and at 26 the length of the name
// at 30.
const Kind* archive(std::string_view head) {
  constexpr std::size_t kNameLength = 26;
  constexpr std::size_t kName = 30;
  if (!head.starts_with("PK\x03\x04"sv)) return nullptr;
  if (head.size() < kName) return &kZip;
  const std::uint64_t length = from_little_endian(head.substr(kNameLength, 2));
  const std::string_view name = head.substr(kName, static_cast<std::size_t>(length));
  if (name == "metadata.json" || name == "config.json" || name == "model.weights.h5") {
    return &kKeras;
  }
  if (name.ends_with("/data.pkl") || name.ends_with("/.format_version")) return &kTorch;
  return name.ends_with(".npy") ? &kNpz : &kZip;
}

// A pickle says its protocol and goes on with an instruction, which is a printable character but
// for a frame and for numbers of some length. PyTorch's old format begins with such a number.
const Kind* pickle(std::string_view head) {
  constexpr std::string_view kTorchNumber =
      "\x80\x02\x8a\x0a"
      "l\xfc\x9c"
      "F\xf9 j\xa8P\x19"sv;
  if (head.starts_with(kTorchNumber)) return &kTorch;
  if (head.size() < 3 || head[0] != '\x80' || head[1] < 2 || head[1] > 5) return nullptr;
  const bool goes_on = (head[2] > ' ' && head[2] < '\x7f') || head[2] == '\x95' ||
                       head[2] == '\x8a' || head[2] == '\x8c';
  return goes_on ? &kPickle : nullptr;
}

// Eight bytes with the length of a JSON text, and the text. An event log, whose checksum may begin
// like one, goes on with the tag of a time.
const Kind* safetensors(std::string_view head) {
  constexpr std::size_t kLength = 8;
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32U;
  if (head.size() < kLength + 2 || head[kLength] != '{') return nullptr;
  if (from_little_endian(head.substr(0, kLength)) > kMostBytes) return nullptr;
  const char next = head[kLength + 1];
  const bool is_json = next == '"' || next == '}' || next == ' ' || next == '\n';
  const bool is_event = head.size() > kLength + 4 && head[kLength + 4] == '\x09';
  return is_json && !is_event ? &kSafetensors : nullptr;
}

// The last eight bytes of the table format that indexes are written in.
const Kind* table(std::string_view tail) {
  return tail.ends_with("\x57\xfb\x80\x8b\x24\x75\x47\xdb"sv) ? &kTable : nullptr;
}

constexpr std::size_t kRecordHeader = 12;

std::uint32_t checksum_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint32_t>(from_little_endian(bytes.substr(at, 4)));
}

// A TFRecord: eight bytes with the length of the data, and their checksum.
bool begins_like_record(std::string_view head) {
  return head.size() > kRecordHeader && mask_crc(crc32c(head.substr(0, 8))) == checksum_at(head, 8);
}

// The first field of `message` if it is field 1 and of bytes, else nothing.
std::string_view first_of_first(std::string_view message) {
  FieldReader reader(message);
  Field field;
  return next_or_cut(reader, message, field) && field.is_bytes(1) ? field.bytes : "";
}

// A record with an Example: a message, in it the features, in these the first one with its name.
// The first field of an Event is a number.
const Kind* examples(std::string_view head) {
  const std::string_view name =
      first_of_first(first_of_first(first_of_first(head.substr(kRecordHeader))));
  const bool is_name = !name.empty() && is_utf8(name) && !has_control_character(name);
  return is_name ? &kExamples : nullptr;
}

// ONNX and Core ML begin with the version as field 1, like a SavedModel, which has no field but
// that and 2. ONNX keeps its graph in 7 and the versions of operators in 8.
const Kind* model_with_version(std::string_view head) {
  constexpr int kFields = 64;
  constexpr std::uint32_t kOnnxGraph = 7, kOnnxOperators = 8, kFirstOfCoreMl = 200;
  if (head.empty() || head.front() != '\x08') return nullptr;
  FieldReader reader(head);
  Field field;
  for (int i = 0; i < kFields && next_or_cut(reader, head, field); ++i) {
    if (field.is_bytes(kOnnxGraph) || field.is_bytes(kOnnxOperators)) return &kOnnx;
    if (field.number >= kFirstOfCoreMl && field.type == WireType::kBytes) return &kCoreMl;
    if (reader.damaged()) break;
  }
  return nullptr;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// The type of a Caffe2 operator is its field 4; a GraphDef has its versions there.
bool is_caffe2_operator(std::string_view message) {
  FieldReader reader(message);
  Field field;
  while (next_or_cut(reader, message, field)) {
    if (field.is_bytes(4)) return is_identifier(field.bytes);
    if (!field.is_bytes(1) && !field.is_bytes(2) && !field.is_bytes(3)) return false;
    if (!is_utf8(field.bytes) || has_control_character(field.bytes)) return false;
    if (reader.damaged()) break;
  }
  return false;
}

// Field 2 is the name of a plane, which begins with one of these, or the type of an op, which does
// not.
bool is_plane(std::string_view message) {
  constexpr std::array<std::string_view, 4> kNames = {
      "/host:", "/device:", "/task:", "Task Environment"};
  FieldReader reader(message);
  Field field;
  while (next_or_cut(reader, message, field)) {
    if (field.is_bytes(2)) {
      return std::any_of(kNames.begin(), kNames.end(),
                         [&](std::string_view name) { return field.bytes.starts_with(name); });
    }
    if (reader.damaged()) break;
  }
  return false;
}

const Kind* message(std::string_view head) {
  constexpr int kFields = 8;
  FieldReader reader(head);
  Field field;
  for (int i = 0; i < kFields && next_or_cut(reader, head, field); ++i) {
    if (field.is_bytes(2) && is_caffe2_operator(field.bytes)) return &kCaffe2;
    if (field.is_bytes(1) && is_plane(field.bytes)) return &kProfile;
    if (reader.damaged()) break;
  }
  return nullptr;
}

// A text with a mark that says so, or whose bytes come in pairs, one of each a zero.
bool looks_like_utf16(std::string_view head) {
  constexpr std::size_t kLooked = 32;
  const bool is_marked = head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
  if (is_marked && head.size() >= 4) return true;
  if (head.size() < kLooked) return false;
  std::size_t zeros[2] = {};
  std::size_t characters = 0;
  for (std::size_t i = 0; i < kLooked; ++i) {
    if (head[i] == '\0') ++zeros[i % 2];
    if ((head[i] >= ' ' && head[i] < '\x7f') || head[i] == '\n' || head[i] == '\r') ++characters;
  }
  return characters == kLooked / 2 && (zeros[0] == kLooked / 2 || zeros[1] == kLooked / 2);
}

const Kind* text(std::string_view head) {
  constexpr std::size_t kLongestWord = 32;
  if (looks_like_utf16(head)) return &kUtf16;
  // The first bytes of a graph may be a line feed and a brace.
  const bool is_text = std::none_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' && c != '\n' && c != '\r' && c != '\t';
  });
  if (!is_text) return nullptr;
  head = without_byte_order_mark(head);
  const std::size_t start = head.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return nullptr;
  head.remove_prefix(start);
  const Kind* kind = among(kFirstWords, lower_case(head.substr(0, kLongestWord)));
  const bool is_web_model = kind != nullptr && head.front() == '{' &&
                            (head.find("\"modelTopology\"") != std::string_view::npos ||
                             head.find("\"weightsManifest\"") != std::string_view::npos);
  return is_web_model ? &kTfJs : kind;
}

const Kind* find_kind(std::string_view head, std::string_view tail) {
  if (begins_like_record(head)) return examples(head);  // whatever its length looks like
  if (const Kind* kind = among(kSignatures, head)) return kind;
  for (const auto& find :
       {flat_buffer, tar, archive, pickle, safetensors, model_with_version, message, text}) {
    if (const Kind* kind = find(head)) return kind;
  }
  return table(tail);
}

}  // namespace

std::optional<std::string> foreign_file(std::string_view head, std::string_view tail, FileUse use,
                                        std::string_view otherwise) {
  const Kind* kind = find_kind(head.substr(0, kTellingBytes), tail);
  if (kind == nullptr || (use == FileUse::kCheckpoint && kind->is_checkpoint)) return std::nullopt;
  std::string_view expected;
  if (use == FileUse::kGraph) expected = kind->for_graph;
  if (use == FileUse::kCheckpoint) expected = kind->for_checkpoint;
  if (!expected.empty()) return fmt::format("is {}; expected {}", kind->what, expected);
  if (kind->instead.empty()) return fmt::format("is {}; {}", kind->what, otherwise);
  return fmt::format("is {}; expected {}: {}", kind->what, kNouns[static_cast<std::size_t>(use)],
                     kind->instead);
}

Result<FileEnds> read_ends(const std::string& path) {
  TIDELINE_TRY(const InputFile file, InputFile::open(path));
  FileEnds ends;
  ends.head.resize(std::min<std::size_t>(file.size(), kTellingBytes));
  ends.tail = ends.head;
  TIDELINE_RETURN_IF_ERROR(file.read_at(0, ends.head.data(), ends.head.size()));
  TIDELINE_RETURN_IF_ERROR(
      file.read_at(file.size() - ends.tail.size(), ends.tail.data(), ends.tail.size()));
  return ends;
}

std::optional<std::string> foreign_file_at(const std::string& path, FileUse use,
                                           std::string_view otherwise) {
  const auto ends = read_ends(path);
  return ends ? foreign_file(ends->head, ends->tail, use, otherwise) : std::nullopt;
}

}  // namespace tideline::io

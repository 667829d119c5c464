# Writes OUTPUT, a .cc with the files of FOLDER as arrays: cmake -DFOLDER=... -DOUTPUT=... -P embed.cmake
file(GLOB NAMES RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT NAMES)
set(ARRAYS "")
set(ENTRIES "")
set(NUMBER 0)
foreach(NAME ${NAMES})
  file(READ ${FOLDER}/${NAME} BYTES HEX)
  file(SHA256 ${FOLDER}/${NAME} HASH)
  string(SUBSTRING ${HASH} 0 32 HASH)
  string(LENGTH "${BYTES}" DIGITS)
  math(EXPR SIZE "${DIGITS} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," BYTES "${BYTES}")
  string(APPEND ARRAYS "constexpr char kFile${NUMBER}[] = {${BYTES} 0};\n")
  string(APPEND ENTRIES "    FrontFile{\"${NAME}\", {kFile${NUMBER}, ${SIZE}}, \"${HASH}\"},\n")
  math(EXPR NUMBER "${NUMBER} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"app/web/front.h\"

#include <array>

namespace tideline::web {
namespace {
${ARRAYS}
constexpr std::array<FrontFile, ${NUMBER}> kFiles = {{
${ENTRIES}}};
}  // namespace

std::span<const FrontFile> front_files() {
  return kFiles;
}

}  // namespace tideline::web
")

# Writes OUTPUT, a .cc with the text of INPUT: cmake -DINPUT=... -DOUTPUT=... -P glossary.cmake
file(READ ${INPUT} BYTES HEX)
string(LENGTH "${BYTES}" DIGITS)
math(EXPR SIZE "${DIGITS} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," BYTES "${BYTES}")
file(WRITE ${OUTPUT} "#include \"render/model/glossary.h\"

namespace tideline::ui {
namespace {
constexpr char kText[] = {${BYTES} 0};
}  // namespace

std::string_view glossary_text() {
  return {kText, ${SIZE}};
}

}  // namespace tideline::ui
")

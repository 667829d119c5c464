// Tested by unit/session/graph_document_test.cc.
#include "app/session/session.h"

namespace tideline::session {

Session::Session(std::function<void()> wake) : graph_(journal_, std::move(wake)) {}

}  // namespace tideline::session

// The texts in which a fit is shown by windows, pages and pictures.
#pragma once

#include <string>

#include "app/engine/fit.h"
#include "render/model/fit_card.h"

namespace tideline::app {

/// Cost: that of its texts. Thread: pure.
[[nodiscard]] ui::FitCard shown_fit(Fit fit);

}  // namespace tideline::app

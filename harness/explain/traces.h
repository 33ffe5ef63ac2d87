// SPDX-License-Identifier: Apache-2.0
// The traces of the corpora that break a rule.
#pragma once

#include <string_view>
#include <vector>

#include "reports/explanation.h"

namespace wirelaw {

// Lines of a list (corpora/corpora.h, kManifest): file, rule, severity and optionally the revision of the document.
// Other lines are ignored.
std::vector<ShowingTrace> traces_of_list(std::string_view protocol, std::string_view list, std::string_view rule);

// From the list that the program contains.
std::vector<ShowingTrace> traces_that_break(std::string_view protocol, std::string_view rule);

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// Finds the rule, ruling or case that a word names, and everything that is known about it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/protocol.h"
#include "reports/explanation.h"

namespace wirelaw {

// Explains the rules, rulings and cases with this id; of one protocol only, if `protocol` is given. Upper and lower
// case are the same. A ruling may be named without its protocol ("A-10"): several protocols may have one of that
// number, and each is explained. Returns nothing if nothing has this id.
std::vector<Explanation> explain(std::string_view word, const Protocol* protocol = nullptr);

// Every id that explain() knows, to suggest one to a user who mistyped.
std::vector<std::string> names_to_explain(const Protocol* protocol = nullptr);

}  // namespace wirelaw

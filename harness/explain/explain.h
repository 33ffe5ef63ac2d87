// SPDX-License-Identifier: Apache-2.0
// What a word names, a rule, a ruling or a case, and all that is known of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/protocol.h"
#include "reports/explanation.h"

namespace wirelaw {

// Of `protocol` alone where there is one. Capital and small letters are the same. A ruling may have its protocol before
// it ("efa:A-10"), since those of several have the same number: then all of them are explained. Empty: it names
// nothing.
std::vector<Explanation> explain(std::string_view word, const Protocol* protocol = nullptr);

// All that there is to be explained, for those who mistype.
std::vector<std::string> names_to_explain(const Protocol* protocol = nullptr);

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// Rules of UMSP as cases name them: by the id without the name of the protocol, which is where to look for the
// declaration as well.
//   peer.require(rule("5.3.1-26"), …)
#pragma once

#include <string_view>

#include "conformance/rule.h"

namespace wirelaw::umsp {

// A name of no rule gives one that is in no catalogue, which the tests of cases find.
const Rule& rule(std::string_view id);

}  // namespace wirelaw::umsp

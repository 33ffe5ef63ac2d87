// SPDX-License-Identifier: Apache-2.0
// The protocols that scripts can use.
#pragma once

#include <string>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/script/language.h"

namespace wirelaw::script {

// nullptr if scripts cannot use this protocol.
const Language* language_of(const Protocol& protocol);
// The languages of all protocols that scripts can use.
std::vector<const Language*> languages();
// The names of these protocols, as text: "ramcloud and efa".
std::string spoken_protocols();

}  // namespace wirelaw::script

// SPDX-License-Identifier: Apache-2.0
// The protocols that scripts can speak.
#pragma once

#include <string>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/script/language.h"

namespace wirelaw::script {

// nullptr if scripts cannot speak this protocol.
const Language* language_of(const Protocol& protocol);
// The languages of all protocols that scripts can speak.
std::vector<const Language*> languages();
// The names of these protocols, as text: "ramcloud and efa".
std::string spoken_protocols();

}  // namespace wirelaw::script

// SPDX-License-Identifier: Apache-2.0
// Which protocols scripts can speak.
#pragma once

#include <string>

#include "conformance/protocol.h"
#include "conformance/script/language.h"

namespace wirelaw::script {

// nullptr if scripts cannot say conversations of this protocol.
const Language* language_of(const Protocol& protocol);
// Those that they can, for people: "ramcloud and efa".
std::string spoken_protocols();

}  // namespace wirelaw::script

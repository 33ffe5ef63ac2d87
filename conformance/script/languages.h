// SPDX-License-Identifier: Apache-2.0
// Which protocols scripts can speak.
#pragma once

#include <string>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/script/language.h"

namespace wirelaw::script {

// nullptr if scripts cannot say conversations of this protocol.
const Language* language_of(const Protocol& protocol);
// Of every protocol that scripts can speak.
std::vector<const Language*> languages();
// The names of these protocols, for people: "ramcloud and efa".
std::string spoken_protocols();

}  // namespace wirelaw::script

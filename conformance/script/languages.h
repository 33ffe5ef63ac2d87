// SPDX-License-Identifier: Apache-2.0
// The protocols that scripts can use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/script/language.h"

namespace wirelaw::script {

// nullptr if scripts cannot use this protocol.
const Language* language_of(const Protocol& protocol);
// Same, over the carrier that the setting `over` names: "udp". Empty: the usual one. nullptr if scripts cannot say
// that.
const Language* language_of(const Protocol& protocol, std::string_view over);
// The words that `over` accepts.
std::vector<std::string_view> carriers_of(const Protocol& protocol);
// The languages of all protocols that scripts can use.
std::vector<const Language*> languages();
// The names of these protocols, as text: "ramcloud and efa".
std::string spoken_protocols();

}  // namespace wirelaw::script

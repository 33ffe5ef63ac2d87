// SPDX-License-Identifier: Apache-2.0
// The roles of an implementation under test, in the document's words.
#pragma once

#include "conformance/rule.h"

namespace wirelaw::efa {

inline constexpr Role kEither = Role::any;
inline constexpr Role kRequester = Role::initiator;  // starts the operation: sends the REQ packets
inline constexpr Role kResponder = Role::responder;

}  // namespace wirelaw::efa

// SPDX-License-Identifier: Apache-2.0
// The roles of an implementation under test, in the document's words. (Role alone is here the side on which a deviation
// shows, reference/efa/deviations.h.)
#pragma once

#include "conformance/rule.h"

namespace wirelaw::efa {

inline constexpr wirelaw::Role kEither = wirelaw::Role::any;
inline constexpr wirelaw::Role kRequester = wirelaw::Role::initiator;  // starts the operation: sends the REQ packets
inline constexpr wirelaw::Role kResponder = wirelaw::Role::responder;

}  // namespace wirelaw::efa

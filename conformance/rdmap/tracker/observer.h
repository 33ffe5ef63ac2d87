// SPDX-License-Identifier: Apache-2.0
// Judges one iWARP connection: pieces of a TCP stream in, start frames and FPDUs found, every layer judged.
#pragma once

#include <memory>

#include "conformance/protocol.h"

namespace wirelaw::rdmap {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

// Where an MPA Request Frame begins in these octets (RFC 5044, 7.1.1); Protocol::kNotHere where none does.
std::size_t begins_in(Octets octets);

// Whether a key behind other octets begins an MPA Request: its flags, revision and length are those of one, and the
// first that the other side sends since then is a Reply (7.1.2).
Plausible confirms(Octets from_key, Octets answer);

inline constexpr std::string_view kExtensions = "rfc7306";

}  // namespace wirelaw::rdmap

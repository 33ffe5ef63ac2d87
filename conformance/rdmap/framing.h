// SPDX-License-Identifier: Apache-2.0
// The parts of MPA and DDP that scripts need: start frames, then FPDUs with the markers and CRCs that these agreed on
// (RFC 5044), each of which carries a segment (RFC 5041).
#pragma once

#include <memory>

#include "conformance/script/framing.h"

namespace wirelaw::rdmap {

inline constexpr script::Layers kLayers{.segment = "ddp", .frame = "fpdu", .sealed = "crc"};

std::unique_ptr<script::Framing> make_framing();

// The octets are a start frame, perhaps with a few wrong octets in its key.
bool is_start_frame(Octets octets);
// The frame is also closer to a reply than to a request.
bool is_reply(Octets octets);

}  // namespace wirelaw::rdmap

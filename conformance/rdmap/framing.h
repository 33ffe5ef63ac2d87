// SPDX-License-Identifier: Apache-2.0
// The parts of MPA and DDP that scripts need: start frames, then FPDUs with the negotiated markers and CRCs (RFC 5044).
// Each FPDU carries a segment (RFC 5041).
#pragma once

#include <memory>

#include "conformance/script/framing.h"

namespace wirelaw::rdmap {

inline constexpr script::Layers kLayers{.segment = "ddp", .frame = "fpdu", .sealed = "crc"};

std::unique_ptr<script::Framing> make_framing();

// Returns true if the octets are a start frame, perhaps with a few wrong octets in its key.
bool is_start_frame(Octets octets);
// Same, and the key is closer to that of a Reply than to that of a Request.
bool is_reply(Octets octets);
// Returns true if the octets are a Reply that rejects the connection.
bool is_rejection(Octets octets);

}  // namespace wirelaw::rdmap

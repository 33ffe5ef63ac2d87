// SPDX-License-Identifier: Apache-2.0
// iWARP in scripts: start frames, and segments with the names of their RDMAP messages.
#pragma once

#include <span>

#include "conformance/script/language.h"

namespace wirelaw::rdmap {

extern const script::Language kLanguage;

// --- for the language of a protocol above
std::span<const script::MessageRow> script_messages();
// The fields of a start frame, or of a segment, without the framing that carries it in the stream.
std::vector<script::Located> locate_fields(Octets message);
std::string_view name_of_message(Octets message);

}  // namespace wirelaw::rdmap

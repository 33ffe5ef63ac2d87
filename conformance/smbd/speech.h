// SPDX-License-Identifier: Apache-2.0
// Generates the next messages of both sides of a conforming SMB Direct connection over iWARP.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "conformance/script/language.h"
#include "reference/smbd/layout.h"

namespace wirelaw::smbd {

std::unique_ptr<script::Speech> make_speech(const script::Addresses& addresses);

// The message type of SMB Direct with this name in scripts; empty for a message of iWARP.
std::optional<MessageType> type_named(std::string_view message);

// The SMB Direct message in a segment of RDMAP.
struct Carried {
  MessageType type;
  std::size_t offset;  // offset of the message's first octet in the segment
};
std::optional<Carried> carried_in(Octets segment);

}  // namespace wirelaw::smbd

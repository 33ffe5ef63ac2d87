// SPDX-License-Identifier: Apache-2.0
// What the two sides of an honest SMB Direct connection over iWARP send next.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "conformance/script/language.h"
#include "reference/smbd/layout.h"

namespace wirelaw::smbd {

std::unique_ptr<script::Speech> make_speech(const script::Addresses& addresses);

// The message of SMB Direct that scripts call so; nothing for one of iWARP.
std::optional<MessageType> type_named(std::string_view message);

// What a segment of RDMAP carries of SMB Direct.
struct Carried {
  MessageType type;
  std::size_t offset;  // of the message in the segment
};
std::optional<Carried> carried_in(Octets segment);

}  // namespace wirelaw::smbd

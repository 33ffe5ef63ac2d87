// SPDX-License-Identifier: Apache-2.0
// Generates the next messages of both sides of a conforming iWARP connection.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "conformance/script/language.h"
#include "reference/rdmap/message.h"

namespace wirelaw::rdmap {

std::unique_ptr<script::Speech> make_speech(const script::Addresses& addresses);

// The opcode of the message with this name in scripts; empty for a start frame.
std::optional<Opcode> opcode_named(std::string_view message);

}  // namespace wirelaw::rdmap

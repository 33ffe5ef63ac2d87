// SPDX-License-Identifier: Apache-2.0
// Conversations of UMSP over TCP as scripts say them: one instruction a line, by its name.
#pragma once

#include "conformance/script/language.h"
#include "reference/umsp/layout.h"

namespace wirelaw::umsp {

extern const script::Language kLanguage;

// The row of an instruction that scripts call so. Several codes share a name: `opcode` chooses, else it is the first.
const Layout* layout_named(std::string_view name, std::optional<std::uint64_t> opcode);

}  // namespace wirelaw::umsp

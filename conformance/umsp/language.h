// SPDX-License-Identifier: Apache-2.0
// The script language for UMSP over TCP: one instruction per line, by its name.
#pragma once

#include "conformance/script/language.h"
#include "reference/umsp/layout.h"

namespace wirelaw::umsp {

extern const script::Language kLanguage;
extern const script::Language kLanguageOverUdp;  // each line is a datagram, and nothing is said before the first

// The row of the instruction that scripts call by this name. If several codes share the name, `opcode` selects one;
// without it, the first is used.
const Layout* layout_named(std::string_view name, std::optional<std::uint64_t> opcode);

}  // namespace wirelaw::umsp

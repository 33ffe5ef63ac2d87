// SPDX-License-Identifier: Apache-2.0
// Text from captures, file names and peers, made harmless for terminals and XML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wirelaw {

// Keeps what is valid UTF-8 and printable; every other octet becomes "\xNN": control characters (terminal escapes),
// malformed sequences, and what XML 1.0 cannot hold. Tabs and line feeds become "\t" and "\n".
std::string printable(std::string_view text);

// The lines of `text`, broken at blanks so that each fits into `width` columns; a word longer than that stays whole.
// The lines after the first begin with `indent` blanks. A width of 0 means no limit.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// "1 frame", "2 frames".
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace wirelaw

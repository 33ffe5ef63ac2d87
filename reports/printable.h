// SPDX-License-Identifier: Apache-2.0
// Text from captures, file names and peers, made harmless for terminals and XML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wirelaw {

// Keeps printable, valid UTF-8. Every other octet becomes "\xNN": control characters (terminal escapes), malformed
// sequences, and characters that XML 1.0 does not allow. Tabs and line feeds become "\t" and "\n".
std::string printable(std::string_view text);

// Breaks `text` at blanks into lines of at most `width` columns. A longer word stays whole. All lines but the first
// begin with `indent` blanks. A width of 0 means no limit.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// "1 frame", "2 frames".
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace wirelaw

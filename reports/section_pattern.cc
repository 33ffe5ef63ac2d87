// SPDX-License-Identifier: Apache-2.0
#include "reports/section_pattern.h"

#include <string>

#include "reports/section_link.h"

namespace wirelaw {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Returns only the letters, in lower case, and digits; also points, if they separate the numbers of chapters.
std::string simplified(std::string_view text, bool with_points) {
  std::string plain;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || is_digit(c) || (with_points && c == '.')) plain += c;
  }
  return plain;
}

// True if `text` is `head`, or continues after it with something that does not extend the last number or word of
// `head`.
bool goes_on(std::string_view text, std::string_view head, bool (*is_same_word)(char)) {
  return text.starts_with(head) && (text.size() == head.size() || !is_same_word(text[head.size()]));
}

struct Parts {
  std::string document, chapter;
};

Parts parts_of(std::string_view section) {
  const std::size_t at = chapter_at(section);
  if (at != std::string_view::npos)
    return {simplified(section.substr(0, at), false), simplified(section.substr(at), true)};
  const std::size_t comma = std::min(section.find(", "), section.size());
  return {simplified(section.substr(0, comma), false), simplified(section.substr(comma), true)};
}

}  // namespace

bool is_in_section(std::string_view pattern, std::string_view section) {
  const std::size_t colon = std::min(pattern.find(':'), pattern.size());
  const std::string document = simplified(pattern.substr(0, colon), false);
  const std::string chapter = simplified(pattern.substr(std::min(colon + 1, pattern.size())), true);
  if (document.empty()) return false;
  const Parts parts = parts_of(section_head(section));
  if (!goes_on(parts.document, document, is_digit)) return false;
  return chapter.empty() || goes_on(parts.chapter, chapter, [](char c) { return c != '.'; });
}

}  // namespace wirelaw

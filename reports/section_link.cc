// SPDX-License-Identifier: Apache-2.0
#include "reports/section_link.h"

#include <algorithm>

namespace wirelaw {
namespace {

struct Document {
  std::string_view begins;  // the beginning of Rule::section
  std::string_view address;
};
constexpr Document kDocuments[] = {
    {"[MS-SMBD]", "https://learn.microsoft.com/openspecs/windows_protocols/ms-smbd/"},
    {"EFA RDM v4", "https://github.com/ofiwg/libfabric/blob/main/prov/efa/docs/efa_rdm_protocol_v4.md"}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Returns the number at the head: "4.8" for "4.8, table 3".
std::string_view number_of(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || (end > 0 && text[end] == '.'))) ++end;
  std::string_view number = text.substr(0, end);
  while (number.ends_with('.')) number.remove_suffix(1);
  return number;
}

// Returns the RFC's number: "5040" for "RFC 5040 4.8". Empty for any other document.
std::string_view rfc_of(std::string_view section) {
  constexpr std::string_view kRfc = "RFC ";
  if (!section.starts_with(kRfc)) return {};
  section.remove_prefix(kRfc.size());
  const auto end = std::ranges::find_if_not(section, is_digit);
  return section.substr(0, static_cast<std::size_t>(end - section.begin()));
}

}  // namespace

std::size_t chapter_at(std::string_view section) {
  std::size_t at = std::string_view::npos;
  if (const std::string_view rfc = rfc_of(section); !rfc.empty()) at = 4 + rfc.size();
  for (const Document& one : kDocuments)
    if (section.starts_with(one.begins)) at = one.begins.size();
  return at != std::string_view::npos && at + 1 < section.size() && section[at] == ' ' ? at + 1
                                                                                       : std::string_view::npos;
}

std::string section_link(std::string_view section) {
  if (const std::string_view rfc = rfc_of(section); !rfc.empty()) {
    const std::size_t at = chapter_at(section);
    const std::string_view number = at == std::string_view::npos ? std::string_view() : number_of(section.substr(at));
    return "https://www.rfc-editor.org/rfc/rfc" + std::string(rfc) +
           (number.empty() ? std::string() : "#section-" + std::string(number));
  }
  const auto document =
      std::ranges::find_if(kDocuments, [&](const Document& one) { return section.starts_with(one.begins); });
  return document == std::end(kDocuments) ? std::string() : std::string(document->address);
}

std::string section_head(std::string_view section) {
  const std::size_t at = chapter_at(section);
  if (at == std::string_view::npos) return std::string(section);
  const std::string_view number = number_of(section.substr(at));
  return std::string(number.empty() ? section : section.substr(0, at + number.size()));
}

}  // namespace wirelaw

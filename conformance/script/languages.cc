// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/languages.h"

#include <algorithm>
#include <iterator>

#include "conformance/efa/language.h"
#include "conformance/ramcloud/language.h"
#include "conformance/rdmap/language.h"
#include "conformance/smbd/language.h"
#include "conformance/umsp/language.h"

namespace wirelaw::script {
namespace {

struct LanguageRow {
  std::string_view protocol;
  const Language* language;
};
constexpr LanguageRow kLanguages[] = {
    {"ramcloud", &ramcloud::kLanguage}, {"efa", &efa::kLanguage},   {"rdmap", &rdmap::kLanguage},
    {"smbd", &smbd::kLanguage},         {"umsp", &umsp::kLanguage},
};

// What `over` may name instead of the usual carrier.
constexpr LanguageRow kOtherCarriers[] = {{"umsp", &umsp::kLanguageOverUdp}};

}  // namespace

const Language* language_of(const Protocol& protocol, std::string_view over) {
  const Language* const usual = language_of(protocol);
  if (over.empty() || (usual != nullptr && usual->over == over)) return usual;
  for (const LanguageRow& row : kOtherCarriers)
    if (row.protocol == protocol.name && row.language->over == over) return row.language;
  return nullptr;
}

std::vector<std::string_view> carriers_of(const Protocol& protocol) {
  std::vector<std::string_view> carriers;
  if (const Language* const usual = language_of(protocol); usual != nullptr && !usual->over.empty())
    carriers.push_back(usual->over);
  for (const LanguageRow& row : kOtherCarriers)
    if (row.protocol == protocol.name) carriers.push_back(row.language->over);
  return carriers;
}

const Language* language_of(const Protocol& protocol) {
  const auto found = std::ranges::find(kLanguages, protocol.name, &LanguageRow::protocol);
  return found == std::end(kLanguages) ? nullptr : found->language;
}

std::vector<const Language*> languages() {
  std::vector<const Language*> all;
  for (const LanguageRow& row : kLanguages) all.push_back(row.language);
  return all;
}

std::string spoken_protocols() {
  std::string words;
  for (const LanguageRow& row : kLanguages) {
    const bool is_last = &row == std::end(kLanguages) - 1;
    words += (words.empty() ? "" : is_last ? " and " : ", ") + std::string(row.protocol);
  }
  return words;
}

}  // namespace wirelaw::script

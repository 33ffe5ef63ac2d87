// SPDX-License-Identifier: Apache-2.0
#include "harness/explain/traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/explain/known_texts.h"

namespace wirelaw {
namespace {

std::array<std::string_view, 4> words_of(std::string_view line) {
  std::array<std::string_view, 4> words;
  for (std::string_view& word : words) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

}  // namespace

std::vector<ShowingTrace> traces_of_list(std::string_view protocol, std::string_view list, std::string_view rule) {
  std::vector<ShowingTrace> traces;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('\n'), list.size());
    const auto [file, broken, severity, revision] = words_of(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    if (!file.starts_with('#') && broken == rule)
      traces.push_back({fmt::format("corpora/{}/{}", protocol, file), std::string(severity), std::string(revision)});
  }
  return traces;
}

std::vector<ShowingTrace> traces_that_break(std::string_view protocol, std::string_view rule) {
  const auto found = std::ranges::find(known_texts(), protocol, &KnownTexts::protocol);
  if (found == known_texts().end()) return {};
  return traces_of_list(protocol, found->traces, rule);
}

}  // namespace wirelaw

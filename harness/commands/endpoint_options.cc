// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/endpoint_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/commands/options.h"
#include "harness/commands/suggest.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "reports/printable.h"

namespace wirelaw {

void add_application_option(CLI::App& command, std::string& application, const char* description) {
  add_option(command, "--application", application, description)
      ->type_name("echo|count|smb2|none")
      ->check(one_of({"echo", "count", "smb2", "none"}));
}

void add_deviate_option(CLI::App& command, std::vector<std::string>& deviations) {
  add_option(command, "--deviate", deviations,
             "Make the reference peer commit this deviation; repeatable; `wirelaw serve PROTOCOL --list-deviations` "
             "lists them")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

std::optional<std::string> unknown_deviation(const std::vector<std::string>& deviations, const Protocol& protocol) {
  const ReferencePeer* const reference = find_reference_peer(protocol.name);
  if (reference == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const DeviationName& one : reference->deviations()) names.emplace_back(one.name);
  for (const std::string& one : deviations)
    if (std::ranges::find(names, one) == names.end())
      return fmt::format("--deviate: no deviation is called '{}'{}; see `wirelaw serve {} --list-deviations`",
                         printable(one), suggestion(one, names), protocol.name);
  return std::nullopt;
}

std::string role_words() {
  std::vector<std::string_view> words;
  for (const Protocol* protocol : protocols())
    for (const std::string_view word : {protocol->responder, protocol->initiator})
      if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  return fmt::format("{}", fmt::join(words, "|"));
}

Service application_of(std::string_view word) {
  for (const Service application : {Service::none, Service::smb2, Service::echo, Service::count})
    if (word_of(application) == word) return application;
  return Service::none;
}

std::optional<std::string> foreign_application(std::string_view word, const Protocol& protocol) {
  if ((' ' + std::string(protocol.applications) + ' ').find(fmt::format(" {} ", word)) != std::string::npos)
    return std::nullopt;
  return fmt::format("--application {}: {} has no such application; known: {}", word, protocol.name,
                     protocol.applications);
}

}  // namespace wirelaw

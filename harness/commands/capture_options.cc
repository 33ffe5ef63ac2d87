// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/capture_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/commands/section_option.h"
#include "harness/commands/suggest.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

std::vector<std::string> protocol_names() {
  std::vector<std::string> names;
  for (const Protocol* protocol : protocols()) names.emplace_back(protocol->name);
  return names;
}

std::vector<std::string> ids_of(const Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const Rule* rule : catalogue.rules()) ids.emplace_back(rule->id);
  return ids;
}

}  // namespace

std::string protocol_words() {
  return fmt::format("{}", fmt::join(protocol_names(), "|"));
}

std::string live_protocol_words() {
  std::vector<std::string_view> names;
  for (const Protocol* protocol : protocols())
    if (!protocol->transports.empty()) names.push_back(protocol->name);
  return fmt::format("{}", fmt::join(names, "|"));
}

void add_capture_options(CLI::App& command, CaptureOptions& options) {
  add_option(command, "FILE", options.files, "Captures: pcap or pcapng, also gzipped; - is standard input")
      ->type_name("")
      ->required();
  add_option(command, "--decode-as", options.decode_as,
             "Decode this port as this protocol, e.g. udp.port=7001,ramcloud or tcp.port=7175,rdmap; repeatable")
      ->type_name("udp.port=PORT,PROTOCOL")
      ->allow_extra_args(false);
  add_option(command, "--iut", options.iut, "Judge only what this implementation under test sent")
      ->type_name("ADDRESS[:PORT]");
  add_option(command, "--rule", options.rules, "Judge only rules whose id matches, e.g. RAMCLOUD-ack-*; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_section_option(command, options.sections, "Judge only rules of this section, e.g. RFC5040:4.8; repeatable");
  add_flag(command, "--complete", options.complete,
           "The capture has every frame, in the order in which they passed: also judge what rests on the absence or "
           "order of frames");
  add_feature_option(command, options.features);
  add_revision_option(command, options.revision);
  add_option(command, "--protocol", options.protocol, "Judge only this protocol")->type_name(protocol_words());
}

void add_feature_option(CLI::App& command, std::vector<std::string>& features) {
  std::vector<std::string_view> names;
  for (const Protocol* protocol : protocols())
    for (const Feature& one : protocol->features) names.push_back(one.name);
  add_option(command, "--feature", features, "The peer declares this optional feature; repeatable")
      ->type_name(fmt::format("{}", fmt::join(names, "|")))
      ->allow_extra_args(false);
}

std::optional<std::string> unknown_feature(const std::vector<std::string>& features, const Protocol* protocol) {
  std::vector<std::string> names;
  for (const Protocol* one : protocols()) {
    if (protocol && one != protocol) continue;
    for (const Feature& feature : one->features) names.emplace_back(feature.name);
  }
  for (const std::string& name : features) {
    if (std::ranges::count(names, name) > 0) continue;
    const std::string whose = protocol ? std::string(protocol->name) : "any protocol";
    if (names.empty()) return fmt::format("--feature: {} has no optional features", whose);
    return fmt::format("--feature: '{}' is not a feature of {}{}; known: {}", printable(name), whose,
                       suggestion(name, names), fmt::join(names, ", "));
  }
  return std::nullopt;
}

void add_revision_option(CLI::App& command, std::string& revision, std::string description) {
  std::vector<std::string_view> names;
  for (const Protocol* protocol : protocols())
    for (const Feature& one : protocol->revisions) names.push_back(one.name);
  add_option(command, "--revision", revision, std::move(description))
      ->type_name(fmt::format("{}", fmt::join(names, "|")));
}

std::optional<std::string> unknown_revision(const std::string& revision, const Protocol* protocol) {
  std::vector<std::string> names;
  for (const Protocol* one : protocols()) {
    if (protocol && one != protocol) continue;
    for (const Feature& known : one->revisions) names.emplace_back(known.name);
  }
  if (revision.empty() || std::ranges::count(names, revision) > 0) return std::nullopt;
  const std::string whose = protocol ? std::string(protocol->name) : "any protocol";
  if (names.empty()) return fmt::format("--revision: the document of {} has only one revision", whose);
  return fmt::format("--revision: '{}' is not a revision of the document of {}{}; known: {}", printable(revision),
                     whose, suggestion(revision, names), fmt::join(names, ", "));
}

tl::expected<const Protocol*, std::string> protocol_named(const std::string& name, std::string_view option) {
  if (name.empty()) return nullptr;
  if (const Protocol* protocol = find_protocol(name)) return protocol;
  return tl::make_unexpected(fmt::format("{}{}unknown protocol '{}'{}; known: {}", option, option.empty() ? "" : ": ",
                                         printable(name), suggestion(name, protocol_names()),
                                         fmt::join(protocol_names(), ", ")));
}

std::optional<std::string> unmatched_selection(const Protocol& protocol, const std::vector<std::string>& cases,
                                               const std::vector<std::string>& rules) {
  std::vector<std::string> ids;
  for (const Case& one : protocol.cases()) ids.emplace_back(one.id);
  auto wrong = unmatched("--case", "case", cases, ids);
  if (wrong) return fmt::format("{}; `wirelaw test {} --list` lists them", *wrong, protocol.name);
  wrong = unmatched("--rule", "rule", rules, ids_of(catalogue_for(&protocol)));
  if (wrong) return fmt::format("{}; `wirelaw rules --protocol {}` lists them", *wrong, protocol.name);
  return std::nullopt;
}

tl::expected<CheckOptions, std::string> understand(const CaptureOptions& options) {
  CheckOptions check;
  for (const std::string& text : options.decode_as) {
    const auto one = parse_decode_as(text);
    if (!one) return tl::make_unexpected("--decode-as: " + one.error());
    check.decode_as.push_back(*one);
  }
  if (!options.iut.empty()) {
    const auto iut = parse_iut(options.iut);
    if (!iut) return tl::make_unexpected("--iut: " + iut.error());
    check.iut = *iut;
  }
  const auto protocol = protocol_named(options.protocol);
  if (!protocol) return tl::make_unexpected(protocol.error());
  check.protocol = *protocol;
  if (auto unknown = unknown_feature(options.features, check.protocol)) return tl::make_unexpected(*unknown);
  check.features = options.features;
  if (auto unknown = unknown_revision(options.revision, check.protocol)) return tl::make_unexpected(*unknown);
  check.revision = options.revision;
  check.complete = options.complete;
  check.rules = options.rules;
  // A pattern that selects nothing is an error, not an empty success.
  if (const auto wrong = unmatched("--rule", "rule", check.rules, ids_of(catalogue_for(check.protocol))))
    return tl::make_unexpected(*wrong + "; `wirelaw rules` lists them");
  if (const auto added = add_rules_of(options.sections, catalogue_for(check.protocol), check.rules); !added)
    return tl::make_unexpected(added.error());
  if (std::ranges::count(options.files, "-") > 1)
    return tl::make_unexpected("standard input (-) can be read only once; name it once");
  return check;
}

}  // namespace wirelaw

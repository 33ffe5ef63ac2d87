// SPDX-License-Identifier: Apache-2.0
#include "harness/rdmap_peer.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/observer.h"
#include "harness/rdmap_lines.h"

namespace wirelaw::rdmap {
namespace {

wirelaw::Role role_of(rdmap::Role role) {
  switch (role) {
    case rdmap::Role::responder:
      return wirelaw::Role::responder;
    case rdmap::Role::initiator:
      return wirelaw::Role::initiator;
    case rdmap::Role::both:
      break;
  }
  return wirelaw::Role::any;
}

tl::expected<Deviations, std::string> deviations_of(const PeerOptions& options) {
  Deviations deviations;
  for (const std::string& name : options.deviations) {
    const auto known = deviation_from_name(name);
    if (!known)
      return tl::unexpected(
          fmt::format("no deviation is called '{}': see wirelaw serve rdmap --list-deviations", name));
    const wirelaw::Role role = role_of(describe(*known).role);
    if (role != wirelaw::Role::any && role != options.role)
      return tl::unexpected(fmt::format("only {} can commit the deviation '{}'",
                                        role == wirelaw::Role::responder ? "a responder" : "an initiator", name));
    deviations.add(*known);
  }
  return deviations;
}

tl::expected<Options, std::string> options_of(const PeerOptions& options) {
  struct Setting {
    std::string_view name;
    void (*set)(Options& options);
  };
  // "extended" is the initiator's application's.
  static constexpr Setting kSettings[] = {
      {"no-crc", [](Options& one) { one.crc = false; }},
      {"markers", [](Options& one) { one.markers = true; }},
      {"unenhanced", [](Options& one) { one.understands_enhanced = false; }},
      {"needs-reads", [](Options& one) { one.ord_required = 1; }},
      {"extended", [](Options&) {}},
  };
  Options set{.extensions = std::ranges::find(options.features, kExtensions) != options.features.end()};
  for (const std::string& name : options.settings) {
    const auto known = std::ranges::find(kSettings, name, &Setting::name);
    if (known == std::end(kSettings)) return tl::unexpected(fmt::format("no setting is called '{}'", name));
    known->set(set);
  }
  return set;
}

bool is_extended(const PeerOptions& options) {
  return std::ranges::find(options.settings, "extended") != options.settings.end();
}

}  // namespace

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options) {
  const auto deviations = deviations_of(options);
  if (!deviations) return tl::unexpected(deviations.error());
  const auto endpoint = options_of(options);
  if (!endpoint) return tl::unexpected(endpoint.error());
  if (options.role == wirelaw::Role::initiator)
    return [endpoint = *endpoint, deviations = *deviations, extended = is_extended(options)](std::uint64_t seed) {
      return make_initiator(seed, endpoint, deviations, extended);
    };
  return [endpoint = *endpoint, deviations = *deviations, application = options.application](std::uint64_t seed) {
    return make_responder(seed, endpoint, deviations, application);
  };
}

std::vector<DeviationName> deviation_names() {
  std::vector<DeviationName> names;
  for (const DeviationInfo& info : all_deviations()) names.push_back({info.name, role_of(info.role), info.text});
  return names;
}

}  // namespace wirelaw::rdmap

// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/rdmap_peer.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/observer.h"
#include "harness/peers/peer_deviations.h"
#include "harness/peers/rdmap_lines.h"

namespace wirelaw::rdmap {
namespace {

constexpr PeerSides kSides{.protocol = "rdmap", .responder_name = "a responder", .initiator_name = "an initiator"};

tl::expected<Options, std::string> options_of(const PeerOptions& options) {
  struct Setting {
    std::string_view name;
    void (*set)(Options& options);
  };
  // "extended" is the initiator's application's; "verbs" puts it above a queue pair.
  static constexpr Setting kSettings[] = {
      {"no-crc", [](Options& one) { one.crc = false; }},
      {"markers", [](Options& one) { one.markers = true; }},
      {"unenhanced", [](Options& one) { one.understands_enhanced = false; }},
      {"needs-reads", [](Options& one) { one.ord_required = 1; }},
      {"extended", [](Options&) {}},
      {kVerbsSetting, [](Options&) {}},
      {kStatelessSetting, [](Options&) {}},
  };
  Options set{.extensions = std::ranges::find(options.features, kExtensions) != options.features.end()};
  for (const std::string& name : options.settings) {
    const auto known = std::ranges::find(kSettings, name, &Setting::name);
    if (known == std::end(kSettings)) return tl::unexpected(fmt::format("no setting is called '{}'", name));
    known->set(set);
  }
  return set;
}

bool is_set(const PeerOptions& options, std::string_view setting) {
  return std::ranges::find(options.settings, setting) != options.settings.end();
}

}  // namespace

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options) {
  const auto deviations = deviations_of<Deviations>(options, kSides);
  if (!deviations) return tl::unexpected(deviations.error());
  const auto endpoint = options_of(options);
  if (!endpoint) return tl::unexpected(endpoint.error());
  const bool initiates = options.role == Role::initiator;
  if (is_set(options, kVerbsSetting))
    return [endpoint = *endpoint, deviations = *deviations, initiates, above = options.application,
            stateless = is_set(options, kStatelessSetting)](std::uint64_t seed) {
      return make_consumer_peer(seed, initiates ? Role::initiator : Role::responder, endpoint, deviations, above,
                                stateless);
    };
  if (initiates)
    return [endpoint = *endpoint, deviations = *deviations, extended = is_set(options, "extended")](
               std::uint64_t seed) { return make_initiator(seed, endpoint, deviations, extended); };
  return [endpoint = *endpoint, deviations = *deviations, application = options.application](std::uint64_t seed) {
    return make_responder(seed, endpoint, deviations, application);
  };
}

std::vector<DeviationName> deviation_names() {
  return wirelaw::deviation_names<Deviations>();
}

constinit const ReferencePeer kReferencePeer{.protocol = "rdmap", .maker = peer_maker, .deviations = deviation_names};

}  // namespace wirelaw::rdmap

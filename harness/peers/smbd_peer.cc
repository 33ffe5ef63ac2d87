// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/smbd_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/peers/peer_deviations.h"
#include "harness/peers/rdmap_upper.h"
#include "harness/peers/smbd_application.h"
#include "harness/peers/smbd_driven.h"

namespace wirelaw::smbd {
namespace {

constexpr PeerSides kSides{.protocol = "smbd", .responder_name = "a listener", .initiator_name = "an initiator"};

constexpr Feature kSetting{"setting",
                           "one-credit, small, windows-like, frugal-1 to frugal-4, keeps-last-credit, prompt-grants"};

// Windows Server 2012 R2 and later reject greater values (appendix B, note <5>).
constexpr std::uint32_t kWindowsPreferredSendSize = 8136;

template <std::uint16_t kCredits>
void set_frugal(Options& options) {
  options.receive_credit_max = kCredits;
  options.grants_with_answer = true;
}

tl::expected<Options, std::string> options_of(const PeerOptions& options) {
  struct Setting {
    std::string_view name;
    void (*set)(Options& options);
  };
  static constexpr Setting kSettings[] = {
      {"one-credit", [](Options& one) { one.receive_credit_max = one.send_credit_target = 1; }},
      {"small",
       [](Options& one) {
         one.max_receive_size = one.max_send_size = kLeastMaxReceiveSize;
         one.max_fragmented_recv_size = kLeastMaxFragmentedSize;
       }},
      {"windows-like", [](Options& one) { one.most_preferred_send_size = kWindowsPreferredSendSize; }},
      {"frugal-1", set_frugal<1>},
      {"frugal-2", set_frugal<2>},
      {"frugal-3", set_frugal<3>},
      {"frugal-4", set_frugal<4>},
      {"keeps-last-credit", [](Options& one) { one.keeps_last_credit = true; }},
      {"prompt-grants", [](Options& one) { one.grants_for_each = true; }},
  };
  Options set;
  std::vector<std::string> names = options.settings;
  for (const auto& [name, value] : options.parameters) {
    if (name != kSetting.name) return tl::unexpected(fmt::format("no parameter is called '{}'", name));
    names.push_back(value);
  }
  for (const std::string& name : names) {
    const auto known = std::ranges::find(kSettings, name, &Setting::name);
    if (known == std::end(kSettings)) return tl::unexpected(fmt::format("no setting is called '{}'", name));
    known->set(set);
  }
  return set;
}

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options) {
  const auto deviations = deviations_of<Deviations>(options, kSides);
  if (!deviations) return tl::unexpected(deviations.error());
  const auto endpoint = options_of(options);
  if (!endpoint) return tl::unexpected(endpoint.error());
  const bool initiates = options.role == Role::initiator;
  const auto make_layer = [initiates, endpoint = *endpoint, deviations = *deviations, service = options.application](
                              const TriggerRequest& request, rdmap::UpperCounts& counts) {
    return std::make_unique<Layer>(initiates ? Role::initiator : Role::responder, endpoint, deviations,
                                   initiates ? make_asking(service, request, counts) : make_answering(service));
  };
  const auto offer = [](Offers& offers, const rdmap::ReachUpper& reach, VirtualTime& time) {
    offers.add<UpperLayer>(kUpperLayer, [reach, &time, made = std::shared_ptr<UpperLayer>()]() mutable {
      if (!made) made = make_driven(reach, time);
      return made.get();
    });
  };
  return [initiates, make_layer, offer](std::uint64_t seed) {
    return rdmap::make_upper_peer(initiates ? Role::initiator : Role::responder, {}, seed, make_layer, offer);
  };
}

// Formats a time in seconds, as cases expect it.
std::string seconds(Instant time) {
  return fmt::format("{}", std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

IutParameters offers(const PeerOptions& options) {
  const auto endpoint = options_of(options);
  if (!endpoint) return {};
  IutParameters said{{"keepalive", seconds(endpoint->keepalive_interval)}};
  if (options.role == Role::initiator)
    said.emplace_back("negotiation", seconds(endpoint->initiator_negotiation));
  else if (options.application == Service::smb2)
    said.emplace_back("message", std::to_string(endpoint->max_fragmented_recv_size));
  return said;
}

std::vector<DeviationName> deviation_names() {
  return wirelaw::deviation_names<Deviations>();
}

}  // namespace

constinit const ReferencePeer kReferencePeer{.protocol = "smbd",
                                             .maker = peer_maker,
                                             .deviations = deviation_names,
                                             .parameters = {&kSetting, 1},
                                             .offers = offers};

}  // namespace wirelaw::smbd

// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/smbd.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "conformance/dialect.h"
#include "conformance/settling.h"
#include "conformance/smbd/2.1-transport/rules.h"
#include "conformance/smbd/2.2-syntax/rules.h"
#include "conformance/smbd/2.2.1-negotiate-request/rules.h"
#include "conformance/smbd/2.2.2-negotiate-response/rules.h"
#include "conformance/smbd/2.2.3-data-transfer/rules.h"
#include "conformance/smbd/2.2.3.1-buffer-descriptor/rules.h"
#include "conformance/smbd/3.1.1.1-connection/rules.h"
#include "conformance/smbd/3.1.2-timers/rules.h"
#include "conformance/smbd/3.1.4.1-connecting/rules.h"
#include "conformance/smbd/3.1.4.2-send/rules.h"
#include "conformance/smbd/3.1.4.3-register/rules.h"
#include "conformance/smbd/3.1.4.4-deregister/rules.h"
#include "conformance/smbd/3.1.4.5-write/rules.h"
#include "conformance/smbd/3.1.4.6-read/rules.h"
#include "conformance/smbd/3.1.4.7-query/rules.h"
#include "conformance/smbd/3.1.5.1-sending/rules.h"
#include "conformance/smbd/3.1.5.2-sending-request/rules.h"
#include "conformance/smbd/3.1.5.3-sending-response/rules.h"
#include "conformance/smbd/3.1.5.4-segments/rules.h"
#include "conformance/smbd/3.1.5.5-receiving/rules.h"
#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/rules.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/3.1.5.9-credits/rules.h"
#include "conformance/smbd/3.1.6-timer-events/rules.h"
#include "conformance/smbd/3.1.7.1-loss/rules.h"
#include "conformance/smbd/3.1.7.2-arrival/rules.h"
#include "conformance/smbd/cases.h"
#include "conformance/smbd/decode.h"
#include "conformance/smbd/observer.h"
#include "conformance/smbd/tracker/connection.h"

namespace wirelaw::smbd {
namespace {

const Catalogue& catalogue() {
  static constexpr RuleSheet kSheets[] = {
      TransportRules::kRules,
      SyntaxRules::kRules,
      NegotiateRequestRules::kRules,
      NegotiateResponseRules::kRules,
      DataTransferRules::kRules,
      BufferDescriptorRules::kRules,
      ConnectionRules::kRules,
      TimersRules::kRules,
      ConnectingRules::kRules,
      SendRules::kRules,
      RegisterRules::kRules,
      DeregisterRules::kRules,
      WriteRules::kRules,
      ReadRules::kRules,
      QueryRules::kRules,
      SendingRules::kRules,
      SendingRequestRules::kRules,
      SendingResponseRules::kRules,
      SegmentsRules::kRules,
      ReceivingRules::kRules,
      ReceivingRequestRules::kRules,
      ReceivingResponseRules::kRules,
      ReceivingDataRules::kRules,
      CreditsRules::kRules,
      TimerEventsRules::kRules,
      LossRules::kRules,
      ArrivalRules::kRules,
  };
  static const Catalogue kCatalogue("smbd", kSheets);
  return kCatalogue;
}

// [MS-SMBD] 1.9: of TCP, for iWARP; elsewhere that of SMB is asked for.
constexpr std::uint16_t kPorts[] = {5445};
constexpr std::uint16_t kServicePorts[] = {445, 5445};

constexpr Feature kParameters[] = {
    {"keepalive", "Keep-alive interval, in seconds: how long a peer may be silent before it sends a keep-alive"},
    {"negotiation", "How long an initiator waits for a Negotiate Response, in seconds"},
    {"message", "Longest message that a listener's application accepts, in octets (smb2: 16384)"},
    kSettle,
};

// Returns true for an SMB2 message, also an encrypted or compressed one.
bool is_smb(Octets octets) {
  constexpr Octet kFirst[] = {0xfe, 0xfd, 0xfc};
  constexpr std::size_t kMagic = 4;
  return octets.size() >= kMagic && std::ranges::find(kFirst, octets[0]) != std::end(kFirst) && octets[1] == 'S' &&
         octets[2] == 'M' && octets[3] == 'B';
}

bool has_length_of_negotiation(Octets octets) {
  return octets.size() == describe(MessageType::negotiate_request).octets ||
         octets.size() == describe(MessageType::negotiate_response).octets;
}

bool recognises(const Delivery& first) {
  const Octets octets = first.message.octets;
  if (!first.whole) return false;
  // A longer message may belong to any protocol and contain a negotiation by chance.
  if (has_length_of_negotiation(octets) && (is_request(octets) || is_response(octets))) return true;
  return is_transfer(octets) && is_smb(decode_data_transfer(octets)->buffer);
}

// Returns true for a request whose only fault is its range of versions.
bool asks_for_other_versions(Octets octets) {
  const auto request = decode_negotiate_request(octets);
  return request && request->trailing.empty() && request->reserved == 0 && request->credits_requested > 0 &&
         request->max_receive_size >= kLeastMaxReceiveSize && request->max_fragmented_size >= kLeastMaxFragmentedSize;
}

// At the assigned port, a message is accepted that may be one of the three types with a fault, provided that the other
// side agrees (FlowObserver). One of these must hold: it is a Data Transfer in order that asks for credits;
// both versions of a negotiate message are right; its length is right and one version is, or both are with swapped
// octets; or only the versions are wrong.
bool plausible(const Delivery& first) {
  const Octets octets = first.message.octets;
  if (is_transfer(octets)) return decode_data_transfer(octets)->credits_requested > 0;
  if (octets.size() < 4 || octets.size() > kNegotiateReceive) return false;
  const auto min = load_little_endian<std::uint16_t>(octets.data());
  const auto max = load_little_endian<std::uint16_t>(octets.data() + 2);
  constexpr auto kSwapped = static_cast<std::uint16_t>(kVersion1 >> 8);
  const bool is_right = min == kVersion1 && max == kVersion1;
  const bool is_near = min == kVersion1 || max == kVersion1 || (min == kSwapped && max == kSwapped);
  return is_right || (has_length_of_negotiation(octets) && is_near) || asks_for_other_versions(octets);
}

// A Negotiate Response is the second message of its connection. If the first that was seen is data, the Request may
// have come before.
bool answers(const Delivery& first, const Delivery& second) {
  const Octets octets = first.message.octets;
  if (is_transfer(octets) && !has_negotiated_versions(octets)) return false;
  return first.sender != second.sender && second.whole && is_response(second.message.octets);
}

constexpr Above kAbove[] = {
    {.protocol = "rdmap", .recognises = recognises, .ports = kPorts, .plausible = plausible, .answers = answers},
    {.protocol = "roce", .recognises = recognises, .ports = kServicePorts, .plausible = plausible, .answers = answers},
};

constexpr std::string_view kControls[] = {
    "data/listener-passes-messages-on",         "data/listener-sends-data-transfers-only",
    "negotiate/listener-takes-512-octets",      "data/initiator-passes-messages-on",
    "data/initiator-sends-data-transfers-only",
};

constexpr edits::Dialect kDialect{.proven = true};

}  // namespace

std::span<const BreachList> breaches() {
  static const std::vector<Breach> kBreaches = breaches_of(catalogue().rules());
  static const BreachList kAll[] = {kBreaches};
  return kAll;
}

constinit const Protocol kProtocol{.name = "smbd",
                                   .title = "SMB Direct",
                                   .initiator = "initiator",
                                   .responder = "listener",
                                   .transports = "iwarp verbs",
                                   .catalogue = catalogue,
                                   .cases = [] { return suite().cases(); },
                                   .observer = make_observer,
                                   .decode = decode_for_people,
                                   .above = kAbove,
                                   .parameters = kParameters,
                                   .applications = "echo count smb2 none",
                                   .controls = kControls,
                                   .dialect = &kDialect};

}  // namespace wirelaw::smbd

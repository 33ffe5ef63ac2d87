// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1 and 2, as the application sees them: the limits and the name of its endpoint, the features of its peer,
// and HANDSHAKEs, which it must not notice.
#include <fmt/format.h>

#include <set>

#include "conformance/efa/1.3-base-header/rules.h"
#include "conformance/efa/1.4-raw-address/rules.h"
#include "conformance/efa/2.1-extra-features/rules.h"
#include "conformance/efa/2.2-raw-address-header/rules.h"
#include "conformance/efa/2.3-implementation/rules.h"
#include "conformance/efa/probes/driven.h"

namespace wirelaw::efa {
namespace {

using fabric::Receive;
using fabric::Send;

constexpr std::size_t kMedium = 40'000, kLong = 200'000;

void expect_short_packets(Probe& peer, Driver& app) {
  const std::size_t mtu = app.abilities().mtu;
  std::size_t longest = 0;
  peer.count([&](const Received& one) {
    longest = std::max(longest, one.octets.size());
    return false;
  });
  peer.require(rule<"EFA-1.3-11">, longest <= mtu, fmt::format("packets of at most {} octets", mtu),
               fmt::format("one of {} octets", longest));
}

// Whatever fills packets.
void reads_much(DrivenResponder& peer) {
  peer.meet();
  const RmaIov region = peer.app.region(sample_octets(kMedium));
  peer.read_long({region}, {.first_window = kMedium, .window = kMedium});
  if (peer.ok()) expect_short_packets(peer, peer.app);
}

void sends_much(DrivenRequester& peer) {
  peer.meet();
  for (const std::size_t octets : {kMedium, kLong}) {
    peer.app.post(Send{.context = octets, .data = sample_octets(octets)});
    if (peer.ok() && !peer.take_message()) return peer.inconclusive("a long message did not arrive completely");
  }
  if (peer.ok()) expect_short_packets(peer, peer.app);
}

template <class Peer>
void names_endpoints_at_random(Peer& peer) {
  if (!peer.app.abilities().names_others) return peer.skip("the application opens only one endpoint");
  constexpr std::size_t kEndpoints = 8;
  std::set<std::uint32_t> connids;
  std::string list;
  for (std::size_t i = 0; i < kEndpoints; ++i) {
    const auto name = i == 0 ? peer.app.calls().name() : peer.app.calls().name_of_another();
    if (!name) return peer.inconclusive("an endpoint could not be opened: " + name.error().message);
    connids.insert(name->connid);
    list += fmt::format("{}{:#010x}", i == 0 ? "" : ", ", name->connid);
  }
  peer.require(rule<"EFA-1.4-5">, connids.size() == kEndpoints, "a different connid for each endpoint", list);
}

void lacks_what_the_call_needs(DrivenRequester& peer) {
  if (!peer.app.abilities().delivery_complete) return peer.skip("the provider has no delivery complete");
  peer.announce({});
  peer.meet();
  const auto completion = peer.app.outcome_of(fabric::Write{
      .context = 1, .data = sample_octets(64), .to = {kLent.addr, 64, kLent.key}, .delivery_complete = true});
  if (!peer.ok()) return;
  peer.require(rule<"EFA-2.1-25">, completion && !completion->ok(), "an error from fi_writemsg or in the completion",
               to_text(completion), "FI_DELIVERY_COMPLETE, which the peer's HANDSHAKE does not announce");
}

template <class Peer>
void carries_on_without_what_it_asks_for(Peer& peer) {
  peer.meet();
  if (!peer.ok()) return;
  if (!peer.peer_announces(Extra::connid_header) && !peer.peer_announces(Extra::constant_header_length))
    return peer.skip("the peer requests no feature");
  peer.app.post(Receive{.context = 1, .octets = 64});
  const OctetBuffer data = sample_octets(32);
  Packet packet = packet_of(PacketType::eager_msgrtm);  // without raw address, without connid
  packet.msg_id = peer.next_msg_id();
  packet.payload = data;
  peer.send(packet);
  if (!peer.ok()) return;
  const auto completion = peer.app.completion_of(1);
  peer.require(rule<"EFA-2.1-26">, completion.has_value(), "a completion of the receive, or an error",
               to_text(completion), "a message without the header that the peer has requested");
}

void learns_its_sender(DrivenResponder& peer) {
  const Rule& demand = rule<"EFA-2.2-3">;
  for (const fabric::Context context : {1u, 2u}) peer.app.post(Receive{.context = context, .octets = 64});
  // Both before the HANDSHAKE, so that both have the raw address.
  for (const unsigned seed : {1u, 2u}) peer.send_message(sample_octets(48, seed));
  const auto first = peer.app.completion_of(1), second = peer.app.completion_of(2);
  if (!peer.ok()) return;
  if (!first || !second || !first->ok() || !second->ok()) return peer.inconclusive("the messages were not received");
  const auto text_of = [](const std::optional<fabric::Address>& source) {
    return source ? fmt::format("{}", *source) : std::string("FI_ADDR_NOTAVAIL");
  };
  peer.require(demand, first->source && first->source == second->source, "one fi_addr_t for both messages",
               fmt::format("{} and {}", text_of(first->source), text_of(second->source)));
  const OctetBuffer answer = text("an answer to the source");
  peer.app.post(Send{.context = 3, .data = answer, .to = first->source});
  if (!peer.ok()) return;
  const auto message = peer.take_message();
  peer.require(demand, message && message->octets == answer, "a message that is sent to this address arrives here",
               message ? difference(answer, message->octets) : "none");
}

template <class Peer>
void gets_no_completion_of_its_handshake(Peer& peer) {
  peer.approach();
  peer.app.trouble({.reaches = false});
  peer.app.post(Receive{.context = 1, .octets = 64});
  peer.send_to_app(sample_octets(32));
  if (!peer.ok()) return;
  if (const auto completion = peer.app.completion_of(1); !completion || !completion->ok())
    return peer.inconclusive("the message was not received: " + to_text(completion));
  peer.app.expect_silence(rule<"EFA-2.3-1">, "the HANDSHAKE that answers the message cannot be sent");
}

template <class Peer>
void closes_with_its_handshake_queued(Peer& peer) {
  peer.approach();
  peer.app.trouble({.packets = 0});
  peer.send_to_app(sample_octets(32));
  peer.settle();
  if (!peer.ok()) return;
  const auto closed = peer.app.calls().close(peer.in(peer.run().answer_time()));
  peer.require(rule<"EFA-2.3-2">, closed.has_value(), "fi_close ends the endpoint",
               closed ? "it does" : closed.error().message,
               "the device's queue is full, and the HANDSHAKE waits for space");
}

const CaseRow kRows[] = {
    driven_case("application/responder/packets-within-the-mtu", rule<"EFA-1.3-11">,
                "The responder answers a long read with packets that the device can send.", reads_much),
    driven_case("application/requester/packets-within-the-mtu", rule<"EFA-1.3-11">,
                "The requester sends long messages in packets that the device can send.", sends_much),
    driven_case(
        "application/requester/lacks-what-the-call-needs", rule<"EFA-2.1-25">,
        "The requester reports an error for a write with delivery complete to a peer that has not announced it.",
        lacks_what_the_call_needs),
    driven_case("application/responder/learns-its-sender", rule<"EFA-2.2-3">,
                "The IUT gives its application one constant address for the sender of a message, to which the "
                "application can reply.",
                learns_its_sender),
    driven_case("application/responder/connid-is-random", rule<"EFA-1.4-5">,
                "The IUT gives eight endpoints eight different connids.", names_endpoints_at_random<DrivenResponder>),
    driven_case("application/requester/connid-is-random", rule<"EFA-1.4-5">,
                "The IUT gives eight endpoints eight different connids.", names_endpoints_at_random<DrivenRequester>),
    driven_case("application/responder/carries-on", rule<"EFA-2.1-26">,
                "The IUT delivers a message without the requested header, or reports an error.",
                carries_on_without_what_it_asks_for<DrivenResponder>),
    driven_case("application/requester/carries-on", rule<"EFA-2.1-26">,
                "The IUT delivers a message without the requested header, or reports an error.",
                carries_on_without_what_it_asks_for<DrivenRequester>),
    driven_case("application/responder/handshake-unsent", rule<"EFA-2.3-1">,
                "The IUT does not report to its application that a HANDSHAKE cannot be sent.",
                gets_no_completion_of_its_handshake<DrivenResponder>),
    driven_case("application/requester/handshake-unsent", rule<"EFA-2.3-1">,
                "The IUT does not report to its application that a HANDSHAKE cannot be sent.",
                gets_no_completion_of_its_handshake<DrivenRequester>),
    driven_case("application/responder/closes-at-once", rule<"EFA-2.3-2">,
                "The IUT closes an endpoint while its HANDSHAKE waits to be sent.",
                closes_with_its_handshake_queued<DrivenResponder>),
    driven_case("application/requester/closes-at-once", rule<"EFA-2.3-2">,
                "The IUT closes an endpoint while its HANDSHAKE waits to be sent.",
                closes_with_its_handshake_queued<DrivenRequester>),
};

}  // namespace

std::vector<Case> application_endpoint_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa

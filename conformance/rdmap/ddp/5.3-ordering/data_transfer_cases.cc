// SPDX-License-Identifier: Apache-2.0
// RFC 5041, sections 5.2 to 5.4: messages of no octets, the order of delivery, and when a message is delivered.
#include "conformance/rdmap/ddp/4.1-control-field/rules.h"
#include "conformance/rdmap/ddp/4.2-tagged-header/rules.h"
#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/5.2-segmentation/rules.h"
#include "conformance/rdmap/ddp/5.3-ordering/rules.h"
#include "conformance/rdmap/ddp/5.4-delivery/rules.h"
#include "conformance/rdmap/ddp/cases.h"
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/rdmap/probes/served_initiator.h"

namespace wirelaw::rdmap {
namespace {

// A Send in segments of these lengths; the last of them has L.
void send_in_parts(Probe& peer, Octets data, std::size_t part, std::size_t from, std::size_t until) {
  for (std::size_t at = from; at < until; at += part) {
    ddp::Header header = peer.untagged(Opcode::send);
    const Octets octets = data.subspan(at, std::min(part, data.size() - at));
    header.mo = static_cast<std::uint32_t>(at);
    header.last = at + octets.size() == data.size();
    peer.send_segment(header, octets);
    if (header.last) peer.message_sent(kSendQueue);
  }
}

constexpr std::size_t kLong = 5'010;  // octets: several segments of any MULPDU that a network has
constexpr std::size_t kShort = 10;
constexpr unsigned kTogether = 4;

// The FPDUs of a Send.
OctetBuffer in_parts(Probe& peer, Octets data) {
  constexpr std::size_t kPart = 1'000;
  OctetBuffer octets;
  for (std::size_t at = 0; at < data.size(); at += kPart) {
    ddp::Header header = peer.untagged(Opcode::send);
    const Octets part = data.subspan(at, std::min(kPart, data.size() - at));
    header.mo = static_cast<std::uint32_t>(at);
    header.last = at + part.size() == data.size();
    const OctetBuffer one = peer.fpdu_of(header, part);
    octets.insert(octets.end(), one.begin(), one.end());
  }
  peer.message_sent(kSendQueue);
  return octets;
}

// Its segments are judged as they come.
void sends_what_is_long(CaseRun& run, unsigned count, bool together) {
  ServedInitiator initiator(run, {.octets = kLong, .count = count, .parallel = together});
  const Response end = initiator.serve();
  initiator.require(rule<"DDP-5.3-4">, initiator.echoed() == count, fmt::format("{} Sends", count),
                    fmt::format("{}, then {}", initiator.echoed(), to_text(end)),
                    "Sends, Writes and Reads of 5010 octets");
}

const CaseRow kRows[] = {
    {"ddp/{}-takes-empty-tagged-messages",
     {&rule<"DDP-5.2-11">},
     "The IUT accepts a Write of no octets to an STag that was not advertised, at the highest TO.",
     with_each([](auto& peer) {
       peer.write({}, kNobodysStag, ~std::uint64_t{0});
       peer.expect_goes_on(rule<"DDP-5.2-11">, "after a Write of no octets to an STag that was not advertised");
     }),
     Service::echo},
    {"ddp/responder-delivers-in-order",
     {&rule<"DDP-5.3-4">, &rule<"DDP-5.3-3">},
     "The IUT delivers eight Sends that arrive together in order, each once.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       constexpr unsigned kSends = 8;
       OctetBuffer octets;
       for (unsigned i = 0; i < kSends; ++i) {
         const OctetBuffer one = responder.fpdu_of(responder.untagged(Opcode::send), sample_octets(20 + i, i));
         octets.insert(octets.end(), one.begin(), one.end());
         responder.message_sent(kSendQueue);
       }
       responder.send_octets(octets);
       for (unsigned i = 0; i < kSends; ++i)
         responder.await_echo(rule<"DDP-5.3-4">, sample_octets(20 + i, i), "eight Sends together");
       responder.expect_one_of(rule<"DDP-5.3-3">, {says_nothing()}, "each Send was echoed");
     }),
     Service::echo},
    {"ddp/responder-waits-for-the-last-segment",
     {&rule<"DDP-5.4-1">, &rule<"DDP-5.4-2">},
     "The IUT delivers nothing for two of three segments, and the whole Send with the third.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       const OctetBuffer data = sample_octets(250);
       send_in_parts(responder, data, 100, 0, 200);
       responder.expect_one_of(rule<"DDP-5.4-1">, {says_nothing()}, "the last segment was not sent");
       send_in_parts(responder, data, 100, 200, 250);
       responder.await_echo(rule<"DDP-5.4-2">, data, "a Send of three segments");
     }),
     Service::echo},
    {"ddp/responder-delivers-what-is-long",
     {&rule<"DDP-5.3-4">, &rule<"DDP-5.4-2">},
     "The IUT delivers unaltered Sends of several segments and of one that arrive together.",
     with<ReadyResponder>([](ReadyResponder& responder) {
       // Sent at once, each followed by a short one, so that several answers may be in transit together.
       OctetBuffer octets;
       for (unsigned i = 0; i < 2 * kTogether; ++i) {
         const OctetBuffer one = in_parts(responder, sample_octets(i % 2 == 0 ? kLong : kShort, i));
         octets.insert(octets.end(), one.begin(), one.end());
       }
       responder.send_octets(octets);
       for (unsigned i = 0; i < 2 * kTogether; ++i)
         responder.await_echo(i == 0 ? rule<"DDP-5.4-2"> : rule<"DDP-5.3-4">,
                              sample_octets(i % 2 == 0 ? kLong : kShort, i), "Sends of 5010 and of 10 octets");
     }),
     Service::echo},
    {"ddp/initiator-sends-what-is-long",
     {&rule<"DDP-5.3-4">, &rule<"DDP-5.2-6">, &rule<"DDP-5.2-7">, &rule<"DDP-4.2-8">, &rule<"DDP-4.3-10">,
      &rule<"DDP-4.1-3">},
     "The IUT completes operations of several segments that follow one another.",
     {.initiator = [](CaseRun& run) { sends_what_is_long(run, 3, false); }}},
    {"ddp/initiator-sends-what-is-long-together",
     {&rule<"DDP-5.3-4">, &rule<"DDP-5.2-6">, &rule<"DDP-5.2-7">, &rule<"DDP-4.2-8">, &rule<"DDP-4.3-10">,
      &rule<"DDP-4.1-3">},
     "The IUT completes operations of several segments that are in progress together.",
     {.initiator = [](CaseRun& run) { sends_what_is_long(run, 6, true); }}},
};

}  // namespace

std::vector<Case> ddp_data_transfer_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap

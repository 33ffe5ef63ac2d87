// SPDX-License-Identifier: Apache-2.0
// RFC 5041, sections 5.2 to 5.4: messages of no octets, the order of delivery, and when a message is delivered.
#include "conformance/rdmap/ddp/cases.h"
#include "conformance/rdmap/ddp/checks.h"
#include "conformance/rdmap/serving_responder.h"

namespace wirelaw::rdmap {
namespace {

constinit const Rule kZeroLengthUnchecked =
    stimulus_rule("DDP-5.2-11", Level::must_not, "RFC 5041 5.2",
                  "STag and TO of a tagged message of no octets are not checked.", "A-25");
constinit const Rule kAtMostOnce =
    stimulus_rule("DDP-5.3-3", Level::must, "RFC 5041 5.3", "A message is delivered at most once.");
constinit const Rule kInOrder = stimulus_rule("DDP-5.3-4", Level::must, "RFC 5041 5.3",
                                              "Messages are delivered in the order in which they were sent.",
                                              "also RFC 5040, 5.3 and 5.5, rule 10");
constinit const Rule kWholeBeforeDelivery = stimulus_rule(
    "DDP-5.4-1", Level::must, "RFC 5041 5.4",
    "A message is delivered once its last segment, all before it, and all earlier messages are there, and "
    "not before.",
    "also RFC 5040, 5.5, rule 16");
constinit const Rule kLengthIsTold = stimulus_rule(
    "DDP-5.4-2", Level::must, "RFC 5041 5.4", "The ULP is told the length of an untagged message that is delivered.");

constexpr const Rule* kRules[] = {&kZeroLengthUnchecked, &kAtMostOnce, &kInOrder, &kWholeBeforeDelivery,
                                  &kLengthIsTold};

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

// What it sends is judged segment by segment while it comes.
void sends_what_is_long(CaseRun& run, unsigned count, bool together) {
  ServingResponder peer(run, {.octets = kLong, .count = count, .parallel = together});
  const Response end = peer.serve();
  peer.require(kInOrder, peer.echoed() == count, fmt::format("{} Sends", count),
               fmt::format("{}, then {}", peer.echoed(), to_text(end)), "Sends, Writes and Reads of 5010 octets");
}

}  // namespace

SectionCases ddp_data_transfer_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    add_both(cases, {"ddp/responder-takes-empty-tagged-messages", "ddp/initiator-takes-empty-tagged-messages"},
             {&kZeroLengthUnchecked},
             "A Write of no octets to an STag that nobody has advertised, at the highest TO, is taken.", Service::echo,
             [](auto& peer) {
               peer.write({}, kNobodysStag, ~std::uint64_t{0});
               peer.expect_goes_on(kZeroLengthUnchecked, "after a Write of no octets to nobody's STag");
             });
    cases.push_back({.id = "ddp/responder-delivers-in-order",
                     .iut = Role::responder,
                     .rules = {&kInOrder, &kAtMostOnce},
                     .purpose = "Eight Sends that come together are delivered in their order, each once.",
                     .needs = Service::echo,
                     .run = with<ReadyResponder>([](ReadyResponder& peer) {
                       constexpr unsigned kTogether = 8;
                       OctetBuffer octets;
                       for (unsigned i = 0; i < kTogether; ++i) {
                         const OctetBuffer one = peer.fpdu_of(peer.untagged(Opcode::send), data_of(20 + i, i));
                         octets.insert(octets.end(), one.begin(), one.end());
                         peer.message_sent(kSendQueue);
                       }
                       peer.send_octets(octets);
                       for (unsigned i = 0; i < kTogether; ++i)
                         peer.await_echo(kInOrder, data_of(20 + i, i), "eight Sends together");
                       peer.expect_one_of(kAtMostOnce, {says_nothing()}, "each Send has had its echo");
                     })});
    cases.push_back(
        {.id = "ddp/responder-waits-for-the-last-segment",
         .iut = Role::responder,
         .rules = {&kWholeBeforeDelivery, &kLengthIsTold},
         .purpose = "Two of three segments deliver nothing; with the third the Send is there, as long as it is.",
         .needs = Service::echo,
         .run = with<ReadyResponder>([](ReadyResponder& peer) {
           const OctetBuffer data = data_of(250);
           send_in_parts(peer, data, 100, 0, 200);
           peer.expect_one_of(kWholeBeforeDelivery, {says_nothing()}, "the last segment has not come");
           send_in_parts(peer, data, 100, 200, 250);
           peer.await_echo(kLengthIsTold, data, "a Send of three segments");
         })});
    cases.push_back({.id = "ddp/responder-delivers-what-is-long",
                     .iut = Role::responder,
                     .rules = {&kInOrder, &kLengthIsTold},
                     .purpose = "Sends of several segments and of one, all at once, are delivered as they are.",
                     .needs = Service::echo,
                     .run = with<ReadyResponder>([](ReadyResponder& peer) {
                       // At once, and a short one behind each, so that the answers may be under way together.
                       OctetBuffer octets;
                       for (unsigned i = 0; i < 2 * kTogether; ++i) {
                         const OctetBuffer one = in_parts(peer, data_of(i % 2 == 0 ? kLong : kShort, i));
                         octets.insert(octets.end(), one.begin(), one.end());
                       }
                       peer.send_octets(octets);
                       for (unsigned i = 0; i < 2 * kTogether; ++i)
                         peer.await_echo(i == 0 ? kLengthIsTold : kInOrder, data_of(i % 2 == 0 ? kLong : kShort, i),
                                         "Sends of 5010 and of 10 octets");
                     })});
    cases.push_back({.id = "ddp/initiator-sends-what-is-long",
                     .iut = Role::initiator,
                     .rules = {&kInOrder, &kMoIsOffset, &kToIsOffset, &kSameStag, &kSameMsn, &kLastSegmentHasL},
                     .purpose = "Operations of several segments, one after the other, reach their end.",
                     .run = [](CaseRun& run) { sends_what_is_long(run, 3, false); }});
    cases.push_back({.id = "ddp/initiator-sends-what-is-long-together",
                     .iut = Role::initiator,
                     .rules = {&kInOrder, &kMoIsOffset, &kToIsOffset, &kSameStag, &kSameMsn, &kLastSegmentHasL},
                     .purpose = "Operations of several segments that are under way together reach their end.",
                     .run = [](CaseRun& run) { sends_what_is_long(run, 6, true); }});
    return cases;
  }();
  return {kRules, kCases};
}

}  // namespace wirelaw::rdmap

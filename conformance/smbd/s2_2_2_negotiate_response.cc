// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2.2: the first message of the listener. What 3.1.5.7 has the receiver insist on, the sender
// owes.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 2.2.2"};
constexpr Section kListenerByAbsence = kSection.of(wirelaw::Role::responder).resting_on(Evidence::absence);
constexpr Section kListenerNotJudged = kSection.of(wirelaw::Role::responder).by(Observable::none);
constexpr Section kListener = kSection.of(wirelaw::Role::responder);
constexpr Section kListenerStimulus = kSection.of(wirelaw::Role::responder).by(Observable::stimulus);
constexpr Section kInitiator = kSection.of(wirelaw::Role::initiator);
constexpr Section kInitiatorStimulus = kSection.of(wirelaw::Role::initiator).by(Observable::stimulus);

}  // namespace

constinit const Rule kResponseFirst =
    kListenerByAbsence.must("SMBD-2.2.2-1", "The first message of the listener is a Negotiate Response.");
constinit const Rule kResponseAnswers = kListenerByAbsence.must(
    "SMBD-2.2.2-2", "The Negotiate Response comes behind the Negotiate Request that it answers.");
constinit const Rule kResponseMinVersionKnown = kListenerNotJudged.must(
    "SMBD-2.2.2-3", "MinVersion is one of the versions of 1.7.", "there is one, 0x0100: judged by SMBD-3.1.5.3-1");
constinit const Rule kResponseMaxVersionKnown = kListenerNotJudged.must(
    "SMBD-2.2.2-4", "MaxVersion is one of the versions of 1.7.", "there is one, 0x0100: judged by SMBD-3.1.5.3-2");
constinit const Rule kResponseVersionRange = kListener.must("SMBD-2.2.2-5", "MaxVersion is not below MinVersion.");
constinit const Rule kResponseSupportsRange =
    kListenerNotJudged.must("SMBD-2.2.2-6", "The listener supports each version from MinVersion to MaxVersion.",
                            "there is one version; another range breaks SMBD-3.1.5.3-1 or -2");
constinit const Rule kVersionWithinRange =
    kListenerNotJudged.must("SMBD-2.2.2-7", "NegotiatedVersion is in the range that the request offered.",
                            "there is one version: judged by SMBD-3.1.5.3-7, and a range without it by SMBD-3.1.5.6-5");
constinit const Rule kResponseReservedZero = kListenerNotJudged.should(
    "SMBD-2.2.2-8", "Reserved is sent as zero.", "SMBD/A3: a MUST in 3.1.5.3; judged by SMBD-3.1.5.3-3");
constinit const Rule kResponseAsksForCredits =
    kListener.must("SMBD-2.2.2-9", "CreditsRequested of a successful response is not zero.", "by 3.1.5.7");
constinit const Rule kResponseGrantUsable = kListenerStimulus.must(
    "SMBD-2.2.2-10", "CreditsGranted is a number of messages that the listener can receive at once.");
constinit const Rule kStatusOfSuccess = kListenerStimulus.must(
    "SMBD-2.2.2-11", "Status is zero where the request succeeds.",
    "SMBD/A24: that a request must succeed cannot be known from outside where the listener lacks resources");
constinit const Rule kWithinReadWriteSize =
    kListener.must("SMBD-2.2.2-12", "No RDMA Write or Read of the listener moves more than its MaxReadWriteSize.",
                   "one operation serves one upper-layer request at most");
constinit const Rule kPreferredWithinReceive =
    kListener.must("SMBD-2.2.2-13", "PreferredSendSize is at most the MaxReceiveSize of the request.");
constinit const Rule kWithinListenersReceive = kInitiator.must(
    "SMBD-2.2.2-14",
    "No message to the listener is longer than the MaxReceiveSize of its response, octets behind the data included.",
    "SMBD/A20");
constinit const Rule kResponseMaxReceive =
    kListener.must("SMBD-2.2.2-15", "MaxReceiveSize is at least 128.", "by 3.1.5.7");
constinit const Rule kResponseMaxFragmented =
    kListener.must("SMBD-2.2.2-16", "MaxFragmentedSize is at least 131,072.", "by 3.1.5.7");
constinit const Rule kResponseWhole =
    kListener.must("SMBD-2.2.2-17", "The response holds all of its fields: 32 octets at least.",
                   "by 3.1.5.7; SMBD/A21: more are accepted");
constinit const Rule kResponseReservedIgnored =
    kInitiatorStimulus.must("SMBD-2.2.2-18", "The initiator ignores Reserved.");
constinit const Rule kListenerReceivesMax =
    kListenerStimulus.must("SMBD-2.2.2-19", "The listener can receive a message of MaxReceiveSize octets.");
constinit const Rule kListenerReassemblesMax = kListenerStimulus.must(
    "SMBD-2.2.2-20", "The listener can put together an upper-layer message of MaxFragmentedSize octets.", "S-09");
constinit const Rule kSumWithinReadWriteSize = kListenerStimulus.must(
    "SMBD-2.2.2-21", "All RDMA transfers for one upper-layer request are MaxReadWriteSize together at most.",
    "which transfers are for one request, the upper layer knows; SMBD/A33: the size itself is not judged");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kListenerReassemblesMax, {empty_length_set}), broken_by(kResponseFirst, {response_behind_data}),
    broken_by(kResponseVersionRange, {response_max_below_min}),
    broken_by(kResponseAsksForCredits, {response_credits_requested_zero}),
    broken_by(kResponseGrantUsable, kNoMessageArrives),
    broken_by(kResponseGrantUsable,
              {response_credits_granted_zero, response_credits_granted_unposted, response_big_endian, data_short,
               remaining_at_end, grants_nothing, no_empty_grant, response_twice, negotiates_again,
               refuses_empty_messages, ignores_granted_credits}),
    broken_by(kStatusOfSuccess, {response_status_not_zero}),
    broken_by(kPreferredWithinReceive, {response_preferred_above_request}),
    broken_by(kResponseMaxReceive, {response_receive_size_low}),
    broken_by(kResponseMaxFragmented, {response_fragmented_size_low}), broken_by(kResponseWhole, {response_short}),
    broken_by(kResponseReservedIgnored, kNoMessageArrives),
    broken_by(kResponseReservedIgnored, {refuses_reserved_bits}),
    broken_by(kListenerReceivesMax, {receives_small, fragments_left_behind}),
    broken_by(kListenerReassemblesMax, {remaining_zero_early, fragments_swapped, fragment_repeated, fragment_missing,
                                        segment_above_receive_size, receives_small, delivers_fragments,
                                        fragments_left_behind, refuses_empty_messages, grant_replaces_credits}),
    broken_by(kSumWithinReadWriteSize, {response_big_endian, transfer_ignores_lengths, transfer_above_agreed}));

}  // namespace

SectionRules negotiate_response_rules() {
  static constexpr const Rule* kRules[] = {
      &kResponseFirst,          &kResponseAnswers,         &kResponseMinVersionKnown, &kResponseMaxVersionKnown,
      &kResponseVersionRange,   &kResponseSupportsRange,   &kVersionWithinRange,      &kResponseReservedZero,
      &kResponseAsksForCredits, &kResponseGrantUsable,     &kStatusOfSuccess,         &kWithinReadWriteSize,
      &kPreferredWithinReceive, &kWithinListenersReceive,  &kResponseMaxReceive,      &kResponseMaxFragmented,
      &kResponseWhole,          &kResponseReservedIgnored, &kListenerReceivesMax,     &kListenerReassemblesMax,
      &kSumWithinReadWriteSize};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_response_first(Judge& judge, bool is_data) {
  judge.require(kResponseFirst, !is_data, octets(0, describe(MessageType::data_transfer).octets),
                expected("a Negotiate Response"), actual("a Data Transfer"),
                "or the negotiation before it was not captured");
}

bool judge_response_answers(Judge& judge, bool requested) {
  return judge.require(kResponseAnswers, requested, octets(0, judge.message().octets.size()),
                       expected("a Negotiate Request before it"), actual("none"), "or the request was not captured");
}

bool judge_response_whole(Judge& judge, const Message& message) {
  const std::size_t least = describe(MessageType::negotiate_response).octets;
  return judge.require(kResponseWhole, message.wire_length >= least, octets(0, message.octets.size()),
                       expected("at least 32 octets"), actual(message.wire_length));
}

bool judge_response_range(Judge& judge, const NegotiateResponse& response) {
  return judge.require(kResponseVersionRange, response.max_version >= response.min_version,
                       in_response(Field::max_version),
                       expected([&] { return fmt::format("at least 0x{:04x}", response.min_version); }),
                       actual(hex(response.max_version)));
}

void judge_response_values(Judge& judge, const NegotiateResponse& response, const Negotiated* request) {
  judge.require(kResponseAsksForCredits, response.credits_requested > 0, in_response(Field::credits_requested),
                expected("at least 1"), actual(0));
  judge.require(kResponseMaxFragmented, response.max_fragmented_size >= kLeastMaxFragmentedSize,
                in_response(Field::max_fragmented_size), expected("at least 131072"),
                actual(response.max_fragmented_size));
  // Where the initiator asks for less than 128, SMBD-3.1.5.6-10 says the same.
  if (!request || request->preferred_send_size >= kLeastMaxReceiveSize)
    judge.require(kResponseMaxReceive, response.max_receive_size >= kLeastMaxReceiveSize,
                  in_response(Field::max_receive_size), expected("at least 128"), actual(response.max_receive_size));
  if (!request) return;
  judge.require(kPreferredWithinReceive, response.preferred_send_size <= request->max_receive_size,
                in_response(Field::preferred_send_size), expected([&] {
                  return fmt::format("at most {}, the MaxReceiveSize of the request", request->max_receive_size);
                }),
                actual(response.preferred_send_size));
}

void judge_read_write_size(Judge& judge, const Way& from, std::uint64_t octets_moved) {
  if (from.role != wirelaw::Role::responder || !from.negotiated) return;
  const std::uint32_t most = from.negotiated->max_read_write_size;
  judge.require(kWithinReadWriteSize, octets_moved <= most, octets(0, 0),
                expected([&] { return fmt::format("at most {} octets, its own MaxReadWriteSize", most); }),
                actual(octets_moved));
}

}  // namespace wirelaw::smbd

// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2.1: the first message of the initiator. What 3.1.5.6 has the receiver insist on, the sender
// owes.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 2.2.1"};
constexpr Section kInitiatorByAbsence = kSection.of(wirelaw::Role::initiator).resting_on(Evidence::absence);
constexpr Section kInitiatorNotJudged = kSection.of(wirelaw::Role::initiator).by(Observable::none);
constexpr Section kInitiator = kSection.of(wirelaw::Role::initiator);
constexpr Section kInitiatorStimulus = kSection.of(wirelaw::Role::initiator).by(Observable::stimulus);
constexpr Section kListener = kSection.of(wirelaw::Role::responder);
constexpr Section kListenerStimulus = kSection.of(wirelaw::Role::responder).by(Observable::stimulus);

}  // namespace

constinit const Rule kRequestFirst =
    kInitiatorByAbsence.must("SMBD-2.2.1-1", "The first message of the initiator is a Negotiate Request.");
constinit const Rule kRequestMinVersionKnown = kInitiatorNotJudged.must(
    "SMBD-2.2.1-2", "MinVersion is one of the versions of 1.7.", "there is one, 0x0100: judged by SMBD-3.1.5.2-1");
constinit const Rule kRequestMaxVersionKnown = kInitiatorNotJudged.must(
    "SMBD-2.2.1-3", "MaxVersion is one of the versions of 1.7.", "there is one, 0x0100: judged by SMBD-3.1.5.2-2");
constinit const Rule kRequestVersionRange = kInitiator.must("SMBD-2.2.1-4", "MaxVersion is not below MinVersion.");
constinit const Rule kRequestSupportsRange =
    kInitiatorStimulus.must("SMBD-2.2.1-5", "The initiator supports each version from MinVersion to MaxVersion.");
constinit const Rule kRequestAsksForCredits =
    kInitiator.must("SMBD-2.2.1-6", "CreditsRequested, the send credits that the initiator wants, is not zero.",
                    "by 3.1.5.6: the receiver ends the connection otherwise");
constinit const Rule kRequestReservedZero = kInitiatorNotJudged.should(
    "SMBD-2.2.1-7", "Reserved is sent as zero.", "SMBD/A3: a MUST in 3.1.5.2; judged by SMBD-3.1.5.2-3");
constinit const Rule kRequestMaxReceive = kInitiator.must(
    "SMBD-2.2.1-8", "MaxReceiveSize, the longest message that the initiator can receive, is at least 128.",
    "by 3.1.5.6");
constinit const Rule kWithinInitiatorsReceive = kListener.must(
    "SMBD-2.2.1-9",
    "No message to the initiator is longer than the MaxReceiveSize of its request, octets behind the data included.",
    "SMBD/A20");
constinit const Rule kRequestMaxFragmented =
    kInitiator.must("SMBD-2.2.1-10",
                    "MaxFragmentedSize, the most octets of one upper-layer message that the initiator can put "
                    "together, is at least 131,072.",
                    "by 3.1.5.6");
constinit const Rule kRequestWhole =
    kInitiator.must("SMBD-2.2.1-11", "The request holds all of its fields: 20 octets at least.",
                    "by 3.1.5.6; SMBD/A21: more are accepted");
constinit const Rule kRequestReservedIgnored =
    kListenerStimulus.must("SMBD-2.2.1-12", "The listener ignores Reserved.");
constinit const Rule kRequestPreferredHonoured = kInitiatorStimulus.must(
    "SMBD-2.2.1-13", "PreferredSendSize is the longest message that the initiator goes on to send.",
    "in a trace: SMBD-3.1.5.4-12");
constinit const Rule kInitiatorReceivesMax =
    kInitiatorStimulus.must("SMBD-2.2.1-14", "The initiator can receive a message of MaxReceiveSize octets.");
constinit const Rule kInitiatorReassemblesMax = kInitiatorStimulus.must(
    "SMBD-2.2.1-15", "The initiator can put together an upper-layer message of MaxFragmentedSize octets.",
    "S-09: what is announced must be coverable by credits");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kRequestFirst, {data_before_request}), broken_by(kRequestVersionRange, {request_max_below_min}),
    broken_by(kRequestSupportsRange, kNoMessageArrives),
    broken_by(kRequestSupportsRange, {request_min_version_zero, request_max_version_two, request_version_two,
                                      request_max_below_min, request_big_endian, data_before_request}),
    broken_by(kRequestAsksForCredits, {request_credits_zero}),
    broken_by(kRequestMaxReceive, {request_receive_size_low}),
    broken_by(kRequestMaxFragmented, {request_fragmented_size_low}), broken_by(kRequestWhole, {request_short}),
    broken_by(kRequestReservedIgnored, kNoMessageArrives),
    broken_by(kRequestReservedIgnored,
              {response_short, response_status_not_zero, remaining_at_end, response_twice, response_missing,
               response_behind_data, negotiates_again, refuses_reserved_bits, ignores_granted_credits}),
    broken_by(kRequestPreferredHonoured,
              {data_length_beyond, segment_above_preferred_size, request_twice, negotiates_again}),
    broken_by(
        kInitiatorReceivesMax,
        {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps,
         data_length_short, data_altered, fragments_swapped, fragment_repeated, fragment_missing, receives_small,
         data_before_response, delivers_fragments, delivers_nothing, fragments_left_behind, begins_with_fragments}),
    broken_by(kInitiatorReassemblesMax, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kInitiatorReassemblesMax, {fragments_swapped, fragment_repeated, fragment_missing, receives_small,
                                         delivers_fragments, fragments_left_behind, grant_replaces_credits}));

}  // namespace

SectionRules negotiate_request_rules() {
  static constexpr const Rule* kRules[] = {&kRequestFirst,
                                           &kRequestMinVersionKnown,
                                           &kRequestMaxVersionKnown,
                                           &kRequestVersionRange,
                                           &kRequestSupportsRange,
                                           &kRequestAsksForCredits,
                                           &kRequestReservedZero,
                                           &kRequestMaxReceive,
                                           &kWithinInitiatorsReceive,
                                           &kRequestMaxFragmented,
                                           &kRequestWhole,
                                           &kRequestReservedIgnored,
                                           &kRequestPreferredHonoured,
                                           &kInitiatorReceivesMax,
                                           &kInitiatorReassemblesMax};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_request_first(Judge& judge, bool is_data) {
  judge.require(kRequestFirst, !is_data, octets(0, describe(MessageType::data_transfer).octets),
                expected("a Negotiate Request"), actual("a Data Transfer"),
                "or the negotiation before it was not captured");
}

bool judge_request_whole(Judge& judge, const Message& message) {
  const std::size_t least = describe(MessageType::negotiate_request).octets;
  return judge.require(kRequestWhole, message.wire_length >= least, octets(0, message.octets.size()),
                       expected("at least 20 octets"), actual(message.wire_length));
}

bool judge_request_range(Judge& judge, const NegotiateRequest& request) {
  return judge.require(kRequestVersionRange, request.max_version >= request.min_version, in_request(Field::max_version),
                       expected([&] { return fmt::format("at least 0x{:04x}", request.min_version); }),
                       actual(hex(request.max_version)));
}

bool judge_request_values(Judge& judge, const NegotiateRequest& request) {
  bool taken = judge.require(kRequestAsksForCredits, request.credits_requested > 0,
                             in_request(Field::credits_requested), expected("at least 1"), actual(0));
  taken &=
      judge.require(kRequestMaxReceive, request.max_receive_size >= kLeastMaxReceiveSize,
                    in_request(Field::max_receive_size), expected("at least 128"), actual(request.max_receive_size));
  taken &= judge.require(kRequestMaxFragmented, request.max_fragmented_size >= kLeastMaxFragmentedSize,
                         in_request(Field::max_fragmented_size), expected("at least 131072"),
                         actual(request.max_fragmented_size));
  return taken;
}

// Where the data alone are too long for it, SMBD-3.1.5.4-12 says so.
void judge_within_receive(Judge& judge, const Seen& seen) {
  if (!seen.to().negotiated) return;
  const std::uint32_t most = seen.to().negotiated->max_receive_size;
  if (seen.data.data_end() > most) return;
  const Rule& rule = seen.from().role == wirelaw::Role::initiator ? kWithinListenersReceive : kWithinInitiatorsReceive;
  judge.require(rule, seen.length() <= most, octets(0, seen.message().octets.size()),
                expected([&] { return fmt::format("at most {} octets, the receiver's MaxReceiveSize", most); }),
                actual(seen.length()));
}

}  // namespace wirelaw::smbd

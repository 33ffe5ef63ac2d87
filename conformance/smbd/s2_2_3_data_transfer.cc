// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2.3: the message of an established connection.
#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 2.2.3"};
constexpr Section kStimulus = kSection.by(Observable::stimulus);
constexpr Section kNotJudged = kSection.by(Observable::none);

}  // namespace

constinit const Rule kRequestedIsTotal = kStimulus.must(
    "SMBD-2.2.3-1", "CreditsRequested is the number of credits wanted in all, those already granted included.");
constinit const Rule kGrantedIsIncrement =
    kStimulus.must("SMBD-2.2.3-2", "CreditsGranted is added to the credits that the receiver has.");
constinit const Rule kAsksForCredits = kSection.must(
    "SMBD-2.2.3-3", "CreditsRequested is not zero.",
    "SMBD/A37: by 3.1.5.8, which has the receiver end the connection otherwise; no other value is judged");
constinit const Rule kFlagsDefined = kSection.must(
    "SMBD-2.2.3-4", "Flags holds no bit but SMB_DIRECT_RESPONSE_REQUESTED, and is zero where that is not meant.",
    "SMBD/A23: a sender's fault; a receiver may pass it over");
constinit const Rule kResponseRequestedAnswered =
    kStimulus.must("SMBD-2.2.3-5", "Who receives SMB_DIRECT_RESPONSE_REQUESTED promptly sends a message.",
                   "SMBD/A4, SMBD/A28; in a trace: SMBD-3.1.5.8-12");
constinit const Rule kSegmentReservedZero =
    kSection.should("SMBD-2.2.3-6", "Reserved of a message with payload is zero.",
                    "SMBD/A3: of an empty message it is a MUST, SMBD-3.1.5.4-3");
constinit const Rule kDataReservedIgnored = kStimulus.must("SMBD-2.2.3-7", "Reserved is ignored on receipt.");
constinit const Rule kDataBehindHeader =
    kSection.must("SMBD-2.2.3-8", "The payload begins behind the 20 octets of the header.",
                  "SMBD/A19: a sender's fault; what a receiver makes of it is not judged");
constinit const Rule kNoDataNoOffset =
    kNotJudged.must("SMBD-2.2.3-9", "DataOffset is zero where there is no payload.", "judged by SMBD-3.1.5.4-5");
constinit const Rule kOffsetAligned =
    kNotJudged.must("SMBD-2.2.3-10", "DataOffset is a multiple of 8.", "judged by SMBD-3.1.5.4-9");
constinit const Rule kNoDataNoLength =
    kNotJudged.must("SMBD-2.2.3-11", "DataLength is zero where there is no payload.", "judged by SMBD-3.1.5.4-6");
constinit const Rule kDataWithinMessage = kSection.must(
    "SMBD-2.2.3-12", "DataOffset and DataLength name octets of the message.", "the sum does not wrap: S-01");
constinit const Rule kZeroRemainingEnds = kStimulus.must(
    "SMBD-2.2.3-13",
    "RemainingDataLength zero marks the last message of a sequence: what was put together is passed on then.");
constinit const Rule kRemainingMeansMore = kStimulus.must(
    "SMBD-2.2.3-14",
    "RemainingDataLength other than zero says that the sequence goes on: nothing is passed on before its end.");
constinit const Rule kPaddingZeroSyntax = kNotJudged.should("SMBD-2.2.3-15", "Padding is sent as zero.",
                                                            "SMBD/A2: a MUST in 3.1.5.4; judged by SMBD-3.1.5.4-19");
constinit const Rule kPaddingIgnored = kStimulus.must("SMBD-2.2.3-16", "Padding is ignored on receipt.", "SMBD/A2");
constinit const Rule kPaddingByOffset =
    kStimulus.must("SMBD-2.2.3-17", "Padding ends where DataOffset says, be it 4 octets long or not.", "SMBD/A1");
constinit const Rule kMayBeEmpty = kStimulus.may(
    "SMBD-2.2.3-18", "A message without payload grants credits, asks for them, or keeps the connection alive.");
constinit const Rule kBufferAsNamed =
    kStimulus.must("SMBD-2.2.3-19", "The payload is what DataOffset and DataLength name, and nothing else.");
constinit const Rule kDataHeaderWhole =
    kSection.must("SMBD-2.2.3-20", "The message holds all of its fields: 20 octets at least.", "by 3.1.5.8");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kResponseRequestedAnswered, {refuses_empty_messages, keepalive_unanswered}),
    broken_by(kResponseRequestedAnswered, {ignores_granted_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kRequestedIsTotal, {credits_requested_zero, requests_what_is_missing}, {.severity = Severity::warning}),
    broken_by(kGrantedIsIncrement, kGrantsWithoutReceives), broken_by(kGrantedIsIncrement, kMessagesAltered),
    broken_by(kGrantedIsIncrement, {grant_is_total, negotiates_again, delivers_nothing, grant_replaces_credits}),
    broken_by(kGrantedIsIncrement, {remaining_zero_early}, {.who = wirelaw::Role::initiator}),
    broken_by(kGrantedIsIncrement,
              {data_offset_beyond, data_sum_wraps, remaining_at_end, grants_nothing, ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kAsksForCredits, {credits_requested_zero}), broken_by(kFlagsDefined, {flags_undefined}),
    broken_by(kSegmentReservedZero, {segment_reserved_set}),
    broken_by(kDataReservedIgnored, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kDataReservedIgnored, {refuses_reserved_bits}),
    broken_by(kDataBehindHeader, {data_offset_in_header, data_offset_zero}),
    broken_by(kDataWithinMessage, {data_offset_beyond, data_length_beyond, data_sum_wraps}),
    broken_by(kZeroRemainingEnds,
              {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps,
               data_altered, data_before_response, delivers_nothing, fragments_left_behind, begins_with_fragments}),
    broken_by(kZeroRemainingEnds, {data_length_short, remaining_at_end, negotiates_again},
              {.who = wirelaw::Role::responder}),
    broken_by(kRemainingMeansMore, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kRemainingMeansMore, {delivers_fragments}),
    broken_by(kPaddingIgnored, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kPaddingIgnored, {refuses_padding}),
    broken_by(kPaddingByOffset, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kPaddingByOffset,
              {receives_small, refuses_unusual_offset, refuses_trailing_data, delivers_fragments, takes_data_from_24}),
    broken_by(kMayBeEmpty, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kMayBeEmpty, {refuses_empty_messages}),
    broken_by(kBufferAsNamed,
              {receives_small, refuses_unusual_offset, refuses_trailing_data, delivers_fragments, takes_data_from_24}),
    broken_by(kDataHeaderWhole, {data_short}));

}  // namespace

SectionRules data_transfer_rules() {
  static constexpr const Rule* kRules[] = {&kRequestedIsTotal,
                                           &kGrantedIsIncrement,
                                           &kAsksForCredits,
                                           &kFlagsDefined,
                                           &kResponseRequestedAnswered,
                                           &kSegmentReservedZero,
                                           &kDataReservedIgnored,
                                           &kDataBehindHeader,
                                           &kNoDataNoOffset,
                                           &kOffsetAligned,
                                           &kNoDataNoLength,
                                           &kDataWithinMessage,
                                           &kZeroRemainingEnds,
                                           &kRemainingMeansMore,
                                           &kPaddingZeroSyntax,
                                           &kPaddingIgnored,
                                           &kPaddingByOffset,
                                           &kMayBeEmpty,
                                           &kBufferAsNamed,
                                           &kDataHeaderWhole};
  return {.rules = kRules, .breaches = kBreaches};
}

bool judge_data_whole(Judge& judge, const Message& message) {
  const std::size_t least = describe(MessageType::data_transfer).octets;
  return judge.require(kDataHeaderWhole, message.wire_length >= least, octets(0, message.octets.size()),
                       expected("at least 20 octets"), actual(message.wire_length));
}

void judge_data_fields(Judge& judge, const Seen& seen) {
  const DataTransfer& data = seen.data;
  judge.require(kAsksForCredits, data.credits_requested > 0, in_data(Field::credits_requested), expected("at least 1"),
                actual(0));
  const auto undefined = static_cast<std::uint16_t>(data.flags & ~flag::kResponseRequested);
  judge.require(kFlagsDefined, undefined == 0, in_data(Field::flags), expected("0x0000 or 0x0001"),
                actual(hex(data.flags)));
}

bool judge_data_place(Judge& judge, const Seen& seen) {
  const DataTransfer& data = seen.data;
  judge.require(kSegmentReservedZero, data.reserved == 0, in_data(Field::reserved), expected(0),
                actual(hex(data.reserved)));
  const std::size_t header = describe(MessageType::data_transfer).octets;
  if (!judge.require(kDataBehindHeader, data.data_offset >= header, in_data(Field::data_offset),
                     expected("at least 20"), actual(data.data_offset), "the payload would begin in the header"))
    return false;
  return judge.require(kDataWithinMessage, data.data_end() <= seen.length(), kOffsetAndLength,
                       expected([&] { return fmt::format("an end within {} octets", seen.length()); }),
                       actual([&] { return fmt::format("{} + {}", data.data_offset, data.data_length); }));
}

}  // namespace wirelaw::smbd

// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.4: empty messages, and upper-layer messages in segments.
#include <algorithm>

#include "conformance/section.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 3.1.5.4"};
constexpr Section kStimulus = kSection.by(Observable::stimulus);
constexpr Section kApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kAllAreDataTransfer =
    kStimulus.must("SMBD-3.1.5.4-1", "Behind the negotiation every message is a Data Transfer.",
                   "SMBD/A8; a negotiate message sent again is judged by SMBD-2.2-2");
constinit const Rule kWithinFragmentedSize = kSection.must(
    "SMBD-3.1.5.4-2", "An upper-layer message is at most as long as the MaxFragmentedSize of its receiver.",
    "DataLength and RemainingDataLength together; their sum does not wrap: S-02");
constinit const Rule kEmptyReserved =
    kSection.must("SMBD-3.1.5.4-3", "Reserved of an empty message is zero.", "SMBD/A3");
constinit const Rule kEmptyRemaining =
    kSection.must("SMBD-3.1.5.4-4", "RemainingDataLength of an empty message is zero.",
                  "SMBD/A14: a fragment without data is an empty message");
constinit const Rule kEmptyOffset = kSection.must("SMBD-3.1.5.4-5", "DataOffset of an empty message is zero.");
constinit const Rule kEmptyLength =
    kSection.must("SMBD-3.1.5.4-6", "DataLength of a message that ends with its header is zero.");
constinit const Rule kEmptyEndsWithHeader =
    kSection.must("SMBD-3.1.5.4-7", "An empty message has neither padding nor payload: it is 20 octets long.");
constinit const Rule kInSegments =
    kStimulus.must("SMBD-3.1.5.4-8", "A message that is not empty is sent in one segment or several.");
constinit const Rule kSegmentAligned = kSection.must("SMBD-3.1.5.4-9", "DataOffset of a segment is a multiple of 8.");
constinit const Rule kOffsetDetermined =
    kStimulus.must("SMBD-3.1.5.4-10", "DataOffset and DataLength are chosen for each segment.");
constinit const Rule kTooLongReturned =
    kApi.must("SMBD-3.1.5.4-11", "A message above MaxFragmentedSendSize gives an error.", "the upper layer sees it");
constinit const Rule kWithinSendSize =
    kSection.must("SMBD-3.1.5.4-12", "DataOffset and DataLength together are at most MaxSendSize.",
                  "the smaller of the sender's PreferredSendSize and the receiver's MaxReceiveSize (3.1.5.6, 3.1.5.7)");
constinit const Rule kOffsetIs24 = kSection.should(
    "SMBD-3.1.5.4-13", "DataOffset is 24.", "other valid values are a MAY of the same sentence: a breach is a warning");
constinit const Rule kSegmentsFull =
    kSection.should("SMBD-3.1.5.4-14", "A segment that is not the last holds MaxSendSize - 24 octets.",
                    "other valid values are a MAY of the same sentence: a breach is a warning");
constinit const Rule kOtherValues = kStimulus.may(
    "SMBD-3.1.5.4-15", "DataOffset and DataLength may have other valid values: a receiver takes them.", "SMBD/A1");
constinit const Rule kLastRemainsZero =
    kSection.must("SMBD-3.1.5.4-16", "RemainingDataLength of the last segment is zero.",
                  "by what the segment before it announced: SMBD/A15");
constinit const Rule kRemainingAddsUp =
    kSection.must("SMBD-3.1.5.4-17", "RemainingDataLength of any other segment is what is left to be sent behind it.",
                  "SMBD/A15, SMBD/A16, SMBD/A42: it does not count the segment itself");
constinit const Rule kFieldsAsDetermined =
    kStimulus.must("SMBD-3.1.5.4-18", "DataOffset and DataLength are sent as they were chosen.");
constinit const Rule kPaddingZero =
    kSection.must("SMBD-3.1.5.4-19", "The octets between the header and DataOffset are zero.", "SMBD/A1, SMBD/A2");
constinit const Rule kBufferIsData =
    kStimulus.must("SMBD-3.1.5.4-20", "The payload is the DataLength octets that are due.", "an echo shows it");
constinit const Rule kTokenOnce =
    kSection.must("SMBD-3.1.5.4-21", "A token is invalidated with one segment of a message, and no more than one.",
                  "SMBD/A35: whichever; SMBD/A34: an empty message is not judged; S-14");
constinit const Rule kSegmentsUntilZero = kStimulus.must("SMBD-3.1.5.4-22", "Segments follow until nothing remains.");
constinit const Rule kStrictOrder = kSection.must(
    "SMBD-3.1.5.4-23", "The segments of a message follow each other strictly: no empty message comes between them.",
    "SMBD/A13");
constinit const Rule kEmptySentByCredits =
    kSection.by(Observable::none)
        .must("SMBD-3.1.5.4-24", "An empty message spends a credit like any other.",
              "that no message is sent without one: SMBD-3.1.5.1-5");
constinit const Rule kSegmentFailureEnds =
    kStimulus.must("SMBD-3.1.5.4-25", "A Send that fails ends the connection.", "SMBD/A46");
constinit const Rule kSegmentResultReturned =
    kApi.must("SMBD-3.1.5.4-26", "The provider's result is returned to the caller.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kInSegments, {empty_length_set}, {.who = wirelaw::Role::responder}),
    broken_by(kFieldsAsDetermined, {empty_length_set}, {.who = wirelaw::Role::responder}),
    broken_by(kLastRemainsZero, {fragments_swapped}, {.who = wirelaw::Role::responder}),
    broken_by(kWithinSendSize, {response_preferred_above_request}),
    broken_by(kSegmentsUntilZero, {queue_not_restarted}, {.who = wirelaw::Role::initiator}),
    broken_by(kOffsetIs24, {data_offset_32}, {.severity = Severity::warning}),
    broken_by(kAllAreDataTransfer, {request_twice, response_twice, negotiates_again}),
    broken_by(kWithinFragmentedSize,
              {remaining_includes_current, remaining_one_too_many, announces_too_much, message_above_fragmented_size}),
    broken_by(kEmptyReserved, {empty_reserved_set}),
    broken_by(kEmptyRemaining, {empty_remaining_set, fragment_without_data}),
    broken_by(kEmptyOffset, {empty_offset_set, data_length_short, fragment_without_data}),
    broken_by(kEmptyLength, {empty_length_set}),
    broken_by(kEmptyEndsWithHeader, {empty_offset_set, empty_padded, data_length_short, fragment_without_data}),
    broken_by(kInSegments, {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond,
                            data_sum_wraps, data_length_short, remaining_zero_early, fragments_swapped,
                            fragment_repeated, fragment_missing, data_before_response}),
    broken_by(kInSegments, {delivers_fragments, begins_with_fragments}, {.who = wirelaw::Role::responder}),
    broken_by(kSegmentAligned, {data_offset_unaligned}),
    broken_by(kOffsetDetermined, {data_altered, fragments_swapped}),
    broken_by(kOffsetDetermined, {receives_small, delivers_fragments, begins_with_fragments},
              {.who = wirelaw::Role::initiator}),
    broken_by(kTooLongReturned, {message_above_fragmented_size}),
    broken_by(kWithinSendSize, {segment_above_receive_size, segment_above_preferred_size}),
    broken_by(kSegmentsFull, {response_preferred_above_request, data_length_short, remaining_at_end},
              {.severity = Severity::warning}),
    broken_by(kOtherValues,
              {receives_small, refuses_unusual_offset, refuses_trailing_data, delivers_fragments, takes_data_from_24}),
    broken_by(kLastRemainsZero, {remaining_at_end}),
    broken_by(kRemainingAddsUp, {data_length_short, remaining_includes_current, remaining_one_too_many,
                                 remaining_constant, remaining_at_end, remaining_zero_early, announces_too_much,
                                 fragments_swapped, fragment_repeated, fragment_missing}),
    broken_by(kFieldsAsDetermined, {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond,
                                    data_sum_wraps, data_length_short, remaining_zero_early, fragments_swapped,
                                    fragment_repeated, fragment_missing, data_before_response}),
    broken_by(kFieldsAsDetermined, {delivers_fragments, begins_with_fragments}, {.who = wirelaw::Role::responder}),
    broken_by(kPaddingZero, {padding_not_zero}), broken_by(kBufferIsData, {data_altered, fragments_swapped}),
    broken_by(kBufferIsData, {receives_small, delivers_fragments, begins_with_fragments},
              {.who = wirelaw::Role::initiator}),
    broken_by(kBufferIsData, {fragments_left_behind}, {.who = wirelaw::Role::responder}),
    broken_by(kTokenOnce, {invalidates_every_segment}),
    broken_by(kSegmentsUntilZero, {data_length_short, remaining_at_end}),
    broken_by(kSegmentsUntilZero, {grants_nothing, refuses_empty_messages, ignores_granted_credits},
              {.who = wirelaw::Role::initiator}),
    broken_by(kSegmentsUntilZero, {grant_replaces_credits}, {.who = wirelaw::Role::responder}),
    broken_by(kStrictOrder, {data_length_short, empty_between_fragments}),
    broken_by(kStrictOrder, {remaining_at_end}, {.who = wirelaw::Role::initiator}),
    broken_by(kSegmentFailureEnds, {endpoint_left_open}), broken_by(kSegmentResultReturned, {send_result_lost}),
    broken_by(kSegmentResultReturned, {refuses_empty_messages, ignores_granted_credits, queue_not_restarted},
              {.who = wirelaw::Role::responder}));

}  // namespace

SectionRules segment_rules() {
  static constexpr const Rule* kRules[] = {
      &kAllAreDataTransfer, &kWithinFragmentedSize, &kEmptyReserved,       &kEmptyRemaining,
      &kEmptyOffset,        &kEmptyLength,          &kEmptyEndsWithHeader, &kInSegments,
      &kSegmentAligned,     &kOffsetDetermined,     &kTooLongReturned,     &kWithinSendSize,
      &kOffsetIs24,         &kSegmentsFull,         &kOtherValues,         &kLastRemainsZero,
      &kRemainingAddsUp,    &kFieldsAsDetermined,   &kPaddingZero,         &kBufferIsData,
      &kTokenOnce,          &kSegmentsUntilZero,    &kStrictOrder,         &kEmptySentByCredits,
      &kSegmentFailureEnds, &kSegmentResultReturned};
  return {.rules = kRules, .breaches = kBreaches};
}

void judge_empty(Judge& judge, const Seen& seen) {
  const DataTransfer& data = seen.data;
  const std::size_t header = describe(MessageType::data_transfer).octets;
  judge.require(kEmptyReserved, data.reserved == 0, in_data(Field::reserved), expected(0), actual(hex(data.reserved)));
  judge.require(kEmptyRemaining, data.remaining_data_length == 0, in_data(Field::remaining_data_length), expected(0),
                actual(data.remaining_data_length), "the message has no payload");
  judge.require(kEmptyOffset, data.data_offset == 0, in_data(Field::data_offset), expected(0), actual(data.data_offset),
                "the message has no payload");
  judge.require(kEmptyEndsWithHeader, seen.length() == header, octets(header, seen.message().octets.size() - header),
                expected("20 octets"), actual(seen.length()), "the message has no payload");
  const Fragments& before = seen.from().fragments;
  if (before.open && data.remaining_data_length == 0)
    judge.require(kStrictOrder, false, kRemainingToLength,
                  expected([&] { return fmt::format("the next segment: {} octets are left", before.left); }),
                  actual("an empty message"),
                  "its receiver takes RemainingDataLength zero for an early end (SMBD/A13)");
}

bool judge_length_of_none(Judge& judge, const Seen& seen) {
  if (seen.length() > describe(MessageType::data_transfer).octets) return true;
  return judge.require(kEmptyLength, seen.data.data_length == 0, in_data(Field::data_length), expected(0),
                       actual(seen.data.data_length), "the message ends with its header");
}

namespace {

void judge_sizes(Judge& judge, const Seen& seen) {
  const DataTransfer& data = seen.data;
  if (const auto most = seen.connection.max_send_size(seen.from())) {
    judge.require(kWithinSendSize, data.data_end() <= *most, kOffsetAndLength,
                  expected([&] { return fmt::format("an end within {} octets, its MaxSendSize", *most); }),
                  actual([&] { return fmt::format("{} + {}", data.data_offset, data.data_length); }));
    if (data.remaining_data_length > 0 && data.data_offset == kUsualDataOffset && *most > kUsualDataOffset)
      judge.advise(kSegmentsFull, data.data_length + std::uint64_t{kUsualDataOffset} >= *most,
                   in_data(Field::data_length), expected(*most - kUsualDataOffset), actual(data.data_length),
                   "other lengths are valid, and take more credits");
  }
  if (const auto& receiver = seen.to().negotiated)
    judge.require(kWithinFragmentedSize, data.announced() <= receiver->max_fragmented_size, kRemainingToLength,
                  expected([&] {
                    return fmt::format("at most {}, the receiver's MaxFragmentedSize", receiver->max_fragmented_size);
                  }),
                  actual(data.announced()));
}

}  // namespace

void judge_segment(Judge& judge, const Seen& seen) {
  const DataTransfer& data = seen.data;
  const std::size_t header = describe(MessageType::data_transfer).octets;
  if (judge.require(kSegmentAligned, data.data_offset % kDataAlignment == 0, in_data(Field::data_offset),
                    expected("a multiple of 8"), actual(data.data_offset)))
    judge.advise(kOffsetIs24, data.data_offset == kUsualDataOffset, in_data(Field::data_offset), expected(24),
                 actual(data.data_offset), "other offsets are valid");
  const bool zero = std::ranges::all_of(data.padding, [](Octet one) { return one == 0; });
  judge.require(kPaddingZero, zero, octets(header, data.padding.size()), expected("zeros"), actual("other octets"));
  judge_sizes(judge, seen);
}

void judge_fragments(Judge& judge, const Seen& seen) {
  const DataTransfer& data = seen.data;
  Fragments& fragments = seen.from().fragments;
  const bool invalidates = seen.delivery.invalidated_stag.has_value();
  if (!fragments.open) {
    fragments = {
        .open = data.remaining_data_length > 0, .left = data.remaining_data_length, .invalidated = invalidates};
    return;
  }
  judge.require(kStrictOrder, true, kRemainingToLength, expected("the next segment"), actual("it"));
  const auto said =
      actual([&] { return fmt::format("{} with {} here", data.remaining_data_length, data.data_length); });
  const std::uint64_t left = fragments.left;
  const bool adds_up = data.data_length == left
                           ? judge.require(kLastRemainsZero, data.remaining_data_length == 0, kRemainingToLength,
                                           expected(0), said, "this segment holds all that the one before it left")
                           : judge.require(kRemainingAddsUp, data.announced() == left, kRemainingToLength,
                                           expected([&] { return fmt::format("{} together with DataLength", left); }),
                                           said, "the segment before it left so many");
  judge.require(kTokenOnce, !(fragments.invalidated && invalidates), octets(0, 0),
                expected("one segment with Invalidate in an upper-layer message"), actual("another"));
  if (!adds_up) {  // what is left is not known: the next segment continues it, or begins another message
    fragments = {};
    return;
  }
  fragments.open = data.remaining_data_length > 0;
  fragments.left = data.remaining_data_length;
  fragments.invalidated |= invalidates;
}

}  // namespace wirelaw::smbd

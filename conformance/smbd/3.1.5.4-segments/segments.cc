// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.4: empty messages, and upper-layer messages in segments.
#include "conformance/smbd/3.1.5.4-segments/segments.h"

#include <algorithm>

#include "conformance/smbd/3.1.5.4-segments/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
namespace {

// The octets are padding and payload if DataOffset says so. Otherwise, they may align what follows (2.2).
void check_empty_length(Judge& judge, const Facts& facts, const DataTransfer& data) {
  const std::size_t header = describe(MessageType::data_transfer).octets;
  const OctetRange after = octets(header, facts.message().octets.size() - header);
  const bool is_whole = facts.length() == header;
  if (data.data_offset > header)
    judge.require(rule<"SMBD-3.1.5.4-7">, is_whole, after, expected("20 octets"), actual(facts.length()),
                  "the message has no payload");
  else
    judge.advise(rule<"SMBD-3.1.5.4-7">, is_whole, after, expected("20 octets"), actual(facts.length()),
                 "the message has no payload, and the octets may be there to align data (SMBD/A20)");
}

}  // namespace

void check_empty(Judge& judge, const Facts& facts, const TransferFact& transfer) {
  const DataTransfer& data = transfer.data;
  judge.require(rule<"SMBD-3.1.5.4-3">, data.reserved == 0, in_data(Field::reserved), expected(0),
                actual(hex(data.reserved)));
  judge.require(rule<"SMBD-3.1.5.4-4">, data.remaining_data_length == 0, in_data(Field::remaining_data_length),
                expected(0), actual(data.remaining_data_length), "the message has no payload");
  judge.require(rule<"SMBD-3.1.5.4-5">, data.data_offset == 0, in_data(Field::data_offset), expected(0),
                actual(data.data_offset), "the message has no payload");
  check_empty_length(judge, facts, data);
  if (transfer.left && data.remaining_data_length == 0)
    judge.require(rule<"SMBD-3.1.5.4-23">, false, kRemainingToLength,
                  expected([&] { return fmt::format("the next segment: {} octets are left", *transfer.left); }),
                  actual("an empty message"),
                  "its receiver takes RemainingDataLength zero for an early end (SMBD/A13)");
}

bool check_length_of_none(Judge& judge, const DataTransfer& data, std::size_t length) {
  if (length > describe(MessageType::data_transfer).octets) return true;
  return judge.require(rule<"SMBD-3.1.5.4-6">, data.data_length == 0, in_data(Field::data_length), expected(0),
                       actual(data.data_length), "the message ends with its header");
}

namespace {

void check_sizes(Judge& judge, const DataTransfer& data, const SegmentFact& segment) {
  if (const auto most = segment.max_send_size) {
    judge.require(rule<"SMBD-3.1.5.4-12">, data.data_end() <= *most, kOffsetAndLength,
                  expected([&] { return fmt::format("an end within {} octets, its MaxSendSize", *most); }),
                  actual([&] { return fmt::format("{} + {}", data.data_offset, data.data_length); }));
    if (data.remaining_data_length > 0 && data.data_offset == kUsualDataOffset && *most > kUsualDataOffset)
      judge.advise(rule<"SMBD-3.1.5.4-14">, data.data_length + std::uint64_t{kUsualDataOffset} >= *most,
                   in_data(Field::data_length), expected(*most - kUsualDataOffset), actual(data.data_length),
                   "other lengths are valid, and take more credits");
  }
  if (const auto most = segment.max_fragmented_size)
    judge.require(rule<"SMBD-3.1.5.4-2">, data.announced() <= *most, kRemainingToLength,
                  expected([&] { return fmt::format("at most {}, the receiver's MaxFragmentedSize", *most); }),
                  actual(data.announced()));
}

}  // namespace

void check_segment(Judge& judge, const DataTransfer& data, const SegmentFact& segment) {
  const std::size_t header = describe(MessageType::data_transfer).octets;
  if (judge.require(rule<"SMBD-3.1.5.4-9">, data.data_offset % kDataAlignment == 0, in_data(Field::data_offset),
                    expected("a multiple of 8"), actual(data.data_offset)))
    judge.advise(rule<"SMBD-3.1.5.4-13">, data.data_offset == kUsualDataOffset, in_data(Field::data_offset),
                 expected(24), actual(data.data_offset), "other offsets are valid");
  const bool zero = std::ranges::all_of(data.padding, [](Octet one) { return one == 0; });
  judge.require(rule<"SMBD-3.1.5.4-19">, zero, octets(header, data.padding.size()), expected("zeros"),
                actual("other octets"));
  check_sizes(judge, data, segment);
}

void check_fragments(Judge& judge, const DataTransfer& data, const SegmentFact& segment) {
  if (!segment.left) return;
  judge.require(rule<"SMBD-3.1.5.4-23">, true, kRemainingToLength, expected("the next segment"), actual("it"));
  const auto said = actual(
      [&] { return fmt::format("{} + {} = {}", data.remaining_data_length, data.data_length, data.announced()); });
  const std::uint64_t left = *segment.left;
  if (data.data_length == left)
    judge.require(rule<"SMBD-3.1.5.4-16">, data.remaining_data_length == 0, kRemainingToLength, expected(0), said,
                  "this segment holds all that the one before it left");
  else
    judge.require(rule<"SMBD-3.1.5.4-17">, data.announced() == left, kRemainingToLength,
                  expected([&] { return fmt::format("RemainingDataLength + DataLength = {}", left); }), said,
                  "the segment before it left so many");
  judge.require(rule<"SMBD-3.1.5.4-21">, !segment.is_invalidated_again, octets(0, 0),
                expected("one segment with Invalidate in an upper-layer message"), actual("another"));
}

}  // namespace wirelaw::smbd

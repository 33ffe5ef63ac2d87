// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.4: empty messages, and upper-layer messages in segments.
#include "conformance/smbd/3.1.5.4-segments/segments.h"

#include <algorithm>

#include "conformance/smbd/3.1.5.4-segments/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void judge_empty(Judge& judge, const Seen& seen) {
  const DataTransfer& data = seen.data;
  const std::size_t header = describe(MessageType::data_transfer).octets;
  judge.require(rule<"SMBD-3.1.5.4-3">, data.reserved == 0, in_data(Field::reserved), expected(0),
                actual(hex(data.reserved)));
  judge.require(rule<"SMBD-3.1.5.4-4">, data.remaining_data_length == 0, in_data(Field::remaining_data_length),
                expected(0), actual(data.remaining_data_length), "the message has no payload");
  judge.require(rule<"SMBD-3.1.5.4-5">, data.data_offset == 0, in_data(Field::data_offset), expected(0),
                actual(data.data_offset), "the message has no payload");
  judge.require(rule<"SMBD-3.1.5.4-7">, seen.length() == header, octets(header, seen.message().octets.size() - header),
                expected("20 octets"), actual(seen.length()), "the message has no payload");
  const Fragments& before = seen.from().fragments;
  if (before.open && data.remaining_data_length == 0)
    judge.require(rule<"SMBD-3.1.5.4-23">, false, kRemainingToLength,
                  expected([&] { return fmt::format("the next segment: {} octets are left", before.left); }),
                  actual("an empty message"),
                  "its receiver takes RemainingDataLength zero for an early end (SMBD/A13)");
}

bool judge_length_of_none(Judge& judge, const Seen& seen) {
  if (seen.length() > describe(MessageType::data_transfer).octets) return true;
  return judge.require(rule<"SMBD-3.1.5.4-6">, seen.data.data_length == 0, in_data(Field::data_length), expected(0),
                       actual(seen.data.data_length), "the message ends with its header");
}

namespace {

void judge_sizes(Judge& judge, const Seen& seen) {
  const DataTransfer& data = seen.data;
  if (const auto most = seen.connection.max_send_size(seen.from())) {
    judge.require(rule<"SMBD-3.1.5.4-12">, data.data_end() <= *most, kOffsetAndLength,
                  expected([&] { return fmt::format("an end within {} octets, its MaxSendSize", *most); }),
                  actual([&] { return fmt::format("{} + {}", data.data_offset, data.data_length); }));
    if (data.remaining_data_length > 0 && data.data_offset == kUsualDataOffset && *most > kUsualDataOffset)
      judge.advise(rule<"SMBD-3.1.5.4-14">, data.data_length + std::uint64_t{kUsualDataOffset} >= *most,
                   in_data(Field::data_length), expected(*most - kUsualDataOffset), actual(data.data_length),
                   "other lengths are valid, and take more credits");
  }
  if (const auto& receiver = seen.to().negotiated)
    judge.require(rule<"SMBD-3.1.5.4-2">, data.announced() <= receiver->max_fragmented_size, kRemainingToLength,
                  expected([&] {
                    return fmt::format("at most {}, the receiver's MaxFragmentedSize", receiver->max_fragmented_size);
                  }),
                  actual(data.announced()));
}

}  // namespace

void judge_segment(Judge& judge, const Seen& seen) {
  const DataTransfer& data = seen.data;
  const std::size_t header = describe(MessageType::data_transfer).octets;
  if (judge.require(rule<"SMBD-3.1.5.4-9">, data.data_offset % kDataAlignment == 0, in_data(Field::data_offset),
                    expected("a multiple of 8"), actual(data.data_offset)))
    judge.advise(rule<"SMBD-3.1.5.4-13">, data.data_offset == kUsualDataOffset, in_data(Field::data_offset),
                 expected(24), actual(data.data_offset), "other offsets are valid");
  const bool zero = std::ranges::all_of(data.padding, [](Octet one) { return one == 0; });
  judge.require(rule<"SMBD-3.1.5.4-19">, zero, octets(header, data.padding.size()), expected("zeros"),
                actual("other octets"));
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
  judge.require(rule<"SMBD-3.1.5.4-23">, true, kRemainingToLength, expected("the next segment"), actual("it"));
  const auto said =
      actual([&] { return fmt::format("{} with {} here", data.remaining_data_length, data.data_length); });
  const std::uint64_t left = fragments.left;
  const bool adds_up = data.data_length == left
                           ? judge.require(rule<"SMBD-3.1.5.4-16">, data.remaining_data_length == 0, kRemainingToLength,
                                           expected(0), said, "this segment holds all that the one before it left")
                           : judge.require(rule<"SMBD-3.1.5.4-17">, data.announced() == left, kRemainingToLength,
                                           expected([&] { return fmt::format("{} together with DataLength", left); }),
                                           said, "the segment before it left so many");
  judge.require(rule<"SMBD-3.1.5.4-21">, !(fragments.invalidated && invalidates), octets(0, 0),
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

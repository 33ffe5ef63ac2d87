// SPDX-License-Identifier: Apache-2.0
// The octets that each fault in fields and octets produces.
#include "reference/smbd/faults/message_faults.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/octets/hex.h"

namespace wirelaw::smbd {
namespace {

using enum Deviation;

struct Octetted {
  Deviation deviation;
  const char* octets;
};

std::string spaced(const char* octets) {
  return to_hex(*from_hex(octets));
}

TEST(MessageFault, OfANegotiateRequest) {
  const NegotiateRequest request{
      .credits_requested = 10, .preferred_send_size = 0x400, .max_receive_size = 0x800, .max_fragmented_size = 0x20000};
  const Octetted kExpected[] = {
      {request_short, "0001 0001 0000 0a00 00040000 00080000 000002"},
      {request_trailing_not_zero, "0001 0001 0000 0a00 00040000 00080000 00000200 eeeeeeee"},
      {request_min_version_zero, "0000 0001 0000 0a00 00040000 00080000 00000200"},
      {request_max_version_two, "0001 0002 0000 0a00 00040000 00080000 00000200"},
      {request_version_two, "0002 0002 0000 0a00 00040000 00080000 00000200"},
      {request_max_below_min, "0001 ff00 0000 0a00 00040000 00080000 00000200"},
      {request_reserved_set, "0001 0001 ffff 0a00 00040000 00080000 00000200"},
      {request_credits_zero, "0001 0001 0000 0000 00040000 00080000 00000200"},
      {request_receive_size_low, "0001 0001 0000 0a00 00040000 7f000000 00000200"},
      {request_fragmented_size_low, "0001 0001 0000 0a00 00040000 00080000 ffff0100"},
      {request_big_endian, "0100 0100 0000 000a 00000400 00000800 00020000"},
  };
  for (const Octetted& one : kExpected)
    EXPECT_EQ(to_hex(encode_with_faults(request, {one.deviation})), spaced(one.octets)) << describe(one.deviation).name;
}

TEST(MessageFault, OfANegotiateResponse) {
  const NegotiateResponse response{.negotiated_version = kVersion1,
                                   .credits_requested = 10,
                                   .credits_granted = 5,
                                   .max_read_write_size = 0x100000,
                                   .preferred_send_size = 0x400,
                                   .max_receive_size = 0x800,
                                   .max_fragmented_size = 0x20000};
  const Octetted kExpected[] = {
      {response_short, "0001 0001 0001 0000 0a00 0500 00000000 00001000 00040000 00080000 000002"},
      {response_trailing_not_zero,
       "0001 0001 0001 0000 0a00 0500 00000000 00001000 00040000 00080000 00000200 eeeeeeee"},
      {response_min_version_zero, "0000 0001 0001 0000 0a00 0500 00000000 00001000 00040000 00080000 00000200"},
      {response_max_version_two, "0001 0002 0001 0000 0a00 0500 00000000 00001000 00040000 00080000 00000200"},
      {response_max_below_min, "0001 ff00 0001 0000 0a00 0500 00000000 00001000 00040000 00080000 00000200"},
      {response_negotiated_zero, "0001 0001 0000 0000 0a00 0500 00000000 00001000 00040000 00080000 00000200"},
      {response_negotiated_two, "0001 0001 0002 0000 0a00 0500 00000000 00001000 00040000 00080000 00000200"},
      {response_reserved_set, "0001 0001 0001 ffff 0a00 0500 00000000 00001000 00040000 00080000 00000200"},
      {response_credits_requested_zero, "0001 0001 0001 0000 0000 0500 00000000 00001000 00040000 00080000 00000200"},
      {response_credits_granted_zero, "0001 0001 0001 0000 0a00 0000 00000000 00001000 00040000 00080000 00000200"},
      {response_credits_granted_unposted, "0001 0001 0001 0000 0a00 0a00 00000000 00001000 00040000 00080000 00000200"},
      {response_status_not_zero, "0001 0001 0001 0000 0a00 0500 9a0000c0 00001000 00040000 00080000 00000200"},
      {response_preferred_above_request, "0001 0001 0001 0000 0a00 0500 00000000 00001000 08040000 00080000 00000200"},
      {response_receive_size_low, "0001 0001 0001 0000 0a00 0500 00000000 00001000 00040000 7f000000 00000200"},
      {response_fragmented_size_low, "0001 0001 0001 0000 0a00 0500 00000000 00001000 00040000 00080000 ffff0100"},
      {response_big_endian, "0100 0100 0100 0000 000a 0005 00000000 00100000 00000400 00000800 00020000"},
  };
  for (const Octetted& one : kExpected)
    EXPECT_EQ(to_hex(encode_with_faults(response, 0x400, {one.deviation})), spaced(one.octets))
        << describe(one.deviation).name;
}

TEST(MessageFault, OfAFailureResponse) {
  const NegotiateResponse failure{.status = status::kNotSupported};
  const Octetted kExpected[] = {
      {failure_versions_zero, "0000 0000 0000 0000 0000 0000 bb0000c0 00000000 00000000 00000000 00000000"},
      {failure_reserved_set, "0001 0001 0000 ffff 0000 0000 bb0000c0 00000000 00000000 00000000 00000000"},
      {failure_fields_set, "0001 0001 0001 0000 0a00 0a00 bb0000c0 00001000 00040000 00040000 00000200"},
      {failure_status_other, "0001 0001 0000 0000 0000 0000 9a0000c0 00000000 00000000 00000000 00000000"},
      {response_credits_granted_unposted, "0001 0001 0000 0000 0000 0000 bb0000c0 00000000 00000000 00000000 00000000"},
  };
  for (const Octetted& one : kExpected)
    EXPECT_EQ(to_hex(encode_with_faults(failure, 0x400, {one.deviation})), spaced(one.octets))
        << describe(one.deviation).name;
}

constexpr Octet kPadding[4] = {};
constexpr Octet kData[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

// A fragment in the middle of a message.
const DataTransfer kFragment{.credits_requested = 10,
                             .credits_granted = 2,
                             .remaining_data_length = 0x20,
                             .data_offset = 24,
                             .data_length = 9,
                             .padding = kPadding,
                             .buffer = kData};
const Surroundings kAround{.first_remaining = 0x29,
                           .most_octets = 100,
                           .most_fragmented = 0x20000,
                           .receive_credits = 7,
                           .missing_credits = 3};

TEST(MessageFault, OfAFragment) {
  const Octetted kExpected[] = {
      {credits_requested_zero, "0000 0200 0000 0000 20000000 18000000 09000000 00000000 010203040506070809"},
      {requests_what_is_missing, "0300 0200 0000 0000 20000000 18000000 09000000 00000000 010203040506070809"},
      {grant_is_total, "0a00 0700 0000 0000 20000000 18000000 09000000 00000000 010203040506070809"},
      {grants_unposted, "0a00 0300 0000 0000 20000000 18000000 09000000 00000000 010203040506070809"},
      {flags_undefined, "0a00 0200 0080 0000 20000000 18000000 09000000 00000000 010203040506070809"},
      {flag_without_cause, "0a00 0200 0100 0000 20000000 18000000 09000000 00000000 010203040506070809"},
      {segment_reserved_set, "0a00 0200 0000 ffff 20000000 18000000 09000000 00000000 010203040506070809"},
      {data_big_endian, "000a 0002 0000 0000 00000020 00000018 00000009 00000000 010203040506070809"},
      {data_offset_unaligned, "0a00 0200 0000 0000 20000000 14000000 09000000 010203040506070809"},
      {data_offset_in_header, "0a00 0200 0000 0000 20000000 10000000 09000000 00000000 010203040506070809"},
      {data_offset_zero, "0a00 0200 0000 0000 20000000 00000000 09000000 00000000 010203040506070809"},
      {data_offset_beyond, "0a00 0200 0000 0000 20000000 28000000 09000000 00000000 010203040506070809"},
      {data_length_beyond, "0a00 0200 0000 0000 20000000 18000000 11000000 00000000 010203040506070809"},
      {data_sum_wraps, "0a00 0200 0000 0000 20000000 f8ffffff 09000000 00000000 010203040506070809"},
      {data_length_short, "0a00 0200 0000 0000 20000000 18000000 08000000 00000000 010203040506070809"},
      {padding_not_zero, "0a00 0200 0000 0000 20000000 18000000 09000000 eeeeeeee 010203040506070809"},
      {trailing_not_zero, "0a00 0200 0000 0000 20000000 18000000 09000000 00000000 010203040506070809 eeeeeeee"},
      {remaining_includes_current, "0a00 0200 0000 0000 29000000 18000000 09000000 00000000 010203040506070809"},
      {remaining_one_too_many, "0a00 0200 0000 0000 21000000 18000000 09000000 00000000 010203040506070809"},
      {remaining_constant, "0a00 0200 0000 0000 29000000 18000000 09000000 00000000 010203040506070809"},
      {remaining_zero_early, "0a00 0200 0000 0000 00000000 18000000 09000000 00000000 010203040506070809"},
      {data_altered, "0a00 0200 0000 0000 20000000 18000000 09000000 00000000 0102030405060708f6"},
  };
  for (const Octetted& one : kExpected)
    EXPECT_EQ(to_hex(encode_with_faults(kFragment, kAround, {one.deviation})), spaced(one.octets))
        << describe(one.deviation).name;
}

TEST(MessageFault, OfTheFirstAndOfTheLastFragment) {
  Surroundings around = kAround;
  around.first = true;
  EXPECT_EQ(to_hex(encode_with_faults(kFragment, around, {announces_too_much})),
            spaced("0a00 0200 0000 0000 00000200 18000000 09000000 00000000 010203040506070809"));
  EXPECT_EQ(encode_with_faults(kFragment, around, {remaining_zero_early}), encode(kFragment));
  around = kAround;
  around.last = true;
  DataTransfer last = kFragment;
  last.remaining_data_length = 0;
  EXPECT_EQ(to_hex(encode_with_faults(last, around, {remaining_at_end})),
            spaced("0a00 0200 0000 0000 08000000 18000000 09000000 00000000 010203040506070809"));
  EXPECT_EQ(encode_with_faults(last, around, {remaining_includes_current}), encode(last));
}

TEST(MessageFault, OfAnEmptyMessage) {
  const DataTransfer empty{.credits_requested = 10, .credits_granted = 2, .flags = flag::kResponseRequested};
  const Octetted kExpected[] = {
      {empty_reserved_set, "0a00 0200 0100 ffff 00000000 00000000 00000000"},
      {empty_remaining_set, "0a00 0200 0100 0000 08000000 00000000 00000000"},
      {empty_offset_set, "0a00 0200 0100 0000 00000000 18000000 00000000 00000000"},
      {empty_length_set, "0a00 0200 0100 0000 00000000 00000000 08000000"},
      {empty_padded, "0a00 0200 0100 0000 00000000 00000000 00000000 00000000"},
      {data_short, "0a00 0200 0100 0000 00000000 00000000 000000"},
      {keepalive_without_flag, "0a00 0200 0000 0000 00000000 00000000 00000000"},
      {padding_not_zero, "0a00 0200 0100 0000 00000000 00000000 00000000"},
  };
  for (const Octetted& one : kExpected)
    EXPECT_EQ(to_hex(encode_with_faults(empty, {}, {one.deviation})), spaced(one.octets))
        << describe(one.deviation).name;
}

TEST(MessageFault, OutOfPlaceTakesNoMoreOctetsThanThereMayBe) {
  Surroundings around = kAround;
  around.most_octets = 36;
  EXPECT_EQ(encode_with_faults(kFragment, around, {trailing_not_zero}), encode(kFragment));
}

TEST(MessageFault, NoneIsNone) {
  EXPECT_EQ(encode_with_faults(kFragment, kAround, {}), encode(kFragment));
  EXPECT_EQ(encode_with_faults(NegotiateRequest{}, {}), encode(NegotiateRequest{}));
  EXPECT_EQ(encode_with_faults(NegotiateResponse{}, 0, {}), encode(NegotiateResponse{}));
}

}  // namespace
}  // namespace wirelaw::smbd

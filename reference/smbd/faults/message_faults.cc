// SPDX-License-Identifier: Apache-2.0
#include "reference/smbd/faults/message_faults.h"

#include <algorithm>
#include <array>

namespace wirelaw::smbd {
namespace {

using enum Deviation;

constexpr Octet kNotZero = 0xee;
constexpr std::array<Octet, 4> kTrailing{kNotZero, kNotZero, kNotZero, kNotZero};

template <class Message>
struct Fault {
  Deviation deviation;
  void (*commit)(Message& message);
};

template <class Message>
void commit_all(std::span<const Fault<Message>> faults, const Deviations& deviations, Message& message) {
  for (const Fault<Message>& one : faults)
    if (deviations.has(one.deviation)) one.commit(message);
}

// Reverses the octets of every fixed field.
void swap_fields(MessageType type, OctetBuffer& octets) {
  for (const FieldRow& row : describe(type).fields)
    std::reverse(octets.begin() + row.offset, octets.begin() + row.offset + row.width);
}

// ------------------------------------------------------------------------------------------------------- negotiation

constexpr Fault<NegotiateRequest> kRequestFaults[] = {
    {request_trailing_not_zero, [](auto& one) { one.trailing = kTrailing; }},
    {request_min_version_zero, [](auto& one) { one.min_version = 0; }},
    {request_max_version_two, [](auto& one) { one.max_version = 0x0200; }},
    {request_version_two, [](auto& one) { one.min_version = one.max_version = 0x0200; }},
    {request_max_below_min, [](auto& one) { one.max_version = 0x00ff; }},
    {request_reserved_set, [](auto& one) { one.reserved = 0xffff; }},
    {request_credits_zero, [](auto& one) { one.credits_requested = 0; }},
    {request_receive_size_low, [](auto& one) { one.max_receive_size = kLeastMaxReceiveSize - 1; }},
    {request_fragmented_size_low, [](auto& one) { one.max_fragmented_size = kLeastMaxFragmentedSize - 1; }},
};

constexpr Fault<NegotiateResponse> kSuccessFaults[] = {
    {response_negotiated_zero, [](auto& one) { one.negotiated_version = 0; }},
    {response_negotiated_two, [](auto& one) { one.negotiated_version = 0x0200; }},
    {response_credits_requested_zero, [](auto& one) { one.credits_requested = 0; }},
    {response_credits_granted_zero, [](auto& one) { one.credits_granted = 0; }},
    {response_credits_granted_unposted,
     [](auto& one) { one.credits_granted = static_cast<std::uint16_t>(one.credits_granted * 2); }},
    {response_status_not_zero, [](auto& one) { one.status = status::kInsufficientResources; }},
    {response_receive_size_low, [](auto& one) { one.max_receive_size = kLeastMaxReceiveSize - 1; }},
    {response_fragmented_size_low, [](auto& one) { one.max_fragmented_size = kLeastMaxFragmentedSize - 1; }},
    {response_trailing_not_zero, [](auto& one) { one.trailing = kTrailing; }},
    {response_min_version_zero, [](auto& one) { one.min_version = 0; }},
    {response_max_version_two, [](auto& one) { one.max_version = 0x0200; }},
    {response_max_below_min, [](auto& one) { one.max_version = 0x00ff; }},
    {response_reserved_set, [](auto& one) { one.reserved = 0xffff; }},
};

constexpr Fault<NegotiateResponse> kFailureFaults[] = {
    {failure_versions_zero, [](auto& one) { one.min_version = one.max_version = 0; }},
    {failure_reserved_set, [](auto& one) { one.reserved = 0xffff; }},
    {failure_fields_set,
     [](auto& one) {
       one.negotiated_version = kVersion1;
       one.credits_requested = one.credits_granted = 10;
       one.max_read_write_size = 1'048'576;
       one.preferred_send_size = one.max_receive_size = 1024;
       one.max_fragmented_size = kLeastMaxFragmentedSize;
     }},
    {failure_is_no_error, [](auto& one) { one.status = 0x40000000; }},
    {failure_status_other, [](auto& one) { one.status = status::kInsufficientResources; }},
};

// ----------------------------------------------------------------------------------------------------- data transfer

// A message in parts.
struct Draft {
  DataTransfer message;
  OctetBuffer padding;
  Surroundings around;
  bool alters = false;
};

// The messages that a fault affects.
using Where = bool (*)(const Draft& draft);
bool anywhere(const Draft&) {
  return true;
}
bool empty(const Draft& draft) {
  return draft.message.is_empty();
}
bool with_data(const Draft& draft) {
  return !draft.message.is_empty();
}
bool unfinished(const Draft& draft) {
  return with_data(draft) && !draft.around.last;
}
bool first(const Draft& draft) {
  return unfinished(draft) && draft.around.first;
}
bool middle(const Draft& draft) {
  return unfinished(draft) && !draft.around.first;
}
bool end(const Draft& draft) {
  return with_data(draft) && draft.around.last;
}
bool granting(const Draft& draft) {
  return draft.message.credits_granted > 0;
}

struct DataFault {
  Deviation deviation;
  Where where;
  void (*commit)(Draft& draft);
};

constexpr DataFault kDataFaults[] = {
    {credits_requested_zero, anywhere, [](Draft& one) { one.message.credits_requested = 0; }},
    {requests_what_is_missing, anywhere,
     [](Draft& one) {
       one.message.credits_requested =
           static_cast<std::uint16_t>(std::clamp<std::uint32_t>(one.around.missing_credits, 1, 0xffff));
     }},
    {grant_is_total, granting,
     [](Draft& one) { one.message.credits_granted = static_cast<std::uint16_t>(one.around.receive_credits); }},
    {grants_unposted, anywhere,
     [](Draft& one) { one.message.credits_granted = static_cast<std::uint16_t>(one.message.credits_granted + 1); }},
    {keepalive_without_flag, anywhere, [](Draft& one) { one.message.flags = 0; }},
    {flag_without_cause, anywhere, [](Draft& one) { one.message.flags |= flag::kResponseRequested; }},
    {flags_undefined, anywhere, [](Draft& one) { one.message.flags |= 0x8000; }},
    {segment_reserved_set, with_data, [](Draft& one) { one.message.reserved = 0xffff; }},

    {empty_reserved_set, empty, [](Draft& one) { one.message.reserved = 0xffff; }},
    {empty_remaining_set, empty, [](Draft& one) { one.message.remaining_data_length = 8; }},
    {empty_offset_set, empty,
     [](Draft& one) {
       one.message.data_offset = kUsualDataOffset;
       one.padding.resize(4);
     }},
    {empty_length_set, empty, [](Draft& one) { one.message.data_length = 8; }},
    {empty_padded, empty, [](Draft& one) { one.padding.resize(4); }},

    {data_offset_unaligned, with_data,
     [](Draft& one) {
       one.message.data_offset = 20;
       one.padding.clear();
     }},
    {data_offset_in_header, with_data, [](Draft& one) { one.message.data_offset = 16; }},
    {data_offset_zero, with_data, [](Draft& one) { one.message.data_offset = 0; }},
    {data_offset_32, with_data,
     [](Draft& one) {
       if (one.message.octets() + kDataAlignment > one.around.most_octets) return;
       one.message.data_offset = kUsualDataOffset + kDataAlignment;
       one.padding.resize(one.padding.size() + kDataAlignment);
     }},
    {data_offset_beyond, with_data,
     [](Draft& one) {
       const auto behind = static_cast<std::uint32_t>(one.message.octets() + kDataAlignment);
       one.message.data_offset = behind / kDataAlignment * kDataAlignment;
     }},
    {data_length_beyond, with_data, [](Draft& one) { one.message.data_length += 8; }},
    {data_sum_wraps, with_data, [](Draft& one) { one.message.data_offset = 0xfffffff8; }},
    {data_length_short, with_data, [](Draft& one) { --one.message.data_length; }},
    {padding_not_zero, with_data, [](Draft& one) { std::ranges::fill(one.padding, kNotZero); }},
    {trailing_not_zero, with_data,
     [](Draft& one) {
       if (one.message.octets() + kTrailing.size() <= one.around.most_octets) one.message.trailing = kTrailing;
     }},

    {remaining_includes_current, unfinished,
     [](Draft& one) { one.message.remaining_data_length += one.message.data_length; }},
    {remaining_one_too_many, unfinished, [](Draft& one) { ++one.message.remaining_data_length; }},
    {remaining_constant, unfinished,
     [](Draft& one) { one.message.remaining_data_length = one.around.first_remaining; }},
    {remaining_at_end, end, [](Draft& one) { one.message.remaining_data_length = 8; }},
    {remaining_zero_early, middle, [](Draft& one) { one.message.remaining_data_length = 0; }},
    {announces_too_much, first, [](Draft& one) { one.message.remaining_data_length = one.around.most_fragmented; }},
    {data_altered, with_data, [](Draft& one) { one.alters = true; }},
};

}  // namespace

OctetBuffer encode_with_faults(const NegotiateRequest& request, const Deviations& deviations) {
  NegotiateRequest message = request;
  commit_all<NegotiateRequest>(kRequestFaults, deviations, message);
  OctetBuffer octets = encode(message);
  if (deviations.has(request_big_endian)) swap_fields(MessageType::negotiate_request, octets);
  if (deviations.has(request_short)) octets.resize(describe(MessageType::negotiate_request).octets - 1u);
  return octets;
}

OctetBuffer encode_with_faults(const NegotiateResponse& response, std::uint32_t request_receive_size,
                               const Deviations& deviations) {
  NegotiateResponse message = response;
  if (message.status != status::kSuccess) {
    commit_all<NegotiateResponse>(kFailureFaults, deviations, message);
  } else {
    commit_all<NegotiateResponse>(kSuccessFaults, deviations, message);
    if (deviations.has(response_preferred_above_request)) message.preferred_send_size = request_receive_size + 8;
  }
  OctetBuffer octets = encode(message);
  if (deviations.has(response_big_endian)) swap_fields(MessageType::negotiate_response, octets);
  if (deviations.has(response_short)) octets.resize(describe(MessageType::negotiate_response).octets - 1u);
  return octets;
}

OctetBuffer encode_with_faults(const DataTransfer& message, const Surroundings& around, const Deviations& deviations) {
  Draft draft{
      .message = message, .padding = OctetBuffer(message.padding.begin(), message.padding.end()), .around = around};
  const bool is_empty = message.is_empty();
  for (const DataFault& one : kDataFaults)
    if (deviations.has(one.deviation) && one.where(draft)) one.commit(draft);
  draft.message.padding = draft.padding;
  OctetBuffer octets = encode(draft.message);
  if (draft.alters) octets[octets.size() - 1 - draft.message.trailing.size()] ^= 0xff;
  if (deviations.has(data_big_endian)) swap_fields(MessageType::data_transfer, octets);
  if (is_empty && deviations.has(data_short)) octets.resize(describe(MessageType::data_transfer).octets - 1u);
  return octets;
}

}  // namespace wirelaw::smbd

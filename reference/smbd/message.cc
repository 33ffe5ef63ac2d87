// SPDX-License-Identifier: Apache-2.0
#include "reference/smbd/message.h"

#include <algorithm>

namespace wirelaw::smbd {
namespace {

using enum Field;

// Returns the field of a message that is long enough to contain it.
template <MessageType Type, Field Name, class Int>
void read(Octets octets, Int& value) {
  constexpr FieldRow kPlace = place(Type, Name);
  static_assert(kPlace.width == sizeof(Int));
  value = load_little_endian<Int>(octets.data() + kPlace.offset);
}

template <MessageType Type, Field Name, class Int>
void write(Int value, Octet* message) {
  constexpr FieldRow kPlace = place(Type, Name);
  static_assert(kPlace.width == sizeof(Int));
  store_little_endian(message + kPlace.offset, value);
}

tl::expected<void, DecodeError> check_length(MessageType type, Octets octets) {
  const std::size_t needed = describe(type).octets;
  if (octets.size() < needed) return tl::unexpected(DecodeError{type, octets.size(), needed});
  return {};
}

// Appends the fixed fields of a message to `out`.
Octet* append(MessageType type, OctetBuffer& out) {
  const std::size_t begin = out.size();
  out.resize(begin + describe(type).octets);
  return out.data() + begin;
}

void append(Octets octets, OctetBuffer& out) {
  out.insert(out.end(), octets.begin(), octets.end());
}

}  // namespace

tl::expected<NegotiateRequest, DecodeError> decode_negotiate_request(Octets octets) {
  constexpr auto kType = MessageType::negotiate_request;
  if (const auto checked = check_length(kType, octets); !checked) return tl::unexpected(checked.error());
  NegotiateRequest message;
  read<kType, min_version>(octets, message.min_version);
  read<kType, max_version>(octets, message.max_version);
  read<kType, reserved>(octets, message.reserved);
  read<kType, credits_requested>(octets, message.credits_requested);
  read<kType, preferred_send_size>(octets, message.preferred_send_size);
  read<kType, max_receive_size>(octets, message.max_receive_size);
  read<kType, max_fragmented_size>(octets, message.max_fragmented_size);
  message.trailing = octets.subspan(describe(kType).octets);
  return message;
}

tl::expected<NegotiateResponse, DecodeError> decode_negotiate_response(Octets octets) {
  constexpr auto kType = MessageType::negotiate_response;
  if (const auto checked = check_length(kType, octets); !checked) return tl::unexpected(checked.error());
  NegotiateResponse message;
  read<kType, min_version>(octets, message.min_version);
  read<kType, max_version>(octets, message.max_version);
  read<kType, negotiated_version>(octets, message.negotiated_version);
  read<kType, reserved>(octets, message.reserved);
  read<kType, credits_requested>(octets, message.credits_requested);
  read<kType, credits_granted>(octets, message.credits_granted);
  read<kType, Field::status>(octets, message.status);
  read<kType, max_read_write_size>(octets, message.max_read_write_size);
  read<kType, preferred_send_size>(octets, message.preferred_send_size);
  read<kType, max_receive_size>(octets, message.max_receive_size);
  read<kType, max_fragmented_size>(octets, message.max_fragmented_size);
  message.trailing = octets.subspan(describe(kType).octets);
  return message;
}

tl::expected<DataTransfer, DecodeError> decode_data_transfer(Octets octets) {
  constexpr auto kType = MessageType::data_transfer;
  if (const auto checked = check_length(kType, octets); !checked) return tl::unexpected(checked.error());
  DataTransfer message;
  read<kType, credits_requested>(octets, message.credits_requested);
  read<kType, credits_granted>(octets, message.credits_granted);
  read<kType, flags>(octets, message.flags);
  read<kType, reserved>(octets, message.reserved);
  read<kType, remaining_data_length>(octets, message.remaining_data_length);
  read<kType, data_offset>(octets, message.data_offset);
  read<kType, data_length>(octets, message.data_length);
  const std::uint64_t header = describe(kType).octets, size = octets.size();
  const auto begin = static_cast<std::size_t>(std::clamp<std::uint64_t>(message.data_offset, header, size));
  const auto end = static_cast<std::size_t>(std::clamp<std::uint64_t>(message.data_end(), begin, size));
  message.padding = octets.subspan(header, begin - header);
  message.buffer = octets.subspan(begin, end - begin);
  message.trailing = octets.subspan(end);
  return message;
}

tl::expected<BufferDescriptorV1, DecodeError> decode_buffer_descriptor(Octets octets) {
  constexpr auto kType = MessageType::buffer_descriptor_v1;
  if (const auto checked = check_length(kType, octets); !checked) return tl::unexpected(checked.error());
  BufferDescriptorV1 descriptor;
  read<kType, offset>(octets, descriptor.offset);
  read<kType, token>(octets, descriptor.token);
  read<kType, length>(octets, descriptor.length);
  return descriptor;
}

OctetBuffer encode(const NegotiateRequest& message) {
  constexpr auto kType = MessageType::negotiate_request;
  OctetBuffer out;
  Octet* const at = append(kType, out);
  write<kType, min_version>(message.min_version, at);
  write<kType, max_version>(message.max_version, at);
  write<kType, reserved>(message.reserved, at);
  write<kType, credits_requested>(message.credits_requested, at);
  write<kType, preferred_send_size>(message.preferred_send_size, at);
  write<kType, max_receive_size>(message.max_receive_size, at);
  write<kType, max_fragmented_size>(message.max_fragmented_size, at);
  append(message.trailing, out);
  return out;
}

OctetBuffer encode(const NegotiateResponse& message) {
  constexpr auto kType = MessageType::negotiate_response;
  OctetBuffer out;
  Octet* const at = append(kType, out);
  write<kType, min_version>(message.min_version, at);
  write<kType, max_version>(message.max_version, at);
  write<kType, negotiated_version>(message.negotiated_version, at);
  write<kType, reserved>(message.reserved, at);
  write<kType, credits_requested>(message.credits_requested, at);
  write<kType, credits_granted>(message.credits_granted, at);
  write<kType, Field::status>(message.status, at);
  write<kType, max_read_write_size>(message.max_read_write_size, at);
  write<kType, preferred_send_size>(message.preferred_send_size, at);
  write<kType, max_receive_size>(message.max_receive_size, at);
  write<kType, max_fragmented_size>(message.max_fragmented_size, at);
  append(message.trailing, out);
  return out;
}

void encode(const DataTransfer& message, OctetBuffer& out) {
  constexpr auto kType = MessageType::data_transfer;
  Octet* const at = append(kType, out);
  write<kType, credits_requested>(message.credits_requested, at);
  write<kType, credits_granted>(message.credits_granted, at);
  write<kType, flags>(message.flags, at);
  write<kType, reserved>(message.reserved, at);
  write<kType, remaining_data_length>(message.remaining_data_length, at);
  write<kType, data_offset>(message.data_offset, at);
  write<kType, data_length>(message.data_length, at);
  append(message.padding, out);
  append(message.buffer, out);
  append(message.trailing, out);
}

OctetBuffer encode(const DataTransfer& message) {
  OctetBuffer out;
  out.reserve(message.octets());
  encode(message, out);
  return out;
}

void encode(const BufferDescriptorV1& descriptor, OctetBuffer& out) {
  constexpr auto kType = MessageType::buffer_descriptor_v1;
  Octet* const at = append(kType, out);
  write<kType, offset>(descriptor.offset, at);
  write<kType, token>(descriptor.token, at);
  write<kType, length>(descriptor.length, at);
}

OctetBuffer encode(const BufferDescriptorV1& descriptor) {
  OctetBuffer out;
  encode(descriptor, out);
  return out;
}

}  // namespace wirelaw::smbd

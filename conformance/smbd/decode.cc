// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/decode.h"

#include <fmt/format.h>

#include "conformance/field_list.h"
#include "conformance/smbd/tracker/connection.h"
#include "reference/smbd/message.h"

namespace wirelaw::smbd {
namespace {

std::uint64_t load(Octets octets, const FieldRow& row) {
  std::uint64_t value = 0;
  for (std::size_t i = row.width; i-- > 0;) value = value << 8 | octets[row.offset + i];
  return value;
}

std::string_view word_of(Field field, std::uint64_t value) {
  if (field == Field::flags && value == flag::kResponseRequested) return "SMB_DIRECT_RESPONSE_REQUESTED";
  if (field != Field::status) return {};
  if (value == status::kSuccess) return "STATUS_SUCCESS";
  if (value == status::kInsufficientResources) return "STATUS_INSUFFICIENT_RESOURCES";
  if (value == status::kNotSupported) return "STATUS_NOT_SUPPORTED";
  return {};
}

void add_field(FieldList& list, const FieldRow& row) {
  const FieldInfo& info = describe(row.field);
  const std::uint64_t value = load(list.octets(), row);
  const std::string_view word = word_of(row.field, value);
  const bool number = info.kind == FieldKind::count || info.kind == FieldKind::octets;
  if (number)
    list.number(info.dissector_name, value, row.offset, row.width, word);
  else
    list.hex(info.dissector_name, value, row.offset, row.width, word);
}

void add_octets(FieldList& list, Field field, std::size_t offset, std::size_t length) {
  if (length > 0) list.bytes(describe(field).dissector_name, offset, length);
}

// Returns true if it is a Data Transfer with its payload at the offset given in its fields, even if it has another
// fault.
bool holds_payload(Octets octets) {
  const auto data = decode_data_transfer(octets);
  return data && data->data_length > 0 && data->data_offset >= describe(MessageType::data_transfer).octets &&
         data->data_end() <= octets.size();
}

std::string summary_of(MessageType type, Octets octets) {
  std::string text(describe(type).name);
  if (const auto data = decode_data_transfer(octets); data && type == MessageType::data_transfer) {
    text += fmt::format(" credits requested {} granted {}", data->credits_requested, data->credits_granted);
    if (data->requests_response()) text += " response requested";
    if (!data->is_empty()) text += fmt::format(" data {}", data->data_length);
    if (data->remaining_data_length > 0) text += fmt::format(" remaining {}", data->remaining_data_length);
  }
  if (const auto response = decode_negotiate_response(octets); response && type == MessageType::negotiate_response)
    text += fmt::format(" status 0x{:08x} credits granted {}", response->status, response->credits_granted);
  return text;
}

}  // namespace

MessageType type_by_content(Octets octets) {
  const bool reads_as_data = is_transfer(octets) || holds_payload(octets) || octets.size() > kNegotiateReceive;
  if (!has_negotiated_versions(octets) || reads_as_data) return MessageType::data_transfer;
  const auto response = decode_negotiate_response(octets);
  const bool answers = response && (response->negotiated_version == kVersion1 || is_error(response->status));
  return answers ? MessageType::negotiate_response : MessageType::negotiate_request;
}

Decoded decode_for_people(Octets octets) {
  const MessageType type = type_by_content(octets);
  const Layout& layout = describe(type);
  if (octets.size() < layout.octets)
    return {.summary = fmt::format("{} octets, too short for an SMB Direct message", octets.size()),
            .fields = {},
            .error = fmt::format("the shortest message has {} octets", layout.octets)};
  FieldList list(octets);
  for (const FieldRow& row : layout.fields) add_field(list, row);
  std::size_t at = layout.octets;
  if (type == MessageType::data_transfer) {
    const auto data = decode_data_transfer(octets);
    add_octets(list, Field::padding, at, data->padding.size());
    at += data->padding.size();
    add_octets(list, Field::buffer, at, data->buffer.size());
    at += data->buffer.size();
  }
  add_octets(list, Field::trailing, at, octets.size() - at);
  return {.summary = summary_of(type, octets), .fields = list.take(), .error = {}};
}

}  // namespace wirelaw::smbd

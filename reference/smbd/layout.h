// SPDX-License-Identifier: Apache-2.0
// The one table of SMB Direct's messages ([MS-SMBD] 2.2): for each its name, its section, and the place of every field.
// The codec, the fields that users see, the places in findings and the fuzzers' dictionaries are derived from it.
// Integers are little-endian (2.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace wirelaw::smbd {

enum class MessageType : std::uint8_t {
  negotiate_request,
  negotiate_response,
  data_transfer,
  buffer_descriptor_v1,  // not a message: the upper layer puts it into its payload (2.2.3.1)
};

// A field has one name and one meaning in all messages.
enum class Field : std::uint8_t {
  min_version,
  max_version,
  negotiated_version,
  reserved,
  credits_requested,
  credits_granted,
  status,
  max_read_write_size,
  preferred_send_size,
  max_receive_size,
  max_fragmented_size,
  flags,
  remaining_data_length,
  data_offset,
  data_length,
  padding,  // padding to trailing: variable length
  buffer,
  trailing,  // octets after the message's last field
  offset,    // offset of a buffer in a descriptor
  token,
  length,
};
inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::length) + 1;

// The kind of value in a field, for users, dissectors and mutators.
enum class FieldKind : std::uint8_t {
  version,   // hexadecimal
  count,     // number of credits
  status,    // an NT status code
  octets,    // a length or an offset in octets
  flags,     // bits with names
  address,   // memory address, or its key
  reserved,  // any value on receipt
  array,     // octets in wire order
};

struct FieldInfo {
  Field field;
  std::string_view name;  // as in the specification: "MaxFragmentedSize"
  FieldKind kind;
  std::string_view dissector_name;  // "smb_direct.max_fragmented_size"
  bool in_wireshark;                // Wireshark's dissector has the field under this name
  std::string_view text;            // a one-line description
};

std::span<const FieldInfo> all_fields();  // in the order of the enumeration
const FieldInfo& describe(Field field);

// A field's place in its message.
struct FieldRow {
  Field field;
  std::uint8_t offset;
  std::uint8_t width;  // octets
};

struct Layout {
  MessageType type;
  std::uint8_t octets;              // length of the fixed fields, and of the shortest message
  std::string_view name;            // "Negotiate Request"
  std::string_view dissector_name;  // name of the whole message
  std::string_view section;
  std::span<const FieldRow> fields;

  // Returns the place of a fixed field; nullptr if the message lacks it.
  constexpr const FieldRow* find(Field field) const {
    for (const FieldRow& row : fields)
      if (row.field == field) return &row;
    return nullptr;
  }
};

namespace layout {
using enum Field;
inline constexpr FieldRow kNegotiateRequestFields[] = {
    {min_version, 0, 2},         {max_version, 2, 2},         {reserved, 4, 2},
    {credits_requested, 6, 2},   {preferred_send_size, 8, 4}, {max_receive_size, 12, 4},
    {max_fragmented_size, 16, 4}};
inline constexpr FieldRow kNegotiateResponseFields[] = {
    {min_version, 0, 2},       {max_version, 2, 2},          {negotiated_version, 4, 2},
    {reserved, 6, 2},          {credits_requested, 8, 2},    {credits_granted, 10, 2},
    {status, 12, 4},           {max_read_write_size, 16, 4}, {preferred_send_size, 20, 4},
    {max_receive_size, 24, 4}, {max_fragmented_size, 28, 4}};
inline constexpr FieldRow kDataTransferFields[] = {
    {credits_requested, 0, 2},     {credits_granted, 2, 2}, {flags, 4, 2},       {reserved, 6, 2},
    {remaining_data_length, 8, 4}, {data_offset, 12, 4},    {data_length, 16, 4}};
inline constexpr FieldRow kBufferDescriptorV1Fields[] = {{offset, 0, 8}, {token, 8, 4}, {length, 12, 4}};

// In the order of MessageType. Wireshark has no message name for a buffer descriptor: it shows descriptors in SMB2.
inline constexpr Layout kLayouts[] = {
    {MessageType::negotiate_request, 20, "Negotiate Request", "smb_direct.negotiate_request", "2.2.1",
     kNegotiateRequestFields},
    {MessageType::negotiate_response, 32, "Negotiate Response", "smb_direct.negotiate_response", "2.2.2",
     kNegotiateResponseFields},
    {MessageType::data_transfer, 20, "Data Transfer", "smb_direct.data_message", "2.2.3", kDataTransferFields},
    {MessageType::buffer_descriptor_v1, 16, "Buffer Descriptor V1", "smb_direct.buffer_descriptor_v1", "2.2.3.1",
     kBufferDescriptorV1Fields},
};
}  // namespace layout

constexpr std::span<const Layout> all_layouts() {
  return layout::kLayouts;
}
constexpr const Layout& describe(MessageType type) {
  return layout::kLayouts[static_cast<std::size_t>(type)];
}

// Returns the place of a field. In a constant expression, compilation fails if the message lacks it.
constexpr FieldRow place(MessageType type, Field field) {
  return *describe(type).find(field);
}

inline constexpr std::string_view kDissector = "smb_direct";

// The only bit of Flags with a meaning (2.2.3).
namespace flag {
inline constexpr std::uint16_t kResponseRequested = 0x0001;  // SMB_DIRECT_RESPONSE_REQUESTED
}
inline constexpr std::string_view kResponseRequestedName = "smb_direct.flags.response_requested";

}  // namespace wirelaw::smbd

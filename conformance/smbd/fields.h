// SPDX-License-Identifier: Apache-2.0
// Offsets of the fields of a message, as evidence in findings.
#pragma once

#include "conformance/judge.h"
#include "reference/smbd/layout.h"

namespace wirelaw::smbd {

constexpr OctetRange range(FieldRow row) {
  return octets(row.offset, row.width);
}
constexpr OctetRange in_request(Field field) {
  return range(place(MessageType::negotiate_request, field));
}
constexpr OctetRange in_response(Field field) {
  return range(place(MessageType::negotiate_response, field));
}
constexpr OctetRange in_data(Field field) {
  return range(place(MessageType::data_transfer, field));
}
// DataOffset and DataLength, which are neighbours; RemainingDataLength is before them.
inline constexpr OctetRange kOffsetAndLength = octets(place(MessageType::data_transfer, Field::data_offset).offset, 8);
inline constexpr OctetRange kRemainingToLength =
    octets(place(MessageType::data_transfer, Field::remaining_data_length).offset, 12);

}  // namespace wirelaw::smbd

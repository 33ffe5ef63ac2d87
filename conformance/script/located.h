// SPDX-License-Identifier: Apache-2.0
// The places of fields in a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::script {

// The origin of a field's value.
enum class FieldKind : std::uint8_t {
  free,     // free choice of the sender
  derived,  // follows from other octets of the message: a length, a count, a checksum
  bound,    // from the conversation: an id or token that one side chose and both use
  padding,  // any value: nobody reads it
};

// Whether the field offers an id that its sender has chosen, or uses one that the other side has offered. In an answer,
// it may have the id of the message that is answered. Equal numbers in other fields prove nothing.
enum class IdUse : std::uint8_t { none, offers, uses, both, answers };

// One field of a message: an integer of at most 64 bits, or raw octets.
struct Located {
  std::string name;        // Wireshark's name without the protocol: "frag_number", "rma_iov[1].addr"
  std::size_t offset = 0;  // first octet in the message
  std::size_t length = 0;  // octets
  std::uint8_t shift = 0;  // for an integer: number of lower bits in these octets that belong to other fields
  std::uint8_t bits = 0;   // for an integer: width; 0: raw octets
  FieldKind kind = FieldKind::free;
  bool is_hex = false;            // shown in hexadecimal
  bool is_little_endian = false;  // although the language is big-endian
  IdUse id = IdUse::none;
  std::string of_id = {};  // the field with the id that this value goes with: an offset in the memory that it names
  std::string_view id_space = {};  // equal ids of different spaces name different things: "object"
};

// A field of a fixed place, in the table of a message.
struct FieldRow {
  std::string_view name;
  std::size_t offset, length;
  std::uint8_t shift, bits;
  FieldKind kind = FieldKind::free;
  bool is_hex = false;
  IdUse id = IdUse::none;
  std::string_view of_id = {};
};
// Adds those of the fields, whose offsets begin at `at`, that lie within the message.
void add_fields(std::span<const FieldRow> rows, std::size_t at, Octets message, std::vector<Located>& fields);

// The value of an integer field. Empty if the field is outside the message, or no integer.
std::optional<std::uint64_t> get(Octets message, const Located& field, bool big_endian);
// Sets the field; the value is cut to its width.
void set(OctetBuffer& message, const Located& field, std::uint64_t value, bool big_endian);

}  // namespace wirelaw::script

// SPDX-License-Identifier: Apache-2.0
// Where the fields of a message are in its octets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "reference/octets/octets.h"

namespace wirelaw::script {

// What fills a field.
enum class FieldKind : std::uint8_t {
  free,     // its sender
  derived,  // other octets of the message: a length, a count, a checksum
  bound,    // the conversation: an id or token that one side chose, and by which both name the same thing
};

// One field in the octets of a message. An integer of at most 64 bits, or octets as they are.
struct Located {
  std::string name;        // "frag_number", "rma_iov[1].addr": Wireshark's, without the protocol
  std::size_t offset = 0;  // where its first octet is in the message
  std::size_t length = 0;  // octets
  std::uint8_t shift = 0;  // for an integer: bits below it in these octets
  std::uint8_t bits = 0;   // for an integer: its width; 0: octets as they are
  FieldKind kind = FieldKind::free;
  bool is_hex = false;            // people read it in hexadecimal
  bool is_little_endian = false;  // although the language is big-endian
};

// The value of an integer field; nothing if the field lies outside the message, or is none.
std::optional<std::uint64_t> get(Octets message, const Located& field, bool big_endian);
// Cuts the value to the width of the field.
void set(OctetBuffer& message, const Located& field, std::uint64_t value, bool big_endian);

}  // namespace wirelaw::script

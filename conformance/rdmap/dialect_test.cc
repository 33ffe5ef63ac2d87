// SPDX-License-Identifier: Apache-2.0
// FPDUs and start frames stay valid if an edit changes them.
#include "conformance/rdmap/dialect.h"

#include <gmock/gmock.h>

#include "conformance/edit.h"
#include "reference/mpa/fpdu.h"
#include "reference/mpa/framer.h"
#include "reference/octets/crc32c.h"
#include "reference/octets/hex.h"

namespace wirelaw::edits {
namespace {

OctetBuffer fpdu_of(std::string_view ulpdu) {
  OctetBuffer fpdu;
  mpa::Framer(/*markers=*/false, /*crc=*/true).frame(*from_hex(ulpdu), fpdu);
  return fpdu;
}

TEST(Edit, KeepsAnFpduRight) {
  const Dialect& dialect = dialect_of(*find_protocol("rdmap"));
  OctetBuffer message = fpdu_of("4143000000000000000000010000000061626364");
  apply({.op = Op::put, .offset = 10, .octets = {0, 0, 0, 9}, .repair = true}, message, dialect);
  EXPECT_EQ(message, fpdu_of("4143000000000000000000090000000061626364"));
  // One octet more than before: its length, its padding and its CRC are those of the longer one.
  message = fpdu_of("4143000000000000000000010000000061626364");
  apply({.op = Op::insert, .offset = 2, .octets = {0x77}, .repair = true}, message, dialect);
  ASSERT_EQ(message.size() % 4, 0u);
  const std::size_t ulpdu = load_big_endian<std::uint16_t>(message.data());
  EXPECT_EQ(mpa::fpdu_octets(ulpdu), message.size());
  const std::size_t covered = message.size() - mpa::kCrcOctets;
  EXPECT_EQ(load_little_endian<std::uint32_t>(message.data() + covered), crc32c(Octets(message).first(covered)));
  // Without repair, it is wrong.
  message = fpdu_of("4143000000000000000000010000000061626364");
  apply({.op = Op::put, .offset = 10, .octets = {9}}, message, dialect);
  EXPECT_NE(load_little_endian<std::uint32_t>(message.data() + covered - 4),
            crc32c(Octets(message).first(message.size() - mpa::kCrcOctets)));
}

}  // namespace
}  // namespace wirelaw::edits

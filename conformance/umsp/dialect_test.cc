// SPDX-License-Identifier: Apache-2.0
// An instruction remains valid when an edit changes it.
#include "conformance/umsp/dialect.h"

#include <gmock/gmock.h>

#include "conformance/edit.h"
#include "reference/octets/hex.h"

namespace wirelaw::edits {
namespace {

TEST(Edit, KeepsTheLengthOfAnUmspInstructionRight) {
  OctetBuffer message = *from_hex("0101aabbccdd");  // OPR_LENGTH of one word
  apply({.op = Op::append, .octets = {1}, .repair = true}, message, umsp::kDialect);
  EXPECT_EQ(to_hex(message), "0102aabbccdd01000000");
}

}  // namespace
}  // namespace wirelaw::edits

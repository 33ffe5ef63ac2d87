// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/vocabulary.h"

#include <gmock/gmock.h>

#include <initializer_list>
#include <string>

#include "conformance/dialect.h"

namespace wirelaw::campaign {
namespace {

using testing::HasSubstr;

// All lines of the decoder, one after the other.
std::string decoded(std::string_view protocol) {
  const Protocol& carried = *find_protocol(protocol);
  std::string lines;
  for (const OctetBuffer& one : vocabulary_of(carried)) lines += carried.decode(one).summary + "\n";
  return lines;
}

TEST(Vocabulary, HasEveryKindOfMessage) {
  const auto expect = [](std::string_view protocol, std::initializer_list<const char*> kinds) {
    const std::string lines = decoded(protocol);
    for (const char* kind : kinds) EXPECT_THAT(lines, HasSubstr(kind)) << protocol;
  };
  expect("ramcloud", {"SESSION_OPEN", "DATA", "ACK", "BAD_SESSION"});
  expect("rdmap", {"MPA Request", "MPA Reply", "Send", "Write", "Read Request", "Read Response", "Terminate"});
  expect("efa", {"HANDSHAKE", "CTS", "EOR", "RECEIPT", "READRSP"});
  expect("umsp", {"SESSION_OPEN", "SESSION_ABEND", "RSP", "TASK_REG", "WRITE"});
}

TEST(Vocabulary, IsTheSameEachTime) {
  for (const char* protocol : {"ramcloud", "rdmap", "efa", "umsp"})
    EXPECT_EQ(vocabulary_of(*find_protocol(protocol)), vocabulary_of(*find_protocol(protocol))) << protocol;
}

}  // namespace
}  // namespace wirelaw::campaign

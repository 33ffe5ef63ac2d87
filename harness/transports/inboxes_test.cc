// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/inboxes.h"

#include <gmock/gmock.h>

namespace wirelaw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

pcap::Endpoint from(unsigned port) {
  return {.address = pcap::parse_endpoint("192.0.2.1:1")->address, .port = port};
}

TEST(Inboxes, EachPeerIsAConversationInTheOrderOfTheirFirstMessages) {
  Inboxes inboxes;
  inboxes.sort(from(1), {1});
  inboxes.sort(from(2), {2});
  inboxes.sort(from(1), {3});
  Inboxes::Remote* const first = inboxes.claim();
  Inboxes::Remote* const second = inboxes.claim();
  EXPECT_EQ(inboxes.claim(), nullptr);
  EXPECT_THAT(inboxes.take(*first), ElementsAre(1));
  EXPECT_THAT(inboxes.take(*first), ElementsAre(3));
  EXPECT_THAT(inboxes.take(*second), ElementsAre(2));
  EXPECT_EQ(inboxes.octets_held(), 0u);
}

// Many large messages, many small ones, and many peers: what waits has one bound, and the oldest is kept.
TEST(Inboxes, AFloodIsBoundedInOctets) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{8192}, std::size_t{65'507}}) {
    Inboxes inboxes;
    inboxes.sort(from(1), {7});
    for (unsigned i = 0; i < 400'000; ++i) {
      inboxes.sort(from(1 + i % 300), OctetBuffer(size));
      if (i % 1000 == 0) {
        ASSERT_LE(inboxes.octets_held(), Inboxes::kOctets);
      }
    }
    Inboxes::Remote* const first = inboxes.claim();
    ASSERT_NE(first, nullptr);
    EXPECT_GT(first->dropped, 0u) << size;
    EXPECT_THAT(Inboxes::flooded(*first).message, HasSubstr("192.0.2.1:1 floods, or others do: "));
    EXPECT_THAT(inboxes.take(*first), ElementsAre(7));
    inboxes.clear();
    EXPECT_EQ(inboxes.octets_held(), 0u);
    inboxes.sort(from(9), {9});
    EXPECT_THAT(inboxes.take(*inboxes.claim()), ElementsAre(9)) << "there is room again";
  }
}

}  // namespace
}  // namespace wirelaw

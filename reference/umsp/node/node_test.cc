// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/node.h"

#include <gtest/gtest.h>

#include "reference/umsp/exchange.h"

namespace wirelaw::umsp {
namespace {

constexpr NodeAddress kSelf{{192, 0, 2, 2}}, kOther{{192, 0, 2, 1}};

bool answers_search(Node& node, LinkId link) {
  node.receive(link, write(VmReq{}.draft()), {});
  bool answered = false;
  for (Outgoing out; node.next_output(out);) answered = answered || out.to == link;
  return answered;
}

// Datagrams from ever new ports shut out neither those that come later nor connections.
TEST(Node, HasRoomForWhoComesLast) {
  constexpr std::size_t kRoom = 8;
  Node node({.address = kSelf, .links = {.links = kRoom}});
  for (LinkId link = 0; link < 4 * kRoom; ++link) {
    node.linked(link, kOther, true, {});
    EXPECT_TRUE(answers_search(node, link)) << link;
  }
  node.linked(100, kOther, false, {});
  EXPECT_TRUE(answers_search(node, 100));
}

// The octets that the link was given.
OctetBuffer sent_on(Node& node, LinkId link) {
  OctetBuffer octets;
  for (Outgoing out; node.next_output(out);)
    if (out.to == link) octets.insert(octets.end(), out.octets.begin(), out.octets.end());
  return octets;
}

// A session that nobody has answered yet is asked for on the connection that was made last, not on the first one.
TEST(Node, OpensItsSessionsOnTheLatestConnection) {
  Node node({.address = kSelf});
  node.linked(0, kOther, false, {});
  node.linked(1, kOther, false, {});
  ASSERT_TRUE(node.begin_job(kSelf, 0, {}, {}));
  std::optional<Identifier> gjid;
  for (NodeEvent event; node.next_event(event);)
    if (const auto* const started = std::get_if<JobStarted>(&event)) gjid = started->gjid;
  ASSERT_TRUE(gjid);
  ASSERT_TRUE(node.open_session(kOther, *gjid, {}, {}));
  const OctetBuffer octets = sent_on(node, 1);
  ASSERT_FALSE(octets.empty());
  EXPECT_EQ(octets[0], static_cast<Octet>(Opcode::session_open));
}

// 68 octets of operands need the extended form of the header, and S8 is not set (RFC 3018 5.3.4).
TEST(Profile, LongOperandsNeedTheExtendedForm) {
  const OctetBuffer data(64, 1);
  const OctetBuffer octets = write(write_data({.value = 0x1000, .octets = 4}, data));
  const auto instruction = decode(octets);
  ASSERT_TRUE(instruction);
  const std::uint32_t all = kWholeProfile;
  EXPECT_TRUE(takes(all, *instruction));
  EXPECT_FALSE(takes(all & ~bit_of(ProfileFlag::extended_headers), *instruction));
  EXPECT_TRUE(takes((all & ~bit_of(ProfileFlag::extended_headers)) | bit_of(ProfileFlag::border), *instruction));
}

}  // namespace
}  // namespace wirelaw::umsp

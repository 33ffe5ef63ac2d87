// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/node/node.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace wirelaw::umsp

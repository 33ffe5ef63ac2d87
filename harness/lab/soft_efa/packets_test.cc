// SPDX-License-Identifier: Apache-2.0
// Packets between two soft devices: octets, completions, limits.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "harness/lab/soft_efa/test_device.h"

namespace wirelaw::soft_efa {
namespace {

using testing::kAllAccess;
using testing::Node;
using testing::Region;
using testing::Seen;

void number(std::vector<std::uint8_t>& octets) {
  std::iota(octets.begin(), octets.end(), std::uint8_t{1});
}

TEST(Packets, ArriveWithTheirOctetsUnchanged) {
  Node a, b;
  Region from(a.pd, 200), to(b.pd, 9000);
  number(from.octets);
  ASSERT_EQ(b.post_receive(to.sge(0, 9000), 7), 0);
  ASSERT_EQ(a.send(a.handle(), b.port(), {from.sge(0, 50), from.sge(100, 100)}, 5), 0);
  const Seen sent = a.wait();
  EXPECT_EQ(sent.wr_id, 5u);
  EXPECT_EQ(sent.status, IBV_WC_SUCCESS);
  EXPECT_EQ(sent.opcode, IBV_WC_SEND);
  const Seen received = b.wait();
  EXPECT_EQ(received.wr_id, 7u);
  EXPECT_EQ(received.status, IBV_WC_SUCCESS);
  EXPECT_EQ(received.opcode, IBV_WC_RECV);
  EXPECT_EQ(received.byte_len, 150u);
  EXPECT_EQ(received.src_qp, a.port());
  EXPECT_TRUE(std::equal(to.octets.begin(), to.octets.begin() + 50, from.octets.begin()));
  EXPECT_TRUE(std::equal(to.octets.begin() + 50, to.octets.begin() + 150, from.octets.begin() + 100));
  EXPECT_EQ(to.octets[150], 0);
}

TEST(Packets, NameTheGidOfASenderWithoutAHandleAndTheHandleOfOneWith) {
  Node a, b;
  Region from(a.pd, 8), to(b.pd, 9000);
  b.post_receive(to.sge(0, 9000));
  b.post_receive(to.sge(0, 9000));
  a.send(a.handle(), b.port(), {from.sge(0, 8)});
  const Seen stranger = b.wait({&a});
  EXPECT_EQ(stranger.slid, 0xffffu);
  EXPECT_EQ(stranger.sgid, testing::settings().gid);

  ibv_ah* handle = b.handle();
  efadv_ah_attr attributes = {};
  ASSERT_EQ(efadv_query_ah(handle, &attributes, sizeof attributes), 0);
  a.send(a.handle(), b.port(), {from.sge(0, 8)});
  const Seen known = b.wait({&a});
  EXPECT_EQ(known.slid, attributes.ahn);
  EXPECT_EQ(known.sgid, std::nullopt);
}

TEST(Packets, WaitForAReceiveToBePosted) {
  Node a, b;
  Region from(a.pd, 8), to(b.pd, 9000);
  a.send(a.handle(), b.port(), {from.sge(0, 8)});
  a.wait();
  EXPECT_FALSE(b.poll());
  b.post_receive(to.sge(0, 9000));
  EXPECT_EQ(b.wait().byte_len, 8u);
}

TEST(Packets, OfNoOctetsArriveAsSuch) {
  Node a, b;
  Region to(b.pd, 9000);
  b.post_receive(to.sge(0, 9000));
  ASSERT_EQ(a.send(a.handle(), b.port(), {}), 0);
  EXPECT_EQ(a.wait().status, IBV_WC_SUCCESS);
  EXPECT_EQ(b.wait().byte_len, 0u);
}

TEST(Packets, MayBeGivenInline) {
  Node a, b;
  Region to(b.pd, 9000);
  std::vector<std::uint8_t> octets(33);
  number(octets);
  b.post_receive(to.sge(0, 9000));
  const ibv_sge unregistered{reinterpret_cast<std::uintptr_t>(octets.data()), 32, 0};
  ASSERT_EQ(a.send(a.handle(), b.port(), {unregistered}, 1, IBV_SEND_INLINE), 0);
  EXPECT_EQ(b.wait().byte_len, 32u);
  EXPECT_TRUE(std::equal(octets.begin(), octets.begin() + 32, to.octets.begin()));
  const ibv_sge too_long{reinterpret_cast<std::uintptr_t>(octets.data()), 33, 0};
  EXPECT_EQ(a.send(a.handle(), b.port(), {too_long}, 1, IBV_SEND_INLINE), EINVAL);
}

TEST(Packets, LongerThanTheMtuAreNotTaken) {
  Node a, b;
  Region from(a.pd, 9000);
  EXPECT_EQ(a.send(a.handle(), b.port(), {from.sge(0, 8929)}), EINVAL);
  EXPECT_EQ(a.send(a.handle(), b.port(), {from.sge(0, 8928)}), 0);
}

TEST(Packets, LongerThanTheMtuThatComeAnywayArePassedOver) {
  Settings jumbo = testing::settings();
  jumbo.mtu = 20000;
  Node a(jumbo), b;
  Region from(a.pd, 20000), to(b.pd, 20000);
  b.post_receive(to.sge(0, 20000));
  a.send(a.handle(), b.port(), {from.sge(0, 8929)});
  a.send(a.handle(), b.port(), {from.sge(0, 8928)});
  EXPECT_EQ(b.wait({&a}).byte_len, 8928u);
}

TEST(Packets, LongerThanThePostedBufferCompleteItInError) {
  Node a, b;
  Region from(a.pd, 200), to(b.pd, 200);
  number(from.octets);
  b.post_receive(to.sge(0, 100));
  a.send(a.handle(), b.port(), {from.sge(0, 101)});
  EXPECT_EQ(b.wait({&a}).status, IBV_WC_LOC_LEN_ERR);
  EXPECT_EQ(to.octets[100], 0);
}

TEST(Packets, FromOrIntoUnregisteredMemoryCompleteInError) {
  Node a, b;
  Region from(a.pd, 200), to(b.pd, 200);
  ibv_sge beyond = from.sge(0, 201);
  ASSERT_EQ(a.send(a.handle(), b.port(), {beyond}), 0);
  EXPECT_EQ(a.wait().status, IBV_WC_LOC_PROT_ERR);
  ibv_sge foreign = from.sge(0, 100);
  foreign.lkey += 1000;
  ASSERT_EQ(a.send(a.handle(), b.port(), {foreign}), 0);
  EXPECT_EQ(a.wait().status, IBV_WC_LOC_PROT_ERR);

  Region read_only(b.pd, 200, 0);
  b.post_receive(read_only.sge(0, 200));
  a.send(a.handle(), b.port(), {from.sge(0, 100)});
  EXPECT_EQ(b.wait({&a}).status, IBV_WC_LOC_PROT_ERR);
}

TEST(Packets, ToNobodyCompleteInError) {
  Node a;
  auto gone = std::make_unique<Node>();
  const std::uint16_t port = gone->port();
  gone.reset();
  Region from(a.pd, 8);
  a.send(a.handle(), port, {from.sge(0, 8)});
  const Seen seen = a.wait();
  EXPECT_EQ(seen.status, IBV_WC_REM_INV_RD_REQ_ERR);
  EXPECT_EQ(seen.vendor_err, 9u);
}

TEST(Packets, StayOnLoopbackUnlessToldOtherwise) {
  Node a;
  Region from(a.pd, 8);
  a.send(a.handle(*parse_gid("192.0.2.1")), 5000, {from.sge(0, 8)});
  EXPECT_EQ(a.wait().vendor_err, 13u);
  a.rdma({IBV_WR_RDMA_READ, 1, 0}, a.handle(*parse_gid("2001:db8::1")), 5000, from.sge(0, 8));
  EXPECT_EQ(a.wait().vendor_err, 13u);
}

TEST(Packets, FillTheSendQueueUntilTheirCompletionsArePolled) {
  Node a(testing::settings(), IBV_QPT_DRIVER, 4), b;
  Region from(a.pd, 8);
  ibv_ah* handle = a.handle();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(a.send(handle, b.port(), {from.sge(0, 8)}), 0);
  EXPECT_EQ(a.send(handle, b.port(), {from.sge(0, 8)}), ENOMEM);
  a.wait();
  EXPECT_EQ(a.send(handle, b.port(), {from.sge(0, 8)}), 0);
}

TEST(Packets, AreNotLostWhenTheReceiverIsSlow) {
  constexpr unsigned kPackets = 4000;  // many times what a socket holds
  Node a, b;
  Region from(a.pd, 8928), to(b.pd, 8928);
  ibv_ah* handle = a.handle();
  unsigned posted = 0, stalled = 0;
  for (unsigned received = 0; received < kPackets;) {
    while (posted < kPackets) {
      std::memcpy(from.octets.data(), &posted, sizeof posted);
      if (a.send(handle, b.port(), {from.sge(0, 8928)}) != 0) {
        ++stalled;
        break;
      }
      ++posted;
      // The octets are read when the packet is sent, so they may change only after its completion.
      while (!a.poll()) {
        b.post_receive(to.sge(0, 8928));
        if (!b.poll()) continue;
        unsigned which = 0;
        std::memcpy(&which, to.octets.data(), sizeof which);
        ASSERT_EQ(which, received++);
        ++stalled;
      }
    }
    b.post_receive(to.sge(0, 8928));
    if (!b.poll()) continue;
    unsigned which = 0;
    std::memcpy(&which, to.octets.data(), sizeof which);
    ASSERT_EQ(which, received++);
  }
  EXPECT_GT(stalled, 0u) << "the receiver was never full: send more";
}

std::vector<unsigned> order_of_arrival(std::uint32_t depth, std::uint64_t seed) {
  constexpr unsigned kPackets = 64;
  Settings settings = testing::settings();
  settings.reorder_depth = depth;
  settings.reorder_seed = seed;
  Node a(settings), b;
  Region from(a.pd, kPackets * 4), to(b.pd, 16);
  ibv_ah* handle = a.handle();
  for (unsigned i = 0; i < kPackets; ++i) {
    std::memcpy(from.octets.data() + 4 * i, &i, sizeof i);
    EXPECT_EQ(a.send(handle, b.port(), {from.sge(4 * i, 4)}, i), 0);
  }
  std::vector<unsigned> order;
  while (order.size() < kPackets) {
    a.poll();
    b.post_receive(to.sge(0, 16));
    if (!b.poll()) continue;
    std::memcpy(&order.emplace_back(), to.octets.data(), 4);
  }
  return order;
}

TEST(Packets, ComeInOrderUnlessToldOtherwise) {
  EXPECT_TRUE(std::ranges::is_sorted(order_of_arrival(0, 1)));
}

TEST(Packets, OvertakeOneAnotherTheSameWayForTheSameSeed) {
  const auto order = order_of_arrival(8, 1);
  EXPECT_FALSE(std::ranges::is_sorted(order));
  EXPECT_EQ(order, order_of_arrival(8, 1));
  EXPECT_NE(order, order_of_arrival(8, 2));
  auto sorted = order;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted.back(), 63u);
  EXPECT_TRUE(std::ranges::adjacent_find(sorted) == sorted.end());
}

TEST(Packets, OfDatagramQueuePairsHaveRoomForARouteInFront) {
  Node a(testing::settings(), IBV_QPT_UD), b(testing::settings(), IBV_QPT_UD);
  Region from(a.pd, 100), to(b.pd, 140);
  number(from.octets);
  b.post_receive(to.sge(0, 140));
  a.send(a.handle(), b.port(), {from.sge(0, 100)});
  EXPECT_EQ(b.wait({&a}).byte_len, 140u);
  EXPECT_TRUE(std::equal(from.octets.begin(), from.octets.end(), to.octets.begin() + 40));
  EXPECT_TRUE(std::ranges::equal(testing::settings().gid, std::span(to.octets).subspan(8, 16)));
}

TEST(Builders, PostNothingAfterAnAbortOrAnError) {
  Node a, b;
  Region from(a.pd, 8), to(b.pd, 8);
  ibv_ah* handle = a.handle();
  ibv_qp_ex* builder = ibv_qp_to_qp_ex(a.qp);
  ibv_wr_start(builder);
  ibv_wr_send(builder);
  ibv_wr_set_ud_addr(builder, handle, b.port(), testing::kQkey);
  ibv_wr_abort(builder);
  EXPECT_FALSE(a.poll());

  ibv_wr_start(builder);
  ibv_wr_send(builder);
  const std::array<ibv_sge, 3> three{from.sge(0, 1), from.sge(1, 1), from.sge(2, 1)};
  ibv_wr_set_sge_list(builder, three.size(), three.data());
  ibv_wr_set_ud_addr(builder, handle, b.port(), testing::kQkey);
  EXPECT_EQ(ibv_wr_complete(builder), EINVAL);
  EXPECT_FALSE(a.poll());

  ibv_wr_start(builder);
  builder->wr_id = 9;
  ibv_wr_send(builder);
  ibv_wr_set_sge(builder, from.mr->lkey, from.address(), 8);
  ibv_wr_set_ud_addr(builder, handle, b.port(), testing::kQkey);
  EXPECT_EQ(ibv_wr_complete(builder), 0);
  EXPECT_EQ(a.wait().wr_id, 9u);
}

TEST(Device, RefusesRegistrationsOfTheLengthsAskedFor) {
  Settings settings = testing::settings();
  settings.refuse_from = 1000;
  settings.refuse_to = 2000;
  Node a(settings);
  std::vector<std::uint8_t> octets(3000);
  EXPECT_EQ(ibv_reg_mr(a.pd, octets.data(), 1000, 0), nullptr);
  EXPECT_EQ(ibv_reg_mr(a.pd, octets.data(), 2000, 0), nullptr);
  for (const std::size_t length : {999u, 2001u}) {
    ibv_mr* mr = ibv_reg_mr(a.pd, octets.data(), length, 0);
    ASSERT_NE(mr, nullptr);
    ibv_dereg_mr(mr);
  }
}

TEST(Device, TakesThePortThatItIsTold) {
  Settings settings = testing::settings();
  settings.port = std::make_unique<Node>()->port();
  EXPECT_EQ(Node(settings).port(), settings.port);
}

TEST(Device, StaysOpenWhileItHasQueuePairs) {
  Node a;
  EXPECT_EQ(ibv_close_device(&a.context->context), EBUSY);
}

}  // namespace
}  // namespace wirelaw::soft_efa

// SPDX-License-Identifier: Apache-2.0
// Behaviour of a gateway that no case of SMB Direct exercises (see harness/smbd_device_cases_test.cc for the others).
#include "harness/peers/verbs/gateway.h"

#include <gmock/gmock.h>

#include "harness/peers/verbs/consumer_pair.h"

namespace wirelaw::verbs {
namespace {

struct VerbsGateway : testing::Test {
  VerbsGateway() { near.join(far); }

  // Moves octets between both ends of the stream, and counts the deliveries of the endpoint.
  void shuttle() {
    for (bool moved = true; moved;) {
      moved = false;
      for (OctetBuffer octets; gateway.next_octets(octets); moved = true) endpoint.receive(octets, now);
      for (rdmap::Event event; endpoint.next_event(event); moved = true) {
        if (std::holds_alternative<rdmap::ConnectionRequest>(event)) {
          EXPECT_TRUE(endpoint.accept());
        }
        delivered += std::holds_alternative<rdmap::Received>(event);
      }
      for (OctetBuffer octets; endpoint.next_octets(octets); moved = true) gateway.receive(octets);
    }
  }

  Instant now{0};
  PairedConsumer near{now}, far{now};
  Gateway gateway{near, Role::responder};
  rdmap::Buffers buffers{1};
  rdmap::Endpoint endpoint{Role::responder, {}, buffers};
  std::size_t delivered = 0;
};

TEST_F(VerbsGateway, HoldsNoMoreOfAPeerThatFloodsThanItMayAndLosesNothingOfIt) {
  endpoint.connected(now);
  ASSERT_TRUE(far.connect({}));
  gateway.proceed();
  shuttle();
  const auto memory = far.allocate(8);
  ASSERT_TRUE(memory);
  const auto region = far.reg_mr(*memory, {});
  ASSERT_TRUE(region);
  const SendWr word{.sge = {.addr = region->addr, .length = 8, .lkey = region->lkey}};
  std::size_t taken = 0;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(far.post_send(word));
    taken += far.poll_cq(Cq::send, now).value()->status == WcStatus::success;
    gateway.proceed();
  }
  EXPECT_GT(taken, 1000u);
  EXPECT_LT(taken, 2000u) << "the rest waits at the peer: nothing is posted for it";
  for (std::size_t i = 0; i < 4000; ++i) static_cast<void>(endpoint.post_receive(64));
  shuttle();
  EXPECT_EQ(delivered, taken);
  ASSERT_TRUE(far.post_send(word));
  EXPECT_EQ(far.poll_cq(Cq::send, now).value()->status, WcStatus::success) << "there is room again";
}

// Some devices report only later that a Send is complete (rxe in Linux 6.12 does).
TEST_F(VerbsGateway, LeavesBehindATerminateAsSoonAsWhatWasSentBeforeItIsComplete) {
  endpoint.connected(now);
  ASSERT_TRUE(far.connect({}));
  gateway.proceed();
  shuttle();
  static_cast<void>(endpoint.post_receive(64));
  ASSERT_TRUE(far.post_send({}));  // a responder of MPA sends nothing before its peer has
  gateway.proceed();
  shuttle();
  ASSERT_EQ(delivered, 1u);
  far.events.clear();
  const std::array<Octet, 32> octets{};
  ASSERT_TRUE(far.post_recv({}));
  near.completes = false;
  ASSERT_TRUE(endpoint.post_send(Octets(octets)));
  shuttle();
  endpoint.terminate();
  shuttle();
  gateway.ended(endpoint.ending());
  EXPECT_TRUE(far.events.empty()) << "the Send may still be on its way";
  near.completes = true;
  gateway.proceed();
  ASSERT_EQ(far.events.size(), 1u);
  EXPECT_EQ(far.events.front().type, CmEventType::disconnected);
  gateway.proceed();  // the device reports it at this end too
  EXPECT_TRUE(gateway.is_over());
}

}  // namespace
}  // namespace wirelaw::verbs

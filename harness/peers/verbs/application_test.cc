// SPDX-License-Identifier: Apache-2.0
// The applications above consumers, one against the other.
#include "harness/peers/verbs/application.h"

#include <gmock/gmock.h>

#include "harness/peers/rdmap_peer.h"
#include "harness/peers/verbs/consumer_pair.h"
#include "reference/rdmap/advertisement.h"

namespace wirelaw::verbs {
namespace {

using testing::HasSubstr;

struct VerbsApplication : testing::Test {
  explicit VerbsApplication(Service which = Service::echo) : above(which) { near.join(far); }

  void run(const TriggerRequest& request) {
    responder = make_responder(far, above);
    initiator = make_initiator(near, request);
    proceed();
  }
  void proceed() {
    for (int i = 0; i < 1000 && !(initiator->is_over() && responder->is_over()); ++i) {
      responder->proceed();
      initiator->proceed();
    }
  }
  // The memory that the responder has advertised.
  std::vector<rdmap::AdvertisedBuffer> advertised() const {
    return rdmap::decode_advertisement(far.accepted.private_data).value_or(std::vector<rdmap::AdvertisedBuffer>());
  }

  Instant now{0};
  PairedConsumer near{now}, far{now};
  PeerApplication above;
  std::unique_ptr<ConsumerApplication> responder, initiator;
};

TEST_F(VerbsApplication, MakesItsRoundsOneAfterTheOther) {
  run({.octets = 5000, .count = 7});
  EXPECT_TRUE(initiator->is_over());
  EXPECT_TRUE(responder->is_over());
  EXPECT_EQ(initiator->failed(), 0u);
  EXPECT_THAT(initiator->state(), HasSubstr("7 rounds done, 0 failed"));
  EXPECT_THAT(responder->state(), HasSubstr("7 Sends received"));
}

TEST_F(VerbsApplication, MakesMoreRoundsAtOnceThanThereAreReceives) {
  run({.octets = 100, .count = 50, .parallel = true});
  EXPECT_THAT(initiator->state(), HasSubstr("50 rounds done, 0 failed"));
}

TEST_F(VerbsApplication, SendsNoMoreThanFitsAReceive) {
  run({.octets = 100'000, .count = 2});
  EXPECT_THAT(initiator->state(), HasSubstr("2 rounds done, 0 failed"));
}

TEST_F(VerbsApplication, FindsAnEchoOfOtherOctets) {
  near.spoil = [](OctetBuffer& echo) { echo.back() ^= 1; };
  run({.octets = 64, .count = 3});
  EXPECT_EQ(initiator->failed(), 3u);
  EXPECT_THAT(initiator->state(), HasSubstr("an echo has other octets than the Send"));
}

TEST_F(VerbsApplication, GivesUpWhereNothingComesBack) {
  above = PeerApplication(Service::none);
  run({.octets = 64, .count = 2});
  EXPECT_FALSE(initiator->is_over());
  ASSERT_TRUE(initiator->deadline());
  EXPECT_EQ(*initiator->deadline(), rdmap::kRoundTime);
  now = rdmap::kRoundTime;
  proceed();
  EXPECT_TRUE(initiator->is_over());
  EXPECT_EQ(initiator->failed(), 2u);
  EXPECT_THAT(initiator->state(), HasSubstr("nothing has come back"));
}

TEST_F(VerbsApplication, AdvertisesItsBuffersWithTheirRights) {
  run({.octets = 64});
  const auto buffers = advertised();
  ASSERT_EQ(buffers.size(), 4u);
  const auto reach = [&](std::size_t buffer, std::uint64_t offset, std::size_t length, bool writes) {
    return far.remote(buffers[buffer].at.to + offset, length, buffers[buffer].at.stag, writes).has_value();
  };
  EXPECT_EQ(buffers[0].length, rdmap::kBufferOctets);
  EXPECT_TRUE(reach(0, 0, rdmap::kBufferOctets, true));
  EXPECT_TRUE(reach(0, 0, rdmap::kBufferOctets, false));
  EXPECT_FALSE(reach(0, 1, rdmap::kBufferOctets, false));
  EXPECT_TRUE(reach(1, 0, rdmap::kBufferOctets, false));
  EXPECT_FALSE(reach(1, 0, 1, true));
  EXPECT_TRUE(reach(2, 0, rdmap::kBufferOctets, true));
  EXPECT_FALSE(reach(2, 0, 1, false));
  EXPECT_EQ((*far.remote(buffers[1].at.to, 600, buffers[1].at.stag, false))[513], 0x03);
  // The buffer has no octets. Reading nothing is no error.
  EXPECT_EQ(buffers[3].length, 0u);
  EXPECT_TRUE(reach(3, 0, 0, false));
  EXPECT_FALSE(reach(3, 0, 1, false));
}

TEST_F(VerbsApplication, OffersReadsOfItsOwnWhereTheRequestSaysNothing) {
  responder = make_responder(far, above);
  far.events.push_back({.type = CmEventType::connect_request});
  responder->proceed();
  EXPECT_EQ(far.accepted.responder_resources, ConnParam{}.responder_resources);
  EXPECT_EQ(far.accepted.initiator_depth, ConnParam{}.initiator_depth);
}

TEST_F(VerbsApplication, RejectsWhatItHasNoMemoryFor) {
  far.registers = 2;
  run({.octets = 64, .count = 4});
  EXPECT_TRUE(responder->is_over());
  EXPECT_TRUE(initiator->is_over());
  EXPECT_EQ(initiator->failed(), 4u);
  EXPECT_THAT(initiator->state(), HasSubstr("RDMA_CM_EVENT_REJECTED"));
}

TEST_F(VerbsApplication, CountsWhatAsksForIt) {
  above = PeerApplication(Service::count);
  responder = make_responder(far, above);
  far.events.push_back({.type = CmEventType::connect_request});
  responder->proceed();
  const auto memory = near.allocate(64);
  ASSERT_TRUE(memory);
  ASSERT_TRUE(near.post_recv({.wr_id = 1, .sge = {reinterpret_cast<std::uint64_t>(memory->data()), 64, 0}}));
  ASSERT_TRUE(far.take(OctetBuffer(kCountRequest.begin(), kCountRequest.end())));
  responder->proceed();
  const auto answer = near.poll_cq(Cq::receive, now);
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ((*answer)->byte_len, 4u);
  EXPECT_EQ((*memory)[0], 1);
}

}  // namespace
}  // namespace wirelaw::verbs

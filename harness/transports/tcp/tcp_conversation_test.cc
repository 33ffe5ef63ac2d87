// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/tcp/tcp_conversation.h"

#include <gtest/gtest.h>

#include <chrono>

namespace wirelaw {
namespace {

class Listening : public testing::Test {
 protected:
  Connected connect() {
    return connect_tcp("127.0.0.1", static_cast<std::uint16_t>(listener_.local().port), std::nullopt, clock_).value();
  }
  std::optional<OctetBuffer> receive(Conversation& from) {
    return from.receive(clock_.now() + std::chrono::seconds{10}).value();
  }

  LiveClock clock_;
  TcpListener listener_{TcpAcceptor::bind("127.0.0.1", 0).value(), "127.0.0.1", clock_};
};

TEST_F(Listening, PassesOverConnectionsThatEndWithoutAnOctet) {
  const Connected accepted = listener_.accept();
  connect().wire->end(Ending::closed);
  connect().wire->end(Ending::reset);
  const Connected peer = connect();
  ASSERT_TRUE(peer.wire->send(OctetBuffer{1, 2}));
  EXPECT_EQ(receive(*accepted.wire), (OctetBuffer{1, 2}));
  EXPECT_EQ(accepted.wire->iut(), peer.wire->tester());
  peer.wire->end(Ending::closed);
  EXPECT_EQ(receive(*accepted.wire), std::nullopt);
  EXPECT_EQ(accepted.wire->ending(), Ending::closed) << "an octet had come";
}

TEST_F(Listening, IsNotKeptByConnectionsThatEndWithoutAnOctet) {
  const Connected accepted = listener_.accept();
  connect().wire->end(Ending::closed);
  const Connected peer = connect();
  ASSERT_TRUE(peer.wire->send(OctetBuffer{1}));
  EXPECT_EQ(accepted.wire->receive(clock_.now()).value(), std::nullopt) << "the time is over";
  EXPECT_EQ(receive(*accepted.wire), OctetBuffer{1});
}

}  // namespace
}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// The end of a stream: in order, by a Terminate, or because the peer is gone (RFC 5040, 6.2; RFC 5041, 6.2).
#include <gtest/gtest.h>

#include "reference/rdmap/test_stream.h"

namespace wirelaw::rdmap {
namespace {

using std::chrono::seconds;

constexpr Access kReadWrite{.read = true, .write = true};

OctetBuffer terminate_of(const ErrorCode& error) {
  OctetBuffer octets;
  encode(Terminate{.error = error}, octets);
  return octets;
}

TEST(Teardown, CloseFinishesWhatWasPostedAndWhatThePeerHasAskedFor) {
  PairOptions options;
  options.longest_piece = 700;
  Pair pair(options);
  pair.run();
  const Stag remote = pair.responder.offer(20'000, kReadWrite);
  pair.responder.fill(pattern(20'000));
  const Stag local = pair.initiator.offer(20'000, kReadWrite);
  ASSERT_TRUE(pair.responder.endpoint.post_receive(5000));
  ASSERT_TRUE(pair.initiator.endpoint.post_send(pattern(5000)));
  ASSERT_TRUE(pair.initiator.endpoint.post_read({local, 0}, {remote, 0}, 20'000));
  pair.initiator.endpoint.close();
  EXPECT_EQ(pair.initiator.endpoint.post_send(pattern(1)).error(), PostError::not_open);
  pair.run();
  EXPECT_EQ(pair.responder.count<Received>(), 1u);
  EXPECT_EQ(pair.initiator.last_memory(), pattern(20'000));
  ASSERT_EQ(pair.initiator.count<Completed>(), 2u);
  EXPECT_TRUE(pair.initiator.all<Completed>()[1].ok);
  EXPECT_EQ(pair.initiator.endpoint.ending(), Ending::closed);
  // One direction of the stream is still open.
  ASSERT_EQ(pair.responder.count<PeerEnded>(), 1u);
  ASSERT_TRUE(pair.initiator.endpoint.post_receive(10));
  ASSERT_TRUE(pair.responder.endpoint.post_send(pattern(10)));
  pair.run();
  EXPECT_EQ(pair.initiator.count<Received>(), 1u);
  pair.responder.endpoint.close();
  pair.run();
  for (End* end : {&pair.initiator, &pair.responder}) {
    ASSERT_EQ(end->count<Closed>(), 1u);
    EXPECT_FALSE(end->all<Closed>()[0].reset);
    EXPECT_EQ(end->count<LocalError>(), 0u);
    EXPECT_EQ(end->endpoint.phase(), Phase::closed);
  }
}

TEST(Teardown, AResponderMayCloseWithoutHavingSentAnything) {
  Pair pair;
  pair.run();
  pair.responder.endpoint.close();
  pair.run();
  EXPECT_EQ(pair.responder.endpoint.ending(), Ending::closed);
  EXPECT_EQ(pair.initiator.count<PeerEnded>(), 1u);
}

TEST(Teardown, TheUpperLayersTerminateNamesNoMessageAndFailsWhatIsOpen) {
  Pair pair;
  pair.run();
  const OctetBuffer data = pattern(100'000);
  ASSERT_TRUE(pair.initiator.endpoint.post_write(data, {1, 0}));
  pair.initiator.endpoint.terminate();
  pair.run();
  ASSERT_EQ(pair.responder.count<RemoteTerminate>(), 1u);
  const RemoteTerminate reported = pair.responder.all<RemoteTerminate>()[0];
  EXPECT_TRUE(reported.decoded);
  EXPECT_EQ(reported.error, error::kLocalCatastrophic);
  EXPECT_EQ(reported.message.size(), 4u);
  ASSERT_EQ(pair.initiator.count<Completed>(), 1u);
  EXPECT_FALSE(pair.initiator.all<Completed>()[0].ok);
  EXPECT_EQ(pair.initiator.count<Closed>(), 1u);
  EXPECT_EQ(pair.responder.count<Closed>(), 1u);
  EXPECT_EQ(pair.initiator.endpoint.post_send(pattern(1)).error(), PostError::not_open);
}

TEST(Teardown, ATerminateCutsIntoALongMessage) {
  PairOptions options;
  options.initiator.output_octets = 1;
  Pair pair(options);
  pair.run();
  const Stag sink = pair.responder.offer(100'000, kReadWrite);
  const OctetBuffer data = pattern(100'000);
  ASSERT_TRUE(pair.initiator.endpoint.post_write(data, {sink, 0}));
  for (int i = 0; i < 5; ++i) pair.step();
  pair.initiator.endpoint.terminate(error::kCatastrophicStream);
  pair.run();
  EXPECT_EQ(pair.responder.count<RemoteTerminate>(), 1u);
  EXPECT_EQ(pair.responder.count<LocalError>(), 0u);
  EXPECT_LT(pair.from_initiator.size(), 20'000u);
}

TEST(Teardown, AfterATerminateNothingMoreIsSentAndTheStreamIsClosed) {
  Rig rig(Role::responder, {.mulpdu = 128, .output_octets = 1});
  rig.start();
  rig.send(tagged(Opcode::write, 0, 0));
  const OctetBuffer data = pattern(10'000);
  ASSERT_TRUE(rig.end.endpoint.post_write(data, {1, 0}));
  ASSERT_TRUE(rig.end.endpoint.post_send(data));
  OctetBuffer next;
  ASSERT_TRUE(rig.end.endpoint.next_octets(next));
  mpa::Framer framer(false, true);
  const OctetBuffer message = terminate_of(error::kDdpInvalidQn);
  rig.send(untagged(Opcode::terminate, kTerminateQueue, 1), message);
  EXPECT_FALSE(rig.end.endpoint.next_octets(next));
  EXPECT_EQ(rig.end.endpoint.ending(), Ending::closed);
  ASSERT_EQ(rig.end.count<RemoteTerminate>(), 1u);
  EXPECT_EQ(rig.end.all<RemoteTerminate>()[0].error, error::kDdpInvalidQn);
  EXPECT_EQ(rig.end.all<RemoteTerminate>()[0].message, message);
  EXPECT_EQ(rig.end.count<Completed>(), 2u);
  EXPECT_EQ(rig.end.count<LocalError>(), 0u);
}

TEST(Teardown, ATerminateThatIsWrongItselfIsReportedAndNotAnswered) {
  const OctetBuffer good = terminate_of(error::kDdpInvalidQn);
  OctetBuffer cut = good;
  cut[2] = 0xe0;  // announces headers that are missing
  for (const auto& [header, payload] : std::initializer_list<std::pair<ddp::Header, OctetBuffer>>{
           {untagged(Opcode::terminate, 2, 2), good},
           {untagged(Opcode::terminate, 2, 1, 4), good},
           {untagged(Opcode::terminate, 2, 1), {1, 2, 3}},
           {untagged(Opcode::terminate, 2, 1), {}},
           {untagged(Opcode::terminate, 2, 1), OctetBuffer(2000)},
           {untagged(Opcode::terminate, 2, 1), cut}}) {
    Rig rig(Role::initiator);
    rig.start();
    rig.send(header, payload);
    EXPECT_TRUE(rig.segments().empty());
    ASSERT_EQ(rig.end.count<RemoteTerminate>(), 1u);
    EXPECT_FALSE(rig.end.all<RemoteTerminate>()[0].decoded);
    EXPECT_EQ(rig.end.endpoint.ending(), Ending::closed);
  }
}

TEST(Teardown, ATerminateMayComeInSegments) {
  Rig rig(Role::initiator);
  rig.start();
  const OctetBuffer message = terminate_of(error::kDdpInvalidQn);
  rig.send(untagged(Opcode::terminate, 2, 1, 0, false), Octets(message).first(2));
  EXPECT_EQ(rig.end.count<RemoteTerminate>(), 0u);
  rig.send(untagged(Opcode::terminate, 2, 1, 2), Octets(message).subspan(2));
  ASSERT_EQ(rig.end.count<RemoteTerminate>(), 1u);
  EXPECT_TRUE(rig.end.all<RemoteTerminate>()[0].decoded);
}

// ---------------------------------------------------------------------------------------------- the peer is gone

TEST(Teardown, AResetFailsEverythingAtOnce) {
  for (const Role role : {Role::initiator, Role::responder}) {
    Rig rig(role);
    rig.start();
    ASSERT_TRUE(rig.end.endpoint.post_send(pattern(10)));
    ASSERT_TRUE(rig.end.endpoint.post_read({0, 0}, {1, 0}, 0));
    rig.end.endpoint.peer_ended(Ending::reset, rig.now);
    OctetBuffer next;
    EXPECT_FALSE(rig.end.endpoint.next_octets(next));
    rig.end.fetch();
    EXPECT_EQ(rig.end.endpoint.phase(), Phase::closed);
    EXPECT_EQ(rig.end.endpoint.ending(), Ending::reset);
    ASSERT_EQ(rig.end.count<LocalError>(), 1u);
    EXPECT_EQ(rig.end.all<LocalError>()[0].error, error::kMpaConnectionLost);
    ASSERT_EQ(rig.end.count<Completed>(), 2u);
    ASSERT_EQ(rig.end.count<Closed>(), 1u);
    EXPECT_TRUE(rig.end.all<Closed>()[0].reset);
    EXPECT_TRUE(std::holds_alternative<Closed>(rig.end.events.back()));
  }
}

TEST(Teardown, AnEndInMidMessageIsAnError) {
  struct Row {
    const char* name;
    void (*before)(Rig& rig);
  };
  for (const Row& row : {
           Row{"inside an FPDU",
               [](Rig& rig) {
                 rig.feed(OctetBuffer{0, 40, 1});
               }},
           Row{"inside a Send", [](Rig& rig) { rig.send(untagged(Opcode::send, 0, 1, 0, false), pattern(3)); }},
           Row{"inside a Write", [](Rig& rig) { rig.send(tagged(Opcode::write, 0, 0, false)); }},
           Row{"with a read unanswered",
               [](Rig& rig) {
                 ASSERT_TRUE(rig.end.endpoint.post_read({0, 0}, {1, 0}, 0));
                 EXPECT_EQ(rig.segments().size(), 1u);
               }},
       }) {
    SCOPED_TRACE(row.name);
    Rig rig(Role::initiator);
    ASSERT_TRUE(rig.end.endpoint.post_receive(10));
    rig.start();
    row.before(rig);
    rig.end.endpoint.peer_ended(Ending::closed, rig.now);
    const auto sent = rig.segments();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].payload, terminate_of(error::kMpaConnectionLost));
    EXPECT_EQ(rig.end.count<PeerEnded>(), 0u);
    EXPECT_EQ(rig.end.count<LocalError>(), 1u);
    EXPECT_EQ(rig.end.count<Closed>(), 1u);
  }
}

TEST(Teardown, AReadThatNobodyWillAnswerFailsWhenItsTurnComes) {
  Rig rig(Role::initiator);
  rig.start();
  rig.end.endpoint.peer_ended(Ending::closed, rig.now);
  ASSERT_TRUE(rig.end.endpoint.post_send(pattern(3)));
  ASSERT_TRUE(rig.end.endpoint.post_read({0, 0}, {1, 0}, 0));
  const auto sent = rig.segments();
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_TRUE(sent[0].control.is(Opcode::send));
  EXPECT_TRUE(sent[1].control.is(Opcode::terminate));
  const auto done = rig.end.all<Completed>();
  ASSERT_EQ(done.size(), 2u);
  EXPECT_TRUE(done[0].ok);
  EXPECT_FALSE(done[1].ok);
}

TEST(Teardown, AnErrorBehindOurOwnEndResetsTheStream) {
  Rig rig(Role::initiator);
  rig.start();
  rig.end.endpoint.close();
  EXPECT_EQ(rig.end.endpoint.ending(), Ending::closed);
  rig.send(untagged(Opcode::send, 0, 7), pattern(1));
  EXPECT_TRUE(rig.segments().empty());
  EXPECT_EQ(rig.end.endpoint.ending(), Ending::reset);
  ASSERT_EQ(rig.end.count<Closed>(), 1u);
  EXPECT_TRUE(rig.end.all<Closed>()[0].reset);
}

TEST(Teardown, APeerThatDoesNotCloseIsReset) {
  Rig rig(Role::initiator, {.teardown_timeout = seconds(4)});
  rig.start();
  rig.pass(seconds(100));
  rig.end.endpoint.close();
  EXPECT_EQ(rig.end.endpoint.deadline(), seconds(104));
  rig.pass(seconds(3));
  EXPECT_EQ(rig.end.endpoint.ending(), Ending::closed);
  rig.pass(seconds(1));
  EXPECT_EQ(rig.end.endpoint.ending(), Ending::reset);
  EXPECT_EQ(rig.end.count<Closed>(), 1u);
  EXPECT_FALSE(rig.end.endpoint.deadline());
}

TEST(Teardown, ACloseThatDoesNotMoveTurnsIntoATerminate) {
  Rig rig(Role::initiator, {.teardown_timeout = seconds(4)});
  rig.start();
  ASSERT_TRUE(rig.end.endpoint.post_read({0, 0}, {1, 0}, 0));
  EXPECT_EQ(rig.segments().size(), 1u);
  rig.end.endpoint.close();
  rig.end.endpoint.close();
  EXPECT_EQ(rig.end.endpoint.deadline(), seconds(4));
  rig.send(tagged(Opcode::write, 0, 0));  // makes progress
  rig.pass(seconds(4));
  EXPECT_TRUE(rig.segments().empty());
  EXPECT_EQ(rig.end.endpoint.deadline(), seconds(8));
  rig.pass(seconds(4));
  const auto sent = rig.segments();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].payload, terminate_of(error::kLocalCatastrophic));
  EXPECT_EQ(rig.end.endpoint.ending(), Ending::closed);
}

TEST(Teardown, AReadBehindOurOwnEndCannotBeAnswered) {
  Rig rig(Role::responder);
  rig.start();
  rig.send(tagged(Opcode::write, 0, 0));
  rig.end.endpoint.close();
  EXPECT_EQ(rig.end.endpoint.ending(), Ending::closed);
  rig.send(untagged(Opcode::read_request, 1, 1), encoded(ReadRequest{}));
  EXPECT_TRUE(rig.segments().empty());
  EXPECT_EQ(rig.end.endpoint.ending(), Ending::reset);
}

TEST(Teardown, WhatIsClosedStaysClosed) {
  Rig rig(Role::initiator);
  rig.start();
  rig.end.endpoint.peer_ended(Ending::reset, rig.now);
  rig.drain();
  const std::size_t events = rig.end.events.size();
  rig.feed(pattern(100));
  rig.end.endpoint.peer_ended(Ending::closed, rig.now);
  rig.end.endpoint.close();
  rig.end.endpoint.terminate();
  rig.pass(seconds(100));
  EXPECT_EQ(rig.end.events.size(), events);
  EXPECT_TRUE(rig.output().empty());
  EXPECT_EQ(rig.end.endpoint.post_receive(1).error(), PostError::not_open);
}

TEST(Teardown, TheBuffersOfAStreamGoWithIt) {
  Buffers buffers(1);
  OctetBuffer memory(10);
  {
    Endpoint endpoint(Role::initiator, {}, buffers);
    ASSERT_TRUE(endpoint.register_buffer(memory, 0, kReadWrite));
    EXPECT_EQ(buffers.size(), 1u);
  }
  EXPECT_EQ(buffers.size(), 0u);
}

}  // namespace
}  // namespace wirelaw::rdmap

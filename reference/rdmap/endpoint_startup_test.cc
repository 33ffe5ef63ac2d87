// SPDX-License-Identifier: Apache-2.0
// The start of a stream: RFC 5044, 7.1; RFC 6581.
#include <gtest/gtest.h>

#include "reference/rdmap/test_stream.h"

namespace wirelaw::rdmap {
namespace {

using std::chrono::seconds;

OctetBuffer frame_of(mpa::FrameKind kind, std::uint8_t revision, std::size_t private_data, Octet flags = 0x40) {
  OctetBuffer octets;
  const auto key = mpa::key_of(kind);
  octets.assign(key.begin(), key.end());
  Writer(octets).octet(flags).octet(revision).big_endian(static_cast<std::uint16_t>(private_data));
  const OctetBuffer data = pattern(private_data);
  octets.insert(octets.end(), data.begin(), data.end());
  return octets;
}
OctetBuffer request_of(std::uint8_t revision = 1, std::size_t private_data = 0, Octet flags = 0x40) {
  return frame_of(mpa::FrameKind::request, revision, private_data, flags);
}
OctetBuffer reply_of(std::uint8_t revision = 1, std::size_t private_data = 0, Octet flags = 0x40) {
  return frame_of(mpa::FrameKind::reply, revision, private_data, flags);
}
OctetBuffer enhanced_reply(const mpa::EnhancedData& data, Octet flags = 0x50) {
  OctetBuffer octets = reply_of(2, 4, flags);
  store_big_endian(octets.data() + mpa::layout::kStartFrame, mpa::encode_enhanced(data));
  return octets;
}

// An endpoint that waits for the peer's frame; the octets that it has sent are discarded.
struct Waiting {
  explicit Waiting(Role role, const Options& options = {}) : rig(role, options) { rig.output(); }
  void expect_closed(bool fall_back = false) {
    rig.drain();
    EXPECT_TRUE(rig.output().empty());
    EXPECT_EQ(rig.end.endpoint.ending(), Ending::closed);
    ASSERT_EQ(rig.end.count<LocalError>(), 1u);
    EXPECT_EQ(rig.end.all<LocalError>()[0].error, error::kMpaStartFrame);
    EXPECT_EQ(rig.end.all<LocalError>()[0].fall_back, fall_back);
    EXPECT_FALSE(rig.end.all<LocalError>()[0].terminates);
    EXPECT_EQ(rig.end.count<ConnectionRequest>() + rig.end.count<Established>(), 0u);
  }
  Rig rig;
};

TEST(Startup, TheInitiatorsRequestIsWhatTheFigureShows) {
  Rig plain(Role::initiator);
  EXPECT_EQ(to_hex(plain.output()),
            "4d504120494420526571204672616d65"
            "40"
            "01"
            "0000");
  Rig rich(Role::initiator, {.revision = 2, .markers = true, .crc = false});
  EXPECT_EQ(to_hex(rich.output()),
            "4d504120494420526571204672616d65"
            "80"
            "02"
            "0000");
  Rig enhanced(Role::initiator, {.enhanced = true, .peer_to_peer = true, .rtr_read = false, .ird = 3, .ord = 5});
  EXPECT_EQ(to_hex(enhanced.output()),
            "4d504120494420526571204672616d65"
            "50"
            "02"
            "0004"
            "c0038005");
}

TEST(Startup, PrivateDataGoesBothWaysAndIsCutAtItsLimit) {
  PairOptions options;
  options.request_data = pattern(100);
  options.reply_data = pattern(512, 2);
  Pair pair(options);
  pair.run();
  ASSERT_EQ(pair.responder.count<ConnectionRequest>(), 1u);
  EXPECT_EQ(pair.responder.all<ConnectionRequest>()[0].private_data, pattern(100));
  EXPECT_EQ(pair.responder.all<ConnectionRequest>()[0].revision, 1);
  ASSERT_EQ(pair.initiator.count<Established>(), 1u);
  EXPECT_EQ(pair.initiator.all<Established>()[0].private_data, pattern(512, 2));

  options.initiator.enhanced = true;
  options.request_data = pattern(600);
  options.reply_data = pattern(508, 2);
  Pair enhanced(options);
  enhanced.run();
  ASSERT_EQ(enhanced.responder.count<ConnectionRequest>(), 1u);
  EXPECT_EQ(enhanced.responder.all<ConnectionRequest>()[0].private_data.size(), 508u);
  EXPECT_TRUE(enhanced.responder.all<ConnectionRequest>()[0].enhanced);
  ASSERT_EQ(enhanced.initiator.count<Established>(), 1u);
  EXPECT_EQ(enhanced.initiator.all<Established>()[0].private_data, pattern(508, 2));
}

TEST(Startup, AcceptAndRejectTakeNoMoreThanFits) {
  Waiting waiting(Role::responder);
  Endpoint& endpoint = waiting.rig.end.endpoint;
  waiting.rig.feed(request_of());
  EXPECT_EQ(endpoint.phase(), Phase::requested);
  EXPECT_EQ(endpoint.accept(pattern(513)).error(), PostError::too_long);
  EXPECT_EQ(endpoint.reject(pattern(513)).error(), PostError::too_long);
  EXPECT_TRUE(endpoint.accept(pattern(512)));
  EXPECT_EQ(endpoint.accept().error(), PostError::not_asked);
  EXPECT_EQ(endpoint.phase(), Phase::operating);
  waiting.rig.drain();
  EXPECT_EQ(waiting.rig.output().size(), 532u);
}

TEST(Startup, TheResponderAnswersInTheRevisionOfTheRequest) {
  for (const std::uint8_t revision : {std::uint8_t{1}, std::uint8_t{2}}) {
    Waiting waiting(Role::responder);
    waiting.rig.feed(request_of(revision, 0, 0x60));  // R is ignored
    ASSERT_TRUE(waiting.rig.end.endpoint.accept());
    waiting.rig.drain();
    EXPECT_EQ(to_hex(waiting.rig.output()),
              std::string("4d504120494420526570204672616d65") + "40" + (revision == 1 ? "01" : "02") + "0000");
  }
}

TEST(Startup, AResponderClosesOnWhatIsNoRequest) {
  OctetBuffer wrong_key = request_of();
  wrong_key[15] ^= 1;
  for (const auto& [name, octets] : std::initializer_list<std::pair<const char*, OctetBuffer>>{
           {"wrong key", wrong_key},
           {"the first octet of a wrong key", {'G'}},
           {"a reply", reply_of()},
           {"revision 0", request_of(0)},
           {"revision 3", request_of(3)},
           {"513 octets of private data", request_of(1, 513)},
           {"S without enhanced data", request_of(2, 0, 0x50)},
           {"S with three octets", request_of(2, 3, 0x50)},
       }) {
    SCOPED_TRACE(name);
    Waiting waiting(Role::responder);
    waiting.rig.feed(octets);
    waiting.expect_closed();
    waiting.rig.feed(request_of());
    waiting.expect_closed();  // later octets are ignored
  }
}

TEST(Startup, TooMuchPrivateDataIsRefusedAtItsAnnouncement) {
  OctetBuffer head = request_of();
  store_big_endian(head.data() + mpa::layout::kPrivateDataLength, std::uint16_t{513});
  Waiting waiting(Role::responder);
  waiting.rig.feed(head);
  waiting.expect_closed();
}

TEST(Startup, ReservedBitsAreNotLookedAt) {
  Waiting waiting(Role::responder);
  waiting.rig.feed(request_of(1, 4, 0x5f));  // S has no meaning in revision 1
  ASSERT_EQ(waiting.rig.end.count<ConnectionRequest>(), 1u);
  EXPECT_FALSE(waiting.rig.end.all<ConnectionRequest>()[0].enhanced);
  EXPECT_EQ(waiting.rig.end.all<ConnectionRequest>()[0].private_data, pattern(4));
}

TEST(Startup, AResponderTakesNothingBehindTheRequestBeforeItsReply) {
  OctetBuffer octets = request_of(1, 10);
  octets.push_back(0);
  Waiting together(Role::responder);
  together.rig.feed(octets);
  EXPECT_EQ(together.rig.end.endpoint.ending(), Ending::closed);
  EXPECT_EQ(together.rig.end.count<LocalError>(), 1u);
  EXPECT_EQ(together.rig.end.endpoint.accept().error(), PostError::not_asked);

  Waiting later(Role::responder);
  later.rig.feed(request_of());
  later.rig.feed(OctetBuffer{0});
  EXPECT_EQ(later.rig.end.endpoint.ending(), Ending::closed);
}

TEST(Startup, AnInitiatorClosesOnWhatIsNoReply) {
  for (const auto& [name, octets] : std::initializer_list<std::pair<const char*, OctetBuffer>>{
           {"a request", request_of()},  // both are initiators
           {"revision 0", reply_of(0)},
           {"revision 3", reply_of(3)},
           {"513 octets of private data", reply_of(1, 513)},
       }) {
    SCOPED_TRACE(name);
    Waiting waiting(Role::initiator);
    waiting.rig.feed(octets);
    waiting.expect_closed();
  }
  for (const OctetBuffer& octets : {reply_of(1), reply_of(2), reply_of(1, 4, 0x50)}) {
    Waiting waiting(Role::initiator, {.enhanced = true});
    waiting.rig.feed(octets);
    waiting.expect_closed();
  }
}

TEST(Startup, TheReplyAndTheFirstFpduMayComeTogetherAndOctetByOctet) {
  for (const bool together : {true, false}) {
    Waiting waiting(Role::initiator);
    ASSERT_TRUE(waiting.rig.end.endpoint.post_receive(10));
    OctetBuffer octets = reply_of(1, 7);
    mpa::Framer framer(false, true);
    OctetBuffer ulpdu = encoded(untagged(Opcode::send, 0, 1));
    ulpdu.push_back(0x77);
    framer.frame(Octets(ulpdu), octets);
    if (together) {
      waiting.rig.feed(octets);
    } else {
      for (const Octet one : octets) waiting.rig.feed({&one, 1});
    }
    ASSERT_EQ(waiting.rig.end.count<Established>(), 1u);
    EXPECT_EQ(waiting.rig.end.all<Established>()[0].private_data, pattern(7));
    ASSERT_EQ(waiting.rig.end.count<Received>(), 1u);
    EXPECT_EQ(waiting.rig.end.all<Received>()[0].data, OctetBuffer{0x77});
  }
}

TEST(Startup, ARejectionLeavesTheTransportToTheUpperLayer) {
  PairOptions options;
  Pair pair(options);
  OctetBuffer next;
  ASSERT_TRUE(pair.initiator.endpoint.next_octets(next));
  pair.responder.endpoint.receive(next, pair.now);
  pair.responder.fetch();
  ASSERT_TRUE(pair.responder.endpoint.reject(pattern(5)));
  ASSERT_TRUE(pair.responder.endpoint.next_octets(next));
  EXPECT_EQ(next[mpa::layout::kFlags], 0x60);
  pair.initiator.endpoint.receive(next, pair.now);
  pair.initiator.fetch();
  ASSERT_EQ(pair.initiator.count<Rejected>(), 1u);
  EXPECT_EQ(pair.initiator.all<Rejected>()[0].private_data, pattern(5));
  for (End* end : {&pair.initiator, &pair.responder}) {
    EXPECT_EQ(end->endpoint.phase(), Phase::exited);
    EXPECT_EQ(end->endpoint.ending(), Ending::none);
    EXPECT_EQ(end->endpoint.deadline(), std::nullopt);
    end->endpoint.receive(pattern(100), pair.now);  // the upper layers may use the transport as they like
    EXPECT_EQ(end->endpoint.post_send(pattern(1)).error(), PostError::not_open);
    EXPECT_EQ(end->endpoint.post_receive(1).error(), PostError::not_open);
    EXPECT_FALSE(end->endpoint.next_octets(next));
    end->endpoint.close();
    EXPECT_EQ(end->endpoint.ending(), Ending::closed);
  }
  pair.run();
  EXPECT_EQ(pair.initiator.count<Closed>(), 1u);
  EXPECT_EQ(pair.responder.count<Closed>(), 1u);
}

TEST(Startup, AResponderThatNeedsMoreReadsRejectsAndSaysHowMany) {
  PairOptions options;
  options.initiator.enhanced = true;
  options.initiator.ird = 2;
  options.responder.ord_required = 5;
  Pair pair(options);
  pair.run();
  ASSERT_EQ(pair.initiator.count<Rejected>(), 1u);
  EXPECT_EQ(pair.initiator.all<Rejected>()[0].enhanced->ord, 5);
}

struct RtrRow {
  bool send, write, read;
  Opcode opcode;
};

TEST(Startup, TheReadyToReceiveMessageComesFirstAndCostsTheUpperLayerNothing) {
  for (const RtrRow& row : {RtrRow{true, false, false, Opcode::send}, RtrRow{false, true, false, Opcode::write},
                            RtrRow{false, false, true, Opcode::read_request}}) {
    PairOptions options;
    options.initiator.enhanced = options.initiator.peer_to_peer = true;
    options.initiator.ord = 0;
    options.responder.rtr_send = row.send;
    options.responder.rtr_write = row.write;
    options.responder.rtr_read = row.read;
    Pair pair(options);
    // The responder has something to send, and must wait for the message.
    while (pair.responder.count<Established>() == 0) ASSERT_TRUE(pair.step());
    ASSERT_TRUE(pair.responder.endpoint.post_send(pattern(9)));
    ASSERT_TRUE(pair.initiator.endpoint.post_receive(9));
    pair.run();
    EXPECT_EQ(pair.initiator.count<Received>(), 1u);
    EXPECT_EQ(pair.initiator.count<Completed>(), 0u);
    EXPECT_EQ(pair.responder.count<Received>(), 0u);
    EXPECT_EQ(pair.responder.count<LocalError>(), 0u);
    const auto frame = mpa::decode_start_frame(pair.from_initiator);
    mpa::Deframer deframer(false, true);
    const OctetBuffer fpdus(pair.from_initiator.begin() + mpa::layout::kStartFrame + frame->private_data_length,
                            pair.from_initiator.end());
    deframer.feed(fpdus);
    const auto first = deframer.next();
    ASSERT_TRUE(first);
    const auto segment = ddp::decode(first->ulpdu());
    EXPECT_TRUE(decode_control(segment->header.rsvd_ulp).is(row.opcode));
    EXPECT_TRUE(segment->header.last);
    if (row.opcode != Opcode::read_request) {
      EXPECT_TRUE(segment->payload.empty());
    } else {
      EXPECT_EQ(decode_read_request(segment->payload)->size, 0u);
    }
    // A later Send belongs to the upper layer, even if it is empty.
    ASSERT_TRUE(pair.responder.endpoint.post_receive(1));
    ASSERT_TRUE(pair.initiator.endpoint.post_send(OctetBuffer{}));
    pair.run();
    EXPECT_EQ(pair.responder.count<Received>(), 1u);
  }
}

TEST(Startup, AResponderSendsNothingBeforeAValidFpdu) {
  Waiting waiting(Role::responder);
  waiting.rig.feed(request_of());
  ASSERT_TRUE(waiting.rig.end.endpoint.accept());
  waiting.rig.drain();
  waiting.rig.begin_full_operation();
  ASSERT_TRUE(waiting.rig.end.endpoint.post_send(pattern(5)));
  EXPECT_TRUE(waiting.rig.segments().empty());
  waiting.rig.send(tagged(Opcode::write, 0, 0));
  EXPECT_EQ(waiting.rig.segments().size(), 1u);
}

TEST(Startup, AnInitiatorTerminatesWhereTheReplyCannotBeAgreedTo) {
  struct Row {
    mpa::EnhancedData reply;
    bool peer_to_peer;
    ErrorCode error;
  };
  for (const Row& row :
       {Row{{.ird = 4, .ord = 17}, false, error::kMpaInsufficientIrd},
        Row{{.ird = 4, .ord = 4}, true, error::kMpaNoMatchingRtr},
        Row{{.peer_to_peer = true, .ird = 4, .rtr_read = true, .ord = 4}, true, error::kMpaNoMatchingRtr},
        Row{{.peer_to_peer = true, .ird = 4, .rtr_write = true, .ord = 4}, false, error::kMpaLocalCatastrophic}}) {
    Waiting waiting(Role::initiator, {.enhanced = true, .peer_to_peer = row.peer_to_peer, .rtr_read = false});
    waiting.rig.feed(enhanced_reply(row.reply));
    const OctetBuffer output = waiting.rig.output();
    mpa::Deframer deframer(false, true);
    deframer.feed(output);
    const auto fpdu = deframer.next();
    ASSERT_TRUE(fpdu);
    const auto segment = ddp::decode(fpdu->ulpdu());
    EXPECT_EQ(segment->header.qn, kTerminateQueue);
    const auto terminate = decode_terminate(segment->payload);
    EXPECT_EQ(terminate->error, row.error);
    EXPECT_EQ(segment->payload.size(), 4u);
    EXPECT_FALSE(deframer.next()) << "and nothing else";
    EXPECT_EQ(waiting.rig.end.endpoint.ending(), Ending::closed);
  }
}

TEST(Startup, AnInitiatorFallsBackWhereItsEnhancedRequestMeetsAClosedDoor) {
  Waiting enhanced(Role::initiator, {.enhanced = true});
  enhanced.rig.end.endpoint.peer_ended(Ending::closed, enhanced.rig.now);
  enhanced.expect_closed(true);
  Waiting plain(Role::initiator);
  plain.rig.end.endpoint.peer_ended(Ending::closed, plain.rig.now);
  plain.expect_closed(false);
  Waiting answered(Role::initiator, {.enhanced = true});
  answered.rig.feed(OctetBuffer{'M'});
  answered.rig.end.endpoint.peer_ended(Ending::closed, answered.rig.now);
  answered.expect_closed(false);
}

TEST(Startup, AResponderOfTheOldKindClosesOnRevisionTwo) {
  Waiting waiting(Role::responder, {.understands_enhanced = false});
  waiting.rig.feed(request_of(2));
  waiting.expect_closed();
}

TEST(Startup, BothSidesWaitForFramesOnlySoLong) {
  for (const Role role : {Role::initiator, Role::responder}) {
    Waiting waiting(role, {.startup_timeout = seconds(3)});
    EXPECT_EQ(waiting.rig.end.endpoint.deadline(), seconds(3));
    waiting.rig.pass(seconds(2));
    waiting.rig.feed(OctetBuffer{'M', 'P'});
    EXPECT_EQ(waiting.rig.end.endpoint.ending(), Ending::none) << "a few octets win no time";
    waiting.rig.pass(seconds(1));
    waiting.expect_closed();
  }
}

TEST(Startup, TheUpperLayersAnswerCountsToo) {
  Waiting waiting(Role::responder, {.startup_timeout = seconds(3)});
  waiting.rig.feed(request_of());
  waiting.rig.pass(seconds(3));
  EXPECT_EQ(waiting.rig.end.endpoint.ending(), Ending::closed);
  EXPECT_EQ(waiting.rig.end.endpoint.accept().error(), PostError::not_asked);
}

TEST(Startup, AResponderWaitsOnlySoLongForTheReadyToReceiveMessage) {
  Waiting waiting(Role::responder, {.startup_timeout = seconds(3)});
  OctetBuffer request = request_of(2, 4, 0x50);
  store_big_endian(request.data() + 20,
                   mpa::encode_enhanced({.peer_to_peer = true, .ird = 1, .rtr_write = true, .ord = 1}));
  waiting.rig.feed(request);
  ASSERT_TRUE(waiting.rig.end.endpoint.accept());
  waiting.rig.drain();
  waiting.rig.output();
  EXPECT_EQ(waiting.rig.end.endpoint.deadline(), seconds(3));
  waiting.rig.pass(seconds(3));
  EXPECT_TRUE(waiting.rig.output().empty()) << "not even a Terminate";
  EXPECT_EQ(waiting.rig.end.endpoint.ending(), Ending::closed);
}

TEST(Startup, NothingHappensBeforeThereIsAStream) {
  Buffers buffers(1);
  Endpoint endpoint(Role::initiator, {}, buffers);
  OctetBuffer next;
  endpoint.receive(reply_of(), Instant{0});
  endpoint.peer_ended(Ending::reset, Instant{0});
  endpoint.advance(seconds(100));
  endpoint.close();
  endpoint.terminate();
  EXPECT_FALSE(endpoint.next_octets(next));
  EXPECT_EQ(endpoint.phase(), Phase::idle);
  EXPECT_FALSE(endpoint.deadline());
  endpoint.connected(Instant{0});
  endpoint.connected(Instant{0});
  EXPECT_TRUE(endpoint.next_octets(next));
  EXPECT_EQ(next.size(), mpa::layout::kStartFrame);
}

}  // namespace
}  // namespace wirelaw::rdmap

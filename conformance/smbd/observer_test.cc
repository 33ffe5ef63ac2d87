// SPDX-License-Identifier: Apache-2.0
// Tests for the observer beyond the sample traces: messages on their way, missing frames, and the end of the trace.
#include "conformance/smbd/observer.h"

#include <gmock/gmock.h>
#include <walked_part.h>

#include <random>
#include <set>

#include "conformance/smbd/smbd.h"
#include "conformance/smbd/tracker/connection.h"
#include "reference/smb2/message.h"

namespace wirelaw::smbd {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStep = 1'000'000;
constexpr Octet kPadding[4] = {};
// For each side: the payloads, whose buffer may have grown to twice their bound, and all else.
constexpr std::size_t kMostMemory = 2 * (2 * Lent::kMostOctets + Lent::kMostBuffers * 48) + 4096;

// A conversation of deliveries, one millisecond apart. Side a is the initiator, and both sides request ten credits.
class SmbdObserver : public testing::Test {
 protected:
  SmbdObserver() { judge_.enter_flow("flow", "a", "b"); }

  void event(Delivery::Event what, Side sender) {
    Delivery delivery{.event = what, .sender = sender};
    delivery.message = {.sender = sender, .index = index_, .frame = index_ + 1, .time_ns = now_};
    delivery.initiator = Side::a;
    observer_->observe(delivery, judge_);
    now_ += kStep;
  }
  void message(Side sender, const OctetBuffer& octets) {
    Delivery delivery{.event = Delivery::Event::message, .sender = sender};
    delivery.message = message_of(octets, sender, index_++, now_);
    if (acknowledged_) delivery.may_miss = 0;
    observer_->observe(delivery, judge_);
    now_ += kStep;
  }
  void request() {
    message(Side::a, encode(NegotiateRequest{.credits_requested = 10,
                                             .preferred_send_size = 1024,
                                             .max_receive_size = 1024,
                                             .max_fragmented_size = kLeastMaxFragmentedSize}));
  }
  void establish(std::uint16_t granted = 10) {
    event(Delivery::Event::established, Side::a);
    request();
    message(Side::b, encode(NegotiateResponse{.negotiated_version = kVersion1,
                                              .credits_requested = 10,
                                              .credits_granted = granted,
                                              .max_read_write_size = 65'536,
                                              .preferred_send_size = 1024,
                                              .max_receive_size = 1024,
                                              .max_fragmented_size = kLeastMaxFragmentedSize}));
  }
  void data(Side sender, std::uint16_t granted, std::uint32_t length = 1000, std::uint32_t remaining = 0) {
    const OctetBuffer buffer(length, 'x');
    message(sender, encode(DataTransfer{.credits_requested = wants_,
                                        .credits_granted = granted,
                                        .remaining_data_length = remaining,
                                        .data_offset = kUsualDataOffset,
                                        .data_length = length,
                                        .padding = kPadding,
                                        .buffer = buffer}));
  }
  void empty(Side sender, std::uint16_t granted, std::uint16_t flags = 0) {
    message(sender, encode(DataTransfer{.credits_requested = 10, .credits_granted = granted, .flags = flags}));
  }
  void wait(std::int64_t ns) { now_ += ns; }
  void finish() {
    judge_.set_now(now_);
    observer_->finish(judge_);
  }
  std::vector<std::string> found() const {
    std::vector<std::string> ids;
    for (const Finding& one : judge_.findings()) ids.emplace_back(one.rule->id);
    return ids;
  }

  Judge judge_{kProtocol.catalogue()};
  std::unique_ptr<Observer> observer_ = make_observer({});
  std::uint64_t index_ = 0;
  std::int64_t now_ = 0;
  bool acknowledged_ = false;  // whatever has passed, as each message proves
  std::uint16_t wants_ = 10;   // CreditsRequested
};

// The initiator may have sent its message before the grant reached it, and so have spent its last credit without
// granting one. The account shows two credits, so this is uncertain.
TEST_F(SmbdObserver, DoesNotJudgeALastCreditThatTheAccountDoesNotShow) {
  establish(2);
  data(Side::a, 10);
  data(Side::b, 1);
  data(Side::a, 0);
  finish();
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(SmbdObserver, JudgesALastCreditThatTheAccountShows) {
  establish(2);
  data(Side::a, 10);
  data(Side::a, 0);
  finish();
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.1-6"));
}

// Side a has spent its last credit, and b grants none. The message of a may not have arrived; time proves nothing.
class LeftDry : public SmbdObserver {
 protected:
  LeftDry() {
    establish(3);
    data(Side::a, 8);
    data(Side::a, 1);
    data(Side::a, 3);  // its last credit, with a grant
  }
};

TEST_F(LeftDry, IsNotJudgedHoweverLongItTakes) {
  wait(100 * kSecond);
  data(Side::b, 0);
  data(Side::b, 0);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(LeftDry, IsAFaultWhereAnAcknowledgmentProvesTheReceipt) {
  acknowledged_ = true;
  data(Side::b, 0);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.9-5"));
}

// b has nine credits of the first two messages. That it sends more proves that the last one has arrived.
TEST_F(LeftDry, IsAFaultWhereASpentCreditProvesTheReceipt) {
  for (int i = 0; i < 9; ++i) data(Side::b, 0, 10);
  EXPECT_THAT(found(), IsEmpty());
  data(Side::b, 0, 10);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.9-5"));
}

TEST_F(LeftDry, IsNoFaultWhereTheGrantComesAlong) {
  acknowledged_ = true;
  data(Side::b, 3);
  EXPECT_THAT(found(), IsEmpty());
}

// Grants of a are judged by the latest target of b that a must have received.
TEST_F(SmbdObserver, TakesTheLatestTargetThatHasArrived) {
  establish(10);
  data(Side::a, 5);
  wants_ = 4;
  data(Side::b, 0);
  wants_ = 10;
  data(Side::a, 6);  // a may not know of it
  EXPECT_THAT(found(), IsEmpty());
  acknowledged_ = true;
  data(Side::a, 1);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.9-2"));
}

TEST_F(SmbdObserver, FindsAResponseAskedForTwice) {
  establish();
  data(Side::a, 10);
  empty(Side::a, 0, flag::kResponseRequested);
  empty(Side::a, 0, flag::kResponseRequested);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.1-11"));
  EXPECT_EQ(judge_.findings()[0].severity, Severity::violation);
}

TEST_F(SmbdObserver, FindsNoFaultInAskingAgainAfterAnAnswer) {
  establish();
  data(Side::a, 10);
  empty(Side::a, 0, flag::kResponseRequested);
  empty(Side::b, 1);
  empty(Side::a, 0, flag::kResponseRequested);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(SmbdObserver, WarnsWhereAMessageWasOnItsWayWhenItAsked) {
  establish();
  data(Side::a, 10);
  empty(Side::b, 1);
  empty(Side::a, 0, flag::kResponseRequested);
  empty(Side::a, 0, flag::kResponseRequested);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.1-11"));
  EXPECT_EQ(judge_.findings()[0].severity, Severity::warning);
}

// Each message of b may have come after a question, also if a's transport has acknowledged it long before.
class AsksOften : public SmbdObserver {
 protected:
  AsksOften() {
    establish();
    data(Side::a, 10);
    data(Side::b, 0);
    data(Side::b, 0);
  }
  void asks_four_times() {
    for (int i = 0; i < 3; ++i) empty(Side::a, 0, flag::kResponseRequested);
    EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.1-11", "SMBD-3.1.5.1-11"));
    for (const Finding& one : judge_.findings()) EXPECT_EQ(one.severity, Severity::warning);
    judge_.take_findings();
    empty(Side::a, 0, flag::kResponseRequested);
    EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.1-11"));
    EXPECT_EQ(judge_.findings()[0].severity, Severity::violation);
  }
};

TEST_F(AsksOften, FailsOnceNoMessageCanExplainIt) {
  asks_four_times();
}

TEST_F(AsksOften, IsNotProvenByAcknowledgments) {
  acknowledged_ = true;
  asks_four_times();
}

TEST_F(SmbdObserver, BlamesNoGoodSegmentBehindABadOne) {
  for (const std::uint32_t wrong : {1u, 1999u, 2001u}) {
    establish();
    data(Side::a, 10, 1000, 3000);
    data(Side::a, 0, 1000, wrong);
    data(Side::a, 0, 1000, 1000);
    data(Side::a, 0, 1000);
    data(Side::a, 0, 1000);
    EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.4-17")) << wrong;
    judge_.take_findings();
    observer_ = make_observer({});
    index_ = 0;
  }
}

// Requests that a listener must refuse but accepts.
TEST_F(SmbdObserver, FindsAListenerThatAcceptsAShortRequest) {
  event(Delivery::Event::established, Side::a);
  message(Side::a, OctetBuffer(19));
  message(Side::b, encode(NegotiateResponse{.negotiated_version = kVersion1,
                                            .credits_requested = 10,
                                            .credits_granted = 10,
                                            .preferred_send_size = 1024,
                                            .max_receive_size = 1024,
                                            .max_fragmented_size = kLeastMaxFragmentedSize}));
  EXPECT_THAT(found(), ElementsAre("SMBD-2.2.1-11", "SMBD-3.1.5.6-3"));
}

// 3.1.5.6 requires the end of the connection, and no response, not even a failure.
TEST_F(SmbdObserver, FindsAListenerThatAnswersAShortRequestWithAFailure) {
  for (const std::size_t octets : {4u, 19u}) {
    observer_ = make_observer({});
    index_ = 0;
    judge_.take_findings();
    event(Delivery::Event::established, Side::a);
    message(Side::a, OctetBuffer(octets));
    message(Side::b, encode(NegotiateResponse{.status = 0xc000000d}));
    EXPECT_THAT(found(), ElementsAre("SMBD-2.2.1-11", "SMBD-3.1.5.6-2")) << octets;
    EXPECT_EQ(judge_.findings()[1].sender, "b");
  }
}

TEST_F(SmbdObserver, FindsNoFaultInAListenerThatEndsAfterAShortRequest) {
  event(Delivery::Event::established, Side::a);
  message(Side::a, OctetBuffer(19));
  event(Delivery::Event::ended, Side::b);
  finish();
  EXPECT_THAT(found(), ElementsAre("SMBD-2.2.1-11"));
}

// The answer to a whole request that no capture shows in full.
TEST_F(SmbdObserver, FindsNoFaultInAFailureAfterARequestOfWhichTheCaptureHasAPart) {
  event(Delivery::Event::established, Side::a);
  Delivery delivery{.event = Delivery::Event::message, .sender = Side::a};
  const OctetBuffer part(19);
  delivery.message = message_of(part, Side::a, index_++, now_);
  delivery.message.wire_length = 20;
  observer_->observe(delivery, judge_);
  message(Side::b, encode(NegotiateResponse{.status = 0xc000000d}));
  EXPECT_THAT(found(), IsEmpty());
}

// A failure response is no Data Transfer. With 256 credits both ways, a Data Transfer begins with the same octets.
TEST_F(SmbdObserver, FindsAFailureAfterASuccess) {
  for (const bool after_data : {false, true}) {
    establish();
    if (after_data) {
      data(Side::a, 10);
      data(Side::b, 1);
    }
    message(Side::b, encode(NegotiateResponse{.status = status::kNotSupported}));
    EXPECT_THAT(found(), ElementsAre("SMBD-2.2-2"));
    observer_ = make_observer({});
    index_ = 0;
    judge_.take_findings();
  }
  wants_ = 256;
  establish();
  data(Side::a, 256, 0);
  data(Side::b, 256, 12);
  EXPECT_THAT(found(), Not(Contains("SMBD-2.2-2")));
}

TEST_F(SmbdObserver, SaysThatTheListenerHasSentARequest) {
  const auto actual = [&](const OctetBuffer& answer) {
    observer_ = make_observer({});
    index_ = 0;
    judge_.take_findings();
    event(Delivery::Event::established, Side::a);
    request();
    message(Side::b, answer);
    EXPECT_THAT(found(), ElementsAre("SMBD-2.2.2-17"));
    return judge_.findings().empty() ? std::string() : judge_.findings()[0].actual;
  };
  const OctetBuffer another = encode(NegotiateRequest{.credits_requested = 10,
                                                      .preferred_send_size = 1024,
                                                      .max_receive_size = 1024,
                                                      .max_fragmented_size = kLeastMaxFragmentedSize});
  EXPECT_EQ(actual(another), "20: a Negotiate Request, which only the initiator sends");
  EXPECT_EQ(actual(OctetBuffer(another.begin(), another.end() - 1)), "19");
}

TEST_F(SmbdObserver, FindsNoFaultInARequestThatAMessageOfTheListenerHasCrossed) {
  for (const std::size_t octets : {4u, 20u, 28u, 31u}) {
    observer_ = make_observer({});
    index_ = 0;
    judge_.take_findings();
    event(Delivery::Event::established, Side::a);
    message(Side::b, OctetBuffer(octets));
    request();
    EXPECT_THAT(found(), Not(Contains("SMBD-3.1.5.7-1"))) << octets;
  }
}

TEST_F(SmbdObserver, FindsAnInitiatorThatGoesOnAfterAShortResponse) {
  for (const std::size_t octets : {4u, 31u}) {
    observer_ = make_observer({});
    index_ = 0;
    judge_.take_findings();
    event(Delivery::Event::established, Side::a);
    request();
    message(Side::b, OctetBuffer(octets));
    data(Side::a, 0);
    EXPECT_THAT(found(), Contains("SMBD-3.1.5.7-1")) << octets;
  }
}

// A message that must end the connection, with the only credits that the other side has.
class MustEnd : public SmbdObserver {
 protected:
  MustEnd() { establish(); }
  void transfer(DataTransfer one) {
    const OctetBuffer buffer(100, 'x');
    one.credits_granted = 2;
    one.data_length = 100;
    one.padding = Octets(kPaddings).first(one.data_offset == 28 ? 8 : 4);
    one.buffer = buffer;
    message(Side::a, encode(one));
  }
  static constexpr Octet kPaddings[8] = {};
};

TEST_F(MustEnd, FailsWhoSpendsACreditThatItGrants) {
  struct Bad {
    DataTransfer message;
    std::string_view sender, receiver;
  };
  const Bad all[] = {
      {{.credits_requested = 0, .data_offset = 24}, "SMBD-2.2.3-3", "SMBD-3.1.5.8-2"},
      {{.credits_requested = 9, .data_offset = 28}, "SMBD-3.1.5.4-9", "SMBD-3.1.5.8-3"},
      {{.credits_requested = 9, .data_offset = 32}, "SMBD-2.2.3-12", "SMBD-3.1.5.8-5"},
      {{.credits_requested = 9, .remaining_data_length = kLeastMaxFragmentedSize, .data_offset = 24},
       "SMBD-3.1.5.4-2",
       "SMBD-3.1.5.8-6"},
  };
  for (const Bad& bad : all) {
    observer_ = make_observer({});
    index_ = 0;
    judge_.take_findings();
    establish();
    transfer(bad.message);
    data(Side::b, 0);
    std::vector<std::string> ids = found();
    std::erase_if(ids, [](const std::string& id) { return id == "SMBD-3.1.5.4-14"; });  // a warning
    EXPECT_THAT(ids, ElementsAre(std::string(bad.sender), std::string(bad.receiver)));
  }
}

TEST_F(MustEnd, IsNoFaultOfWhoMayNotHaveReceivedIt) {
  data(Side::a, 2);
  transfer({.credits_requested = 0, .data_offset = 24});
  data(Side::b, 1);
  data(Side::b, 1);
  EXPECT_THAT(found(), ElementsAre("SMBD-2.2.3-3"));
  data(Side::b, 1);
  EXPECT_THAT(found(), ElementsAre("SMBD-2.2.3-3", "SMBD-3.1.5.8-2"));
}

// The early end is found after the credits have been taken.
TEST_F(MustEnd, IsProvenForAnEarlyEndByTheNextMessage) {
  data(Side::a, 1, 500, 500);
  data(Side::a, 1, 400);
  data(Side::b, 1);
  data(Side::b, 1);
  judge_.take_findings();
  data(Side::a, 1, 100);
  data(Side::b, 1);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.8-17"));
}

// Side a sends a message that must end the connection, and an SMB2 READ. What side b then knows of the READ proves that
// it has continued, though its credits do not.
class GoesOn : public SmbdObserver {
 protected:
  static constexpr std::uint32_t kToken = 0x77;
  static constexpr std::uint64_t kReadId = 5;

  GoesOn() { begin(); }
  void begin() {
    observer_ = make_observer({});
    index_ = 0;
    judge_.take_findings();
    establish();
    data(Side::a, 10);
    data(Side::b, 1);
  }
  void payload(Side sender, const OctetBuffer& buffer, std::optional<std::uint32_t> invalidated = {}) {
    const OctetBuffer octets = encode(DataTransfer{.credits_requested = 10,
                                                   .data_offset = kUsualDataOffset,
                                                   .data_length = static_cast<std::uint32_t>(buffer.size()),
                                                   .padding = kPadding,
                                                   .buffer = buffer});
    Delivery delivery{.event = Delivery::Event::message, .sender = sender, .invalidated_stag = invalidated};
    delivery.message = message_of(octets, sender, index_++, now_);
    observer_->observe(delivery, judge_);
  }
  // An SMB2 READ or its response; the request lends 4096 octets with a token.
  static OctetBuffer read(std::uint64_t id, bool is_response, std::uint32_t token = kToken) {
    OctetBuffer octets;
    encode(smb2::Header{.command = smb2::command::kRead, .flags = is_response ? 1u : 0u, .message_id = id}, octets);
    octets.resize(is_response ? 80 : 128);
    octets[64] = is_response ? 17 : 49;
    if (is_response) return octets;
    octets[64 + 36] = 1;  // Channel: SMB2_CHANNEL_RDMA_V1
    octets[64 + 44] = 112;
    octets[64 + 46] = 16;
    store_little_endian(&octets[112 + 8], token);
    octets[112 + 13] = 0x10;
    return octets;
  }
  void bad() {
    const OctetBuffer buffer(10, 'x');
    message(Side::a, encode(DataTransfer{.credits_granted = 1,
                                         .data_offset = kUsualDataOffset,
                                         .data_length = 10,
                                         .padding = kPadding,
                                         .buffer = buffer}));
  }
  void uses(Delivery::Event how, std::uint32_t token = kToken) {
    Delivery delivery{.event = how, .sender = Side::b};
    delivery.message = {.sender = Side::b, .index = index_, .frame = index_ + 1, .time_ns = now_};
    delivery.remote = {.stag = token, .offset = 0, .length = 100};
    observer_->observe(delivery, judge_);
  }
  bool is_proven() const {
    const std::vector<std::string> ids = found();
    return std::ranges::count(ids, "SMBD-3.1.5.8-2") == 1;
  }
};

TEST_F(GoesOn, IsProvenByAnOperationWithATokenLentLater) {
  bad();
  payload(Side::a, read(kReadId, false));
  uses(Delivery::Event::written);
  EXPECT_THAT(found(), ElementsAre("SMBD-2.2.3-3", "SMBD-3.1.5.8-2"));
  EXPECT_EQ(judge_.findings()[1].sender, "b");
  payload(Side::b, read(kReadId, true));
  EXPECT_EQ(found().size(), 2u);  // it is reported once
}

TEST_F(GoesOn, IsProvenByAnInvalidationOfATokenLentLater) {
  bad();
  payload(Side::a, read(kReadId, false));
  payload(Side::b, OctetBuffer(8, 'y'), kToken);
  EXPECT_TRUE(is_proven());
}

TEST_F(GoesOn, IsProvenByTheAnswerToALaterRequest) {
  bad();
  payload(Side::a, read(kReadId, false));
  payload(Side::b, read(kReadId, true));
  EXPECT_TRUE(is_proven());
}

TEST_F(GoesOn, IsProvenAfterEachFaultThatEndsTheConnection) {
  const auto fails = [&](const OctetBuffer& octets, std::string_view id) {
    begin();
    message(Side::a, octets);
    payload(Side::a, read(kReadId, false));
    payload(Side::b, read(kReadId, true));
    EXPECT_THAT(found(), Contains(std::string(id)));
  };
  fails(OctetBuffer(19, 1), "SMBD-3.1.5.8-1");
  const OctetBuffer buffer(8, 'x');
  DataTransfer one{.credits_requested = 10, .data_length = 8, .padding = kPadding, .buffer = buffer};
  one.data_offset = 28;
  fails(encode(one), "SMBD-3.1.5.8-3");
  one.data_offset = 32;
  fails(encode(one), "SMBD-3.1.5.8-5");
}

// The other side may know the name from an earlier message, so nothing is proven.
TEST_F(GoesOn, IsNotProvenByANameOfAnEarlierMessage) {
  payload(Side::a, read(kReadId, false));
  bad();
  payload(Side::a, read(kReadId, false));
  uses(Delivery::Event::written);
  uses(Delivery::Event::read_requested);
  payload(Side::b, read(kReadId, true), kToken);
  EXPECT_FALSE(is_proven());
}

TEST_F(GoesOn, IsNotProvenIfAnEarlierPayloadHoldsTheTokenInNetworkOrder) {
  payload(Side::a, {1, 2, 0, 0, 0, 0x77, 3});
  bad();
  payload(Side::a, read(kReadId, false));
  uses(Delivery::Event::written);
  EXPECT_FALSE(is_proven());
}

TEST_F(GoesOn, IsNotProvenByATokenThatNoPayloadHolds) {
  bad();
  payload(Side::a, read(kReadId, false));
  uses(Delivery::Event::written, kToken + 1);
  payload(Side::b, read(kReadId + 1, true));
  payload(Side::b, read(static_cast<std::uint64_t>(-1), true));
  EXPECT_FALSE(is_proven());
}

TEST_F(GoesOn, IsNotProvenIfAnEarlierPayloadMayHideNames) {
  const auto proves = [&] {
    bad();
    payload(Side::a, read(kReadId, false));
    uses(Delivery::Event::written);
    payload(Side::b, read(kReadId, true));
    return is_proven();
  };
  for (const Octet first : {Octet{0xfd}, Octet{0xfc}, Octet{0xff}}) {
    begin();
    payload(Side::a, {first, 'S', 'M', 'B', 1, 2, 3, 4});
    EXPECT_FALSE(proves()) << unsigned{first};
  }
  begin();
  event(Delivery::Event::lost, Side::a);
  EXPECT_FALSE(proves());
  begin();
  for (std::size_t octets = 0; octets <= Lent::kMostOctets; octets += 1000) {
    data(Side::a, 1);
    empty(Side::b, 1);
  }
  EXPECT_FALSE(proves());
}

// The data of a response to an earlier request may look like a response.
TEST_F(GoesOn, IsNotProvenInsideAMessage) {
  data(Side::b, 0, 1000, 80);
  bad();
  payload(Side::a, read(kReadId, false));
  payload(Side::b, read(kReadId, true));
  EXPECT_FALSE(is_proven());
}

TEST_F(SmbdObserver, FindsOneFaultInAnAccountThatIsOverdrawn) {
  establish(1);
  data(Side::a, 10);
  for (int i = 0; i < 20; ++i) data(Side::a, 1);
  finish();
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.1-3"));
}

TEST_F(SmbdObserver, JudgesNoCreditsBehindMessagesThatAreMissing) {
  establish(1);
  data(Side::a, 10);
  event(Delivery::Event::lost, Side::b);
  for (int i = 0; i < 20; ++i) data(Side::a, 0);
  finish();
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(observer_->partial(), "messages are missing");
}

TEST_F(SmbdObserver, SaysThatItCouldNotReadTheNegotiation) {
  event(Delivery::Event::established, Side::a);
  message(Side::a, OctetBuffer(19));
  data(Side::b, 1);
  finish();
  EXPECT_THAT(found(), ElementsAre("SMBD-2.2.1-11"));
  EXPECT_EQ(observer_->partial(), "the negotiation cannot be read");
}

TEST_F(SmbdObserver, StillKnowsTheSizesBehindMessagesThatAreMissing) {
  establish();
  event(Delivery::Event::lost, Side::a);
  data(Side::a, 10, 1001);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.4-12"));
}

TEST_F(SmbdObserver, PicksUpASequenceBehindMessagesThatAreMissing) {
  establish();
  data(Side::a, 10, 1000, 3000);
  event(Delivery::Event::lost, Side::a);
  data(Side::a, 0, 1000, 1000);
  EXPECT_THAT(found(), IsEmpty());
  data(Side::a, 0, 1000, 1000);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.4-16"));
}

TEST_F(SmbdObserver, JudgesSilenceAtTheEndOfTheSource) {
  establish();
  data(Side::a, 10);
  empty(Side::a, 0, flag::kResponseRequested);
  wait(4 * kSecond);
  finish();
  EXPECT_THAT(found(), IsEmpty());
}

// Silence of any length is only a warning: time alone never fails a MUST.
TEST_F(SmbdObserver, WarnsOfSilence) {
  for (const std::int64_t seconds : {6, 100, 10'000}) {
    establish();
    data(Side::a, 10);
    empty(Side::a, 0, flag::kResponseRequested);
    wait(seconds * kSecond);
    finish();
    EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.8-12")) << seconds;
    EXPECT_EQ(judge_.findings()[0].sender, "b");
    EXPECT_EQ(judge_.findings()[0].severity, Severity::warning);
    judge_.take_findings();
    observer_ = make_observer({});
    index_ = 0;
  }
}

TEST_F(SmbdObserver, WarnsOnceOfAnAnswerThatIsLate) {
  establish();
  data(Side::a, 10);
  empty(Side::a, 0, flag::kResponseRequested);
  wait(6 * kSecond);
  empty(Side::b, 1);
  finish();
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.8-12"));
  EXPECT_EQ(judge_.findings()[0].severity, Severity::warning);
}

TEST_F(SmbdObserver, TakesAFaultyMessageForAnAnswer) {
  establish();
  data(Side::a, 10);
  empty(Side::a, 0, flag::kResponseRequested);
  message(Side::b, OctetBuffer(19));
  wait(100 * kSecond);
  finish();
  EXPECT_THAT(found(), ElementsAre("SMBD-2.2.3-20"));
}

TEST_F(SmbdObserver, WarnsOfARequestThatIsNotAnswered) {
  event(Delivery::Event::established, Side::a);
  message(Side::a, encode(NegotiateRequest{.credits_requested = 10,
                                           .preferred_send_size = 1024,
                                           .max_receive_size = 1024,
                                           .max_fragmented_size = kLeastMaxFragmentedSize}));
  wait(100 * kSecond);
  finish();
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.5.6-19"));
  EXPECT_EQ(judge_.findings()[0].severity, Severity::warning);
}

TEST_F(SmbdObserver, ExpectsNoAnswerOfASideWithoutCredits) {
  establish();
  empty(Side::a, 1);
  data(Side::b, 1);
  empty(Side::a, 0, flag::kResponseRequested);
  wait(20 * kSecond);
  finish();
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(SmbdObserver, ExpectsNoAnswerWhenTheConnectionHasEnded) {
  establish();
  data(Side::a, 10);
  empty(Side::a, 0, flag::kResponseRequested);
  event(Delivery::Event::ended, Side::b);
  wait(20 * kSecond);
  finish();
  EXPECT_THAT(found(), IsEmpty());
}

// An RDMA operation of side b with this token, of 100 octets.
class NamedMemory : public SmbdObserver {
 protected:
  NamedMemory() { establish(); }
  void names(std::initializer_list<Octet> octets) {
    const OctetBuffer buffer(octets);
    message(Side::a, encode(DataTransfer{.credits_requested = 10,
                                         .credits_granted = 1,
                                         .data_offset = kUsualDataOffset,
                                         .data_length = static_cast<std::uint32_t>(buffer.size()),
                                         .padding = kPadding,
                                         .buffer = buffer}));
  }
  void uses(std::uint32_t token, Delivery::Event how = Delivery::Event::written) {
    Delivery delivery{.event = how, .sender = Side::b};
    delivery.message = {.sender = Side::b, .index = index_, .frame = index_ + 1, .time_ns = now_};
    delivery.remote = {.stag = token, .offset = 0, .length = 100};
    observer_->observe(delivery, judge_);
  }
};

TEST_F(NamedMemory, IsKnownByItsTokenInEitherOctetOrder) {
  names({1, 2, 3, 4, 5});
  uses(0x04030201);
  uses(0x02030405, Delivery::Event::read_requested);
  EXPECT_THAT(found(), IsEmpty());
  uses(0x01030204);
  uses(0x05040302 + 1, Delivery::Event::read_requested);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.4.5-1", "SMBD-3.1.4.6-1"));
  EXPECT_EQ(judge_.findings()[0].severity, Severity::warning);
}

// A token that side b has invalidated must not be used until side a names it again.
TEST_F(NamedMemory, IsGoneOnceItsTokenIsInvalidated) {
  const auto invalidates = [&](std::uint32_t token) {
    const OctetBuffer octets = encode(DataTransfer{.credits_requested = 10, .credits_granted = 1});
    Delivery delivery{.event = Delivery::Event::message, .sender = Side::b, .invalidated_stag = token};
    delivery.message = message_of(octets, Side::b, index_++, now_);
    observer_->observe(delivery, judge_);
  };
  names({1, 2, 3, 4});
  invalidates(0x04030201);
  names({9, 9, 1, 2, 3, 4, 9});
  uses(0x04030201);
  invalidates(0x04030201);
  EXPECT_THAT(found(), IsEmpty());
  uses(0x04030201);
  EXPECT_THAT(found(), ElementsAre("SMBD-3.1.4.5-1"));
  names({0xfd, 'S', 'M', 'B'});  // may name it
  uses(0x04030201);
  EXPECT_EQ(found().size(), 1u);
}

TEST_F(NamedMemory, IsUnknownWhereAPayloadIsMissing) {
  names({1, 2, 3, 4});
  event(Delivery::Event::lost, Side::a);
  uses(0x11111111);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(NamedMemory, IsUnknownWhereAPayloadIsEncryptedOrCompressed) {
  for (const Octet first : {Octet{0xfd}, Octet{0xfc}}) {
    names({1, 2, 3, 4});
    names({first, 'S', 'M', 'B'});
    uses(0x11111111);
    EXPECT_THAT(found(), IsEmpty());
    observer_ = make_observer({});
    index_ = 0;
    establish();
  }
}

TEST_F(NamedMemory, IsUnknownAboveTheBound) {
  for (std::size_t octets = 0; octets <= Lent::kMostOctets; octets += 1000) {
    data(Side::a, 1);
    empty(Side::b, 1);
  }
  judge_.take_findings();
  uses(0x11111111);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(SmbdObserver, HoldsNoMoreHoweverLongTheConnection) {
  establish();
  data(Side::a, 10);
  for (int i = 0; i < 5'000; ++i) {
    data(Side::b, 1, 500, 500);
    data(Side::b, 0, 500);
    empty(Side::a, 2);
    EXPECT_LT(observer_->memory(), kMostMemory);
  }
  EXPECT_EQ(observer_->messages(), 15'003u);
}

// -------------------------------------------------------------------------------------------------- any octets at all

struct Any {
  std::vector<Delivery> deliveries;  // without octets
  std::vector<OctetBuffer> octets;
};

// Honest messages with some of their octets changed, in any order, with events between them.
Any any_conversation(std::mt19937& random) {
  const auto pick = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
  const OctetBuffer buffer(200, 'x');
  Any any;
  std::int64_t now = 0;
  for (std::uint64_t index = 0; index < 24; ++index) {
    const std::uint32_t left = pick(3) * 100;
    OctetBuffer octets;
    if (index < 2 || pick(16) == 0) {
      octets = index % 2 == 0 ? encode(NegotiateRequest{.credits_requested = 3,
                                                        .preferred_send_size = 256,
                                                        .max_receive_size = 256,
                                                        .max_fragmented_size = kLeastMaxFragmentedSize})
                              : encode(NegotiateResponse{.negotiated_version = kVersion1,
                                                         .credits_requested = 3,
                                                         .credits_granted = 2,
                                                         .preferred_send_size = 256,
                                                         .max_receive_size = 256,
                                                         .max_fragmented_size = kLeastMaxFragmentedSize});
    } else {
      octets = encode(DataTransfer{.credits_requested = 3,
                                   .credits_granted = static_cast<std::uint16_t>(pick(4)),
                                   .flags = static_cast<std::uint16_t>(pick(8) == 0 ? 1 : 0),
                                   .remaining_data_length = left,
                                   .data_offset = kUsualDataOffset,
                                   .data_length = 100,
                                   .padding = kPadding,
                                   .buffer = Octets(buffer).first(100)});
    }
    if (pick(4) == 0) octets[pick(static_cast<std::uint32_t>(octets.size()))] = static_cast<Octet>(random());
    if (pick(16) == 0) octets.resize(pick(40));
    const Side sender = pick(2) == 0 ? Side::a : Side::b;
    Delivery delivery{.event = pick(8) == 0 ? static_cast<Delivery::Event>(pick(7)) : Delivery::Event::message,
                      .sender = sender,
                      .whole = pick(16) != 0};
    if (index == 0 && pick(2) == 0) delivery.event = Delivery::Event::established;
    if (delivery.event != Delivery::Event::message) octets.clear();
    if (pick(8) == 0) delivery.invalidated_stag = 1;
    delivery.remote.length = pick(2) * 1000;
    delivery.message = message_of({}, sender, index, now += pick(3) == 0 ? 3 * kSecond : kStep);
    any.deliveries.push_back(delivery);
    any.octets.push_back(std::move(octets));
  }
  return any;
}

std::multiset<std::string> judged(const Any& any, Judged sides) {
  Judge judge(kProtocol.catalogue(), {.findings_per_rule_and_flow = JudgeLimits::kUnlimited});
  judge.enter_flow("flow", "a", "b", sides);
  const auto observer = make_observer({});
  for (std::size_t i = 0; i < any.deliveries.size(); ++i) {
    Delivery delivery = any.deliveries[i];
    delivery.message.octets = any.octets[i];
    delivery.message.wire_length = any.octets[i].size();
    observer->observe(delivery, judge);
    EXPECT_LT(observer->memory(), kMostMemory);
  }
  judge.set_now(any.deliveries.back().message.time_ns + 20 * kSecond);
  observer->finish(judge);
  std::multiset<std::string> findings;
  for (const Finding& one : judge.findings()) {
    findings.insert(fmt::format("{} {} {} {}", one.message, one.rule->id, one.sender, one.actual));
    if (!one.octets.empty()) {
      EXPECT_LE(one.offset + one.length, any.octets[one.message - 1].size()) << one.rule->id;
    }
  }
  return findings;
}

TEST(AnyMessages, AreJudgedTheSameWhetherTheOtherSideIsJudgedOrNot) {
  std::mt19937 random(1);
  std::size_t found = 0;
  for (unsigned round = 0; round < 2'000 / kWalkedPart; ++round) {
    const Any any = any_conversation(random);
    const auto both = judged(any, {.a = true, .b = true});
    auto each = judged(any, {.a = true, .b = false});
    each.merge(judged(any, {.a = false, .b = true}));
    ASSERT_EQ(both, each) << "round " << round;
    found += both.size();
  }
  EXPECT_GT(found, 1'000u / kWalkedPart);
}

}  // namespace
}  // namespace wirelaw::smbd

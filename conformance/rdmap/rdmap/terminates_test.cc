// SPDX-License-Identifier: Apache-2.0
// Terminates that the sample traces do not contain: from captures that begin late or exceed the memory of the tracker,
// and Terminates that no conforming peer would send.
#include <gmock/gmock.h>
#include <walked_part.h>

#include <random>
#include <set>
#include <string_view>

#include "conformance/rdmap/observer.h"
#include "conformance/rdmap/rdmap.h"
#include "conformance/rdmap/rdmap/5.4-terminate/rules.h"
#include "conformance/rdmap/tracker/connection.h"
#include "reference/mpa/framer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr Side a = Side::a, b = Side::b;

// A connection without faults, as far as the test does not make them.
struct Line {
  Line() {
    observer->observe({.event = StreamEvent::opened, .sender = a, .mss = 1460}, judge);
    observer->observe({.event = StreamEvent::opened, .sender = b, .mss = 1460}, judge);
    judge.enter_flow("flow", "a", "b");
    for (const auto& [side, kind] : {std::pair{a, mpa::FrameKind::request}, std::pair{b, mpa::FrameKind::reply}})
      octets(side, mpa::encode_start_frame({.key = mpa::key_of(kind), .crc = true}));
  }

  void octets(Side side, Octets piece) {
    std::uint64_t& offset = at[side == a ? 0 : 1];
    observer->observe(
        {.event = StreamEvent::octets, .sender = side, .octets = piece, .offset = offset, .frame = ++frame}, judge);
    offset += piece.size();
  }
  void untagged(Side side, Opcode opcode, Octets payload, void (*edit)(ddp::Header&) = nullptr) {
    const std::uint32_t queue = find_opcode(static_cast<std::uint8_t>(opcode))->queue;
    ddp::Header header{.last = true,
                       .rsvd_ulp = encode_control(control_of(opcode)),
                       .qn = queue,
                       .msn = ++messages[side == a ? 0 : 1][queue]};
    if (edit) edit(header);
    framed(side, header, payload);
  }
  void framed(Side side, const ddp::Header& header, Octets payload) {
    last.clear();
    ddp::encode(header, last);
    last.insert(last.end(), payload.begin(), payload.end());
    octets(side, framed(side));
  }
  // `last` as an FPDU.
  OctetBuffer framed(Side side) {
    OctetBuffer fpdu;
    framer[side == a ? 0 : 1].frame(last, fpdu);
    return fpdu;
  }
  void respond(Side side) {
    framed(side,
           {.tagged = true, .last = true, .rsvd_ulp = encode_control(control_of(Opcode::read_response)), .stag = 5},
           OctetBuffer(16, 1));
  }
  void send(Side side, std::size_t count = 16) { untagged(side, Opcode::send, OctetBuffer(count, 0x5a)); }
  void terminate(Side side, const Terminate& terminate) {
    OctetBuffer payload;
    encode(terminate, payload);
    untagged(side, Opcode::terminate, payload);
  }
  // A Terminate for the segment that was sent last, or for `segment`.
  void refuse(Side side, const ErrorCode& error, const OctetBuffer& segment,
              std::size_t header_octets = ddp::layout::kUntagged) {
    terminate(side, {.error = error,
                     .has_length = true,
                     .has_ddp_header = true,
                     .ddp_segment_length = static_cast<std::uint16_t>(segment.size()),
                     .ddp_header = Octets(segment).first(header_octets)});
  }
  // A Terminate for a Read Request, with its header unchanged or advanced.
  void refuse_read(Side side, const OctetBuffer& segment, Octets rdma_header) {
    terminate(side, {.error = error::kInvalidStag,
                     .has_length = true,
                     .has_ddp_header = true,
                     .has_rdma_header = true,
                     .ddp_segment_length = static_cast<std::uint16_t>(segment.size()),
                     .ddp_header = Octets(segment).first(ddp::layout::kUntagged),
                     .rdma_header = rdma_header});
  }
  void end() {
    for (const Side side : {b, a})
      observer->observe({.event = StreamEvent::closed, .sender = side, .offset = at[side == a ? 0 : 1]}, judge);
    observer->finish(judge);
  }
  std::set<std::string> broken() const {
    std::set<std::string> rules;
    for (const Finding& finding : judge.findings()) rules.emplace(finding.rule->id);
    return rules;
  }

  Judge judge{kProtocol.catalogue()};
  std::unique_ptr<Observer> observer = make_observer({});
  std::array<mpa::Framer, 2> framer{mpa::Framer(false, true), mpa::Framer(false, true)};
  std::array<std::array<std::uint32_t, 4>, 2> messages{};
  std::array<std::uint64_t, 2> at{};
  std::uint64_t frame = 0;
  OctetBuffer last;
};

TEST(Terminates, ASecondOneBreaksNothingButThatNothingFollowsTheFirst) {
  Line line;
  line.send(a);
  line.refuse(b, error::kDdpNoBuffer, line.last);
  line.terminate(b, {.error = error::kLocalCatastrophic});
  line.terminate(b, {.error = error::kLocalCatastrophic});
  line.end();
  EXPECT_THAT(line.broken(), ElementsAre("RDMAP-5.4-9"));
  EXPECT_EQ(line.judge.findings().size(), 1u);  // reported once
}

TEST(Terminates, WhatTheOtherSideHasOnItsWayIsFine) {
  Line line;
  line.send(a);
  line.refuse(b, error::kDdpNoBuffer, line.last);
  line.send(a);
  line.send(a);
  line.end();
  EXPECT_THAT(line.broken(), IsEmpty());
}

TEST(Terminates, ASegmentThatIsNoLongerRememberedMayBeBlamed) {
  Line line;
  line.send(a);
  const OctetBuffer first = line.last;
  for (std::size_t i = 0; i < RecentSegments::kMost; ++i) line.send(a);
  line.refuse(b, error::kDdpNoBuffer, first);
  line.end();
  EXPECT_THAT(line.broken(), IsEmpty());
}

TEST(Terminates, ASegmentThatWasNeverSentIsReportedWhileAllAreRemembered) {
  Line line;
  for (std::size_t i = 0; i < RecentSegments::kMost; ++i) line.send(a);
  OctetBuffer other = line.last;
  other[ddp::layout::kMsn + 3] = 0x77;
  line.refuse(b, error::kDdpNoBuffer, other);
  line.end();
  EXPECT_THAT(line.broken(), ElementsAre("RDMAP-4.8-12"));
}

// The sender has used a number twice. The header of the request shows which of the two is blamed.
TEST(Terminates, OneOfTwoReadRequestsWithTheSameNumberIsKnownByItsStags) {
  for (const std::uint32_t blamed : {0x100u, 0x200u}) {
    Line line;
    line.send(a);
    OctetBuffer segment;
    for (const std::uint32_t source : {0x100u, 0x200u}) {
      OctetBuffer request;
      encode(ReadRequest{.sink_stag = 7, .size = 64, .source_stag = source}, request);
      line.untagged(a, Opcode::read_request, request, [](ddp::Header& header) { header.msn = 1; });
      if (source == blamed) segment = line.last;
    }
    line.refuse_read(b, segment, Octets(segment).subspan(ddp::layout::kUntagged));
    line.end();
    for (const Finding& finding : line.judge.findings())
      EXPECT_EQ(finding.sender.substr(0, 1), "a") << finding.rule->id << " where " << blamed << " is blamed";
    EXPECT_FALSE(line.judge.findings().empty());  // the sender's
  }
}

// Same, if the two requests differ only in the fields that progress changes.
TEST(Terminates, OneOfTwoReadRequestsWithTheSameNumberIsKnownByWhatMovesOn) {
  for (const std::uint64_t blamed : {0x7000u, 0x6ffdu}) {
    for (const std::uint32_t moved : {0u, 16u}) {
      Line line;
      line.send(a);
      OctetBuffer segment;
      for (const std::uint64_t sink : {0x7000u, 0x6ffdu}) {
        OctetBuffer request;
        encode(ReadRequest{.sink_stag = 7, .sink_to = sink, .size = 64, .source_stag = 9, .source_to = 0x40}, request);
        line.untagged(a, Opcode::read_request, request, [](ddp::Header& header) { header.msn = 1; });
        if (sink == blamed) segment = line.last;
      }
      OctetBuffer terminated;
      encode(ReadRequest{.sink_stag = 7,
                         .sink_to = blamed + moved,
                         .size = 64 - moved,
                         .source_stag = 9,
                         .source_to = 0x40 + moved},
             terminated);
      line.refuse_read(b, segment, terminated);
      line.end();
      for (const Finding& finding : line.judge.findings())
        EXPECT_EQ(finding.sender.substr(0, 1), "a") << finding.rule->id << " where " << blamed << " is blamed";
      EXPECT_FALSE(line.judge.findings().empty());  // the sender's
    }
  }
}

TEST(Terminates, OfANumberThatWasUsedTwiceTheOneThatIsMeantMayBeForgotten) {
  Line line;
  OctetBuffer first;
  for (const std::uint32_t source : {0x100u, 0x200u}) {
    OctetBuffer request;
    encode(ReadRequest{.sink_stag = 7, .size = 64, .source_stag = source}, request);
    line.untagged(a, Opcode::read_request, request, [](ddp::Header& header) { header.msn = 1; });
    if (source == 0x100u) {
      first = line.last;
      for (std::size_t i = 0; i < RecentSegments::kMost; ++i) line.send(a);
    }
  }
  line.terminate(b, {.error = error::kInvalidStag,
                     .has_length = true,
                     .has_ddp_header = true,
                     .has_rdma_header = true,
                     .ddp_segment_length = static_cast<std::uint16_t>(first.size()),
                     .ddp_header = Octets(first).first(ddp::layout::kUntagged),
                     .rdma_header = Octets(first).subspan(ddp::layout::kUntagged)});
  line.end();
  for (const Finding& finding : line.judge.findings()) EXPECT_EQ(finding.sender.substr(0, 1), "a") << finding.rule->id;
  EXPECT_FALSE(line.judge.findings().empty());  // the sender's
}

TEST(Terminates, AFaultThatTheTraceShowsMakesItsCodeRight) {
  Line line;
  line.send(a);
  line.untagged(a, Opcode::send, OctetBuffer(16), [](ddp::Header& h) { h.msn = 9; });
  line.refuse(b, error::kDdpMsnRange, line.last);
  line.end();
  EXPECT_THAT(line.judge.findings().size(), 1u);  // the sender's
  EXPECT_EQ(line.judge.findings().front().sender.substr(0, 1), "a");
}

// Until a's FPDU is complete, nobody knows whether b's Read Response answers it. So a may refuse the response as
// unsolicited, and the trace proves no fault of either side.
TEST(Terminates, MayRefuseAResponseThatPerhapsNobodyAskedFor) {
  for (const ErrorCode& error : {error::kUnexpectedOpcode, error::kDdpInvalidStag}) {
    for (const std::size_t responses : {1u, 2u}) {
      Line line;
      line.send(a);
      line.last[ddp::layout::kMsn + 3] = 2;
      const OctetBuffer fpdu = line.framed(a);
      line.messages[0][0] = 2;
      line.octets(a, Octets(fpdu).first(fpdu.size() / 2));
      for (std::size_t i = 0; i < responses; ++i) line.respond(b);
      line.octets(a, Octets(fpdu).subspan(fpdu.size() / 2));
      line.refuse(a, error, line.last, ddp::layout::kTagged);
      line.end();
      EXPECT_THAT(line.broken(), IsEmpty()) << int{error.layer} << "/" << int{error.etype} << ", " << responses;
    }
  }
}

// All requests of a are known here, so a code that does not match the fault of the response is reported.
TEST(Terminates, OfAResponseThatNobodyAskedForSaySo) {
  for (const bool says_so : {true, false}) {
    Line line;
    line.send(a);
    line.respond(b);
    line.refuse(a, says_so ? error::kUnexpectedOpcode : error::kDdpNoBuffer, line.last, ddp::layout::kTagged);
    line.end();
    EXPECT_EQ(line.broken().contains("RDMAP-5.2-1"), true);
    EXPECT_EQ(line.broken().size(), says_so ? 1u : 2u);
  }
}

TEST(Terminates, OfAVersionThatIsWrongMayComeWithoutHeaders) {
  Line line;
  line.untagged(a, Opcode::send, OctetBuffer(16), [](ddp::Header& h) { h.version = 2; });
  line.terminate(b, {.error = error::kDdpUntaggedVersion});
  line.end();
  for (const Finding& finding : line.judge.findings()) EXPECT_EQ(finding.sender.substr(0, 1), "a");
}

// siw's Terminates for a bad CRC and a bad RDMAP version, as sent on the wire.
TEST(Terminates, OfALittleEndianHostAreReadAsTheyWereMeant) {
  Line line;
  line.send(a);
  line.untagged(b, Opcode::terminate, OctetBuffer{0x02, 0x02, 0x00, 0x00});
  line.end();
  EXPECT_THAT(line.broken(), ElementsAre("RDMAP-4.8-2"));
}

TEST(Terminates, OfAnyOctetsAreJudgedWithoutHarm) {
  std::mt19937 random(5040);
  for (unsigned round = 0; round < 3000 / kWalkedPart; ++round) {
    Line line;
    line.send(a);
    OctetBuffer octets(random() % 80);
    for (Octet& octet : octets) octet = static_cast<Octet>(random());
    // Half of them begin as a Terminate could.
    if (octets.size() > 4 && round % 2 == 0) {
      octets[0] = static_cast<Octet>((random() % 3) << 4 | random() % 3);
      octets[1] = static_cast<Octet>(random() % 10);
      octets[2] = static_cast<Octet>((random() % 8) << 5);
      octets[3] = 0;
    }
    line.untagged(b, Opcode::terminate, octets);
    line.end();
    for (const Finding& finding : line.judge.findings())
      EXPECT_LE(finding.offset + finding.length, octets.size() + 32) << finding.rule->id;
  }
}

TEST(Terminates, CutAnywhereBreakOneRuleOnly) {
  for (std::size_t count = 0; count < 24; ++count) {
    Line line;
    line.send(a);
    const OctetBuffer blamed = line.last;
    OctetBuffer whole;
    encode(Terminate{.error = error::kDdpNoBuffer,
                     .has_length = true,
                     .has_ddp_header = true,
                     .ddp_segment_length = static_cast<std::uint16_t>(blamed.size()),
                     .ddp_header = Octets(blamed).first(ddp::layout::kUntagged)},
           whole);
    line.untagged(b, Opcode::terminate, Octets(whole).first(count));
    line.end();
    const std::string_view rule = count < 4 ? "RDMAP-4.8-1" : count < 6 ? "RDMAP-4.8-9" : "RDMAP-4.8-11";
    EXPECT_THAT(line.broken(), ElementsAre(rule)) << count << " octets";
  }
}

TEST(Ends, AreJudgedOnceHoweverManyOfThemThereAre) {
  Line line;
  line.send(a);
  line.terminate(b, {.error = error::kLocalCatastrophic});
  line.observer->observe({.event = StreamEvent::closed, .sender = b, .offset = line.at[1]}, line.judge);
  line.observer->observe({.event = StreamEvent::reset, .sender = b, .offset = line.at[1]}, line.judge);
  line.observer->observe({.event = StreamEvent::reset, .sender = a, .offset = line.at[0]}, line.judge);
  line.observer->finish(line.judge);
  EXPECT_THAT(line.broken(), IsEmpty());
  EXPECT_EQ(line.judge.exercised(rule<"RDMAP-5.4-9">), 1u);
}

void of_version_2(ddp::Header& header) {
  header.rsvd_ulp = encode_control({.version = 2, .opcode = static_cast<std::uint8_t>(Opcode::send)});
}

// RDMAP/A-68
TEST(Terminates, ThatNameTheLaterOfTwoEqualFaultsAreWarnedOf) {
  for (const bool is_later : {false, true}) {
    Line line;
    line.untagged(a, Opcode::send, OctetBuffer(16, 0x5a), of_version_2);
    const OctetBuffer first = line.last;
    line.untagged(a, Opcode::send, OctetBuffer(16, 0x5a), of_version_2);
    line.refuse(b, error::kInvalidVersion, is_later ? line.last : first);
    line.end();
    std::set<std::string> broken{"RDMAP-4.1-4"};
    if (is_later) broken.insert("RDMAP-7.1-9");
    EXPECT_EQ(line.broken(), broken);
  }
}

// RDMAP/A-24: the header of an FPDU that never came whole is enough.
TEST(Ends, OctetsThatAreNoFpduMakeTheFlowPartial) {
  constexpr std::string_view kText = "QUIT please, and thank you";
  Line line;
  line.send(a);
  line.send(b);
  line.octets(a, OctetBuffer(kText.begin(), kText.end()));
  line.send(a);
  line.observer->finish(line.judge);
  EXPECT_THAT(line.broken(), ElementsAre("MPA-4.5-2"));
  EXPECT_THAT(line.observer->partial(), ::testing::HasSubstr("no FPDU"));
}

TEST(Ends, HalfAnFpduIsNoFaultOfACaptureThatEnds) {
  Line line;
  line.send(a);
  const OctetBuffer fpdu = line.framed(a);
  line.octets(a, Octets(fpdu).first(fpdu.size() / 2));
  line.observer->finish(line.judge);
  EXPECT_THAT(line.broken(), IsEmpty());
  EXPECT_EQ(line.observer->partial(), "");
}

TEST(Ends, AMarkerThatNobodyAskedForIsOneFault) {
  Line line;
  line.send(a);
  line.octets(b, OctetBuffer(4, 0));
  line.send(b);
  line.observer->finish(line.judge);
  EXPECT_THAT(line.broken(), ElementsAre("MPA-7.1.1-5"));
}

}  // namespace
}  // namespace wirelaw::rdmap

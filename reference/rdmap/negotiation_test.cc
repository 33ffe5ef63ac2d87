// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/negotiation.h"

#include <gtest/gtest.h>

namespace wirelaw::rdmap {
namespace {

constexpr std::uint16_t kOpen = mpa::kNoNegotiation;

Options depths(std::uint16_t ird, std::uint16_t ord) {
  return {.enhanced = true, .ird = ird, .ord = ord};
}

struct DepthRow {
  std::uint16_t initiator_ird, initiator_ord, responder_ird, responder_ord;  // limits of each end
  std::uint16_t reply_ird, reply_ord;                                        // in the reply
  std::uint16_t initiator_reads, responder_reads;  // result: maximum number of outstanding reads
};

TEST(Negotiation, KeepsEachOrdWithinTheOtherIrd) {
  for (const DepthRow& row : {DepthRow{16, 16, 16, 16, 16, 16, 16, 16}, DepthRow{4, 8, 16, 16, 8, 4, 8, 4},
                              DepthRow{16, 16, 2, 3, 2, 3, 2, 3}, DepthRow{0, 0, 16, 16, 0, 0, 0, 0},
                              DepthRow{0x3ffe, 1, 1, 0x3ffe, 1, 0x3ffe, 1, 0x3ffe}}) {
    const Options initiator = depths(row.initiator_ird, row.initiator_ord);
    const Options responder = depths(row.responder_ird, row.responder_ord);
    const Answer reply = answer(offer(initiator), responder);
    EXPECT_TRUE(reply.enough);
    EXPECT_EQ(reply.data.ird, row.reply_ird);
    EXPECT_EQ(reply.data.ord, row.reply_ord);
    EXPECT_EQ(reply.depths.ird, row.initiator_reads);
    EXPECT_EQ(reply.depths.ord, row.responder_reads);
    const Conclusion conclusion = conclude(reply.data, initiator);
    EXPECT_FALSE(conclusion.error);
    EXPECT_EQ(conclusion.depths.ord, row.initiator_reads);
    EXPECT_GE(conclusion.depths.ird, row.responder_reads);
  }
}

TEST(Negotiation, LeavesDepthsAloneThatTheUpperLayerWantsToSettle) {
  Options initiator = depths(5, 6);
  initiator.leave_depths_to_ulp = true;
  const mpa::EnhancedData request = offer(initiator);
  EXPECT_EQ(request.ird, kOpen);
  EXPECT_EQ(request.ord, kOpen);
  const Answer reply = answer(request, depths(7, 8));
  EXPECT_EQ(reply.data.ird, kOpen);
  EXPECT_EQ(reply.data.ord, kOpen);
  EXPECT_EQ(reply.depths.ird, 7);
  EXPECT_EQ(reply.depths.ord, 8);
  const Conclusion conclusion = conclude(reply.data, initiator);
  EXPECT_EQ(conclusion.depths.ird, 5);
  EXPECT_EQ(conclusion.depths.ord, 6);
}

TEST(Negotiation, NeverOffersTheValueThatMeansNone) {
  EXPECT_EQ(offer(depths(0xffff, 0xffff)).ird, 0x3ffe);
}

TEST(Negotiation, RejectsWhereTheInitiatorHasTooFewSlotsAndSaysHowManyItTakes) {
  Options responder = depths(16, 16);
  responder.ord_required = 4;
  const Answer reply = answer(offer(depths(3, 3)), responder);
  EXPECT_FALSE(reply.enough);
  EXPECT_EQ(reply.data.ord, 4);
  EXPECT_TRUE(answer(offer(depths(4, 3)), responder).enough);
}

TEST(Negotiation, TerminatesWhereTheResponderWantsMoreReadsThanThereAreSlots) {
  const Conclusion conclusion = conclude({.ird = 1, .ord = 5}, depths(4, 4));
  EXPECT_EQ(conclusion.error, error::kMpaInsufficientIrd);
  EXPECT_FALSE(conclude({.ird = 1, .ord = 4}, depths(4, 4)).error);
}

struct RtrRow {
  bool is, iw, ir;  // supported by the initiator: Send, Write, Read
  bool rs, rw, rr;  // supported by the responder
  bool bs, bw, br;  // in the reply
  Rtr rtr;
};

TEST(Negotiation, AgreesOnAReadyToReceiveMessage) {
  for (const RtrRow& row : {RtrRow{true, true, true, true, true, true, true, true, true, Rtr::write},
                            RtrRow{true, false, true, true, true, true, true, false, true, Rtr::read},
                            RtrRow{true, false, false, true, true, true, true, false, false, Rtr::send},
                            RtrRow{false, true, true, false, false, true, false, false, true, Rtr::read},
                            // Nothing in common: the responder offers what it supports.
                            RtrRow{true, false, false, false, true, true, false, true, true, Rtr::none}}) {
    Options initiator = depths(16, 0);
    initiator.peer_to_peer = true;
    initiator.rtr_send = row.is;
    initiator.rtr_write = row.iw;
    initiator.rtr_read = row.ir;
    Options responder = depths(16, 16);
    responder.rtr_send = row.rs;
    responder.rtr_write = row.rw;
    responder.rtr_read = row.rr;
    const Answer reply = answer(offer(initiator), responder);
    EXPECT_TRUE(reply.data.peer_to_peer);
    EXPECT_EQ(reply.data.rtr_send, row.bs);
    EXPECT_EQ(reply.data.rtr_write, row.bw);
    EXPECT_EQ(reply.data.rtr_read, row.br);
    EXPECT_EQ(reply.data.ird, row.br ? 1 : 0) << "a zero-length read takes a slot";
    const Conclusion conclusion = conclude(reply.data, initiator);
    EXPECT_EQ(conclusion.rtr, row.rtr);
    EXPECT_EQ(conclusion.error.has_value(), row.rtr == Rtr::none);
  }
}

TEST(Negotiation, TerminatesWhereTheModelsDiffer) {
  Options asks = depths(4, 4);
  asks.peer_to_peer = true;
  EXPECT_EQ(conclude({.ird = 4, .ord = 4}, asks).error, error::kMpaNoMatchingRtr);
  EXPECT_EQ(conclude({.peer_to_peer = true, .ird = 4, .rtr_write = true, .ord = 4}, depths(4, 4)).error,
            error::kMpaLocalCatastrophic);
}

TEST(Negotiation, ClearsTheOtherFlagsWithA) {
  const mpa::EnhancedData request{.rtr_send = true, .ird = 1, .rtr_write = true, .rtr_read = true, .ord = 1};
  const Answer reply = answer(request, depths(4, 4));
  EXPECT_FALSE(reply.data.peer_to_peer || reply.data.rtr_send || reply.data.rtr_write || reply.data.rtr_read);
}

}  // namespace
}  // namespace wirelaw::rdmap

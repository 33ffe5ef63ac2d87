// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/exchange_account.h"

#include <gtest/gtest.h>

namespace wirelaw::umsp {
namespace {

constexpr std::uint32_t kSession = 7, kReqId = 9;

Asked asked(std::uint8_t opcode) {
  return {.opcode = opcode};
}

TEST(ExchangeAccount, AResponseMatchesTheRequestOfItsSessionAndReqIdOnce) {
  ExchangeAccount account;
  account.ask(Side::a, kSession, kReqId, asked(130));
  account.ask(Side::a, kSession + 1, kReqId, asked(148));
  EXPECT_FALSE(account.answer(Side::b, kSession, kReqId).asked);  // that side has sent no request
  EXPECT_FALSE(account.answer(Side::a, kSession, kReqId + 1).asked);
  const auto first = account.answer(Side::a, kSession, kReqId).asked;
  ASSERT_TRUE(first);
  EXPECT_EQ(first->opcode, 130);
  EXPECT_FALSE(account.answer(Side::a, kSession, kReqId).asked);
  EXPECT_TRUE(account.answer(Side::a, kSession + 1, kReqId).asked);
  EXPECT_EQ(account.size(), 0u);
}

TEST(ExchangeAccount, OfTwoRequestsWithOneReqIdNeitherMatchesAndTheNextOneDoes) {
  ExchangeAccount account;
  account.ask(Side::a, kSession, kReqId, asked(153));
  account.ask(Side::a, kSession, kReqId, asked(148));
  for (int response = 0; response < 2; ++response) {
    const Answered answered = account.answer(Side::a, kSession, kReqId);
    EXPECT_TRUE(answered.waited);
    EXPECT_FALSE(answered.asked);
  }
  EXPECT_FALSE(account.answer(Side::a, kSession, kReqId).waited);
  account.ask(Side::a, kSession, kReqId, asked(130));
  EXPECT_TRUE(account.answer(Side::a, kSession, kReqId).asked);
}

TEST(ExchangeAccount, ARequestOfAChainMatchesNothingAndKeepsItsReqIdFromMatching) {
  ExchangeAccount account;
  account.ask(Side::a, kSession, kReqId, std::nullopt);
  account.ask(Side::a, kSession, kReqId, asked(130));
  EXPECT_FALSE(account.answer(Side::a, kSession, kReqId).asked);
  EXPECT_FALSE(account.answer(Side::a, kSession, kReqId).asked);
}

TEST(ExchangeAccount, WhatASessionAskedForIsForgottenWithItAlone) {
  ExchangeAccount account;
  for (const std::uint32_t req_id : {0u, kReqId, ~0u}) {
    account.ask(Side::a, kSession, req_id, asked(130));
    account.ask(Side::a, kSession + 1, req_id, asked(130));
    account.ask(Side::b, kSession, req_id, asked(130));
  }
  account.forget(Side::a, kSession);
  EXPECT_EQ(account.size(), 6u);
  EXPECT_FALSE(account.answer(Side::a, kSession, kReqId).asked);
  EXPECT_TRUE(account.answer(Side::a, kSession + 1, kReqId).asked);
  EXPECT_TRUE(account.answer(Side::b, kSession, kReqId).asked);
}

TEST(ExchangeAccount, ASideWithTooManyRequestsMatchesNoneAndHoldsNone) {
  ExchangeAccount account;
  account.ask(Side::b, kSession, kReqId, asked(130));
  for (std::uint32_t req_id = 0; req_id < kMostAsked; ++req_id)
    EXPECT_TRUE(account.ask(Side::a, kSession, req_id, asked(130)));
  EXPECT_FALSE(account.ask(Side::a, kSession, kMostAsked, asked(130)));
  EXPECT_EQ(account.size(), 1u);
  EXPECT_FALSE(account.is_complete(Side::a));
  EXPECT_TRUE(account.is_complete(Side::b));
  EXPECT_FALSE(account.ask(Side::a, kSession, 0, asked(130)));
  EXPECT_FALSE(account.answer(Side::a, kSession, 0).asked);
  EXPECT_TRUE(account.answer(Side::b, kSession, kReqId).asked);
  account.clear();
  EXPECT_TRUE(account.ask(Side::a, kSession, 0, asked(130)));
  EXPECT_TRUE(account.answer(Side::a, kSession, 0).asked);
}

}  // namespace
}  // namespace wirelaw::umsp

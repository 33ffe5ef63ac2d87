// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/client.h"

#include <gtest/gtest.h>

#include "reference/smb2/server.h"

namespace wirelaw::smb2 {
namespace {

// A variation of the response to the first request of a message.
OctetBuffer response_to(
    Octets request, void (*vary)(Header&) = [](Header&) {}) {
  Header header = elements_of(request)->front().header;
  header.flags = flag::kResponse;
  header.next_command = 0;
  vary(header);
  Compound message;
  header.command == command::kNegotiate ? message.add(header, NegotiateResponse{.dialect_revision = dialect::k311})
                                        : message.add(header, Echo{});
  return message.finish();
}

Client negotiated() {
  Client client;
  EXPECT_TRUE(client.take(response_to(client.negotiate())));
  return client;
}

TEST(Client, OffersAllDialectsUpToTheHighest) {
  for (const auto& [highest, count] : {std::pair(dialect::k202, 1u), {dialect::k302, 4u}, {dialect::k311, 5u}}) {
    const OctetBuffer octets = Client().negotiate(highest);
    const auto elements = elements_of(octets);
    ASSERT_TRUE(elements);
    const auto request = decode_negotiate_request(elements->front().body());
    ASSERT_TRUE(request);
    const auto dialects = dialects_of(*request);
    ASSERT_TRUE(dialects);
    EXPECT_EQ(dialects->size(), count);
    EXPECT_EQ(dialects->back(), highest);
    const auto contexts = contexts_of(octets, request->context_offset, request->context_count);
    ASSERT_TRUE(contexts) << "of others ClientStartTime, which is 0";
    EXPECT_EQ(contexts->size(), highest == dialect::k311 ? 1u : 0u);
  }
}

TEST(Client, MakesMessagesOfAnyNumberOfRequests) {
  Client client = negotiated();
  EXPECT_EQ(client.credits(), Client::kCreditsWanted);
  const OctetBuffer message = client.echo(20);
  EXPECT_EQ(message.size(), 20 * kEchoOctets);
  EXPECT_EQ(client.echo(1).size(), kEchoOctets);
  EXPECT_EQ(client.credits(), Client::kCreditsWanted - 21u);
  const auto elements = elements_of(message);
  ASSERT_TRUE(elements);
  ASSERT_EQ(elements->size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ((*elements)[i].header.message_id, i + 1) << "after the NEGOTIATE";
    EXPECT_EQ((*elements)[i].header.credit_charge, 1);
    EXPECT_EQ((*elements)[i].header.credits, 1) << "nothing is lacking";
    EXPECT_EQ((*elements)[i].header.flags, 0u) << "they are unrelated";
  }
}

TEST(Client, SendsEchoesOfItsOwnAccordAndNothingElse) {
  Client client = negotiated();
  EXPECT_TRUE(is_of_its_own_accord(client.echo(1)));
  EXPECT_TRUE(is_of_its_own_accord(client.echo(3)));
  EXPECT_FALSE(is_of_its_own_accord(Client().negotiate(dialect::k311)));
  EXPECT_FALSE(is_of_its_own_accord({})) << "no message at all";
}

TEST(Client, AsksForTheCreditsThatItLacks) {
  Client client;
  ASSERT_TRUE(client.take(response_to(client.negotiate(), [](Header& one) { one.credits = 2; })));
  const OctetBuffer message = client.echo(2);
  const auto elements = elements_of(message);
  ASSERT_TRUE(elements);
  EXPECT_EQ(elements->front().header.credits, 1);
  EXPECT_EQ(elements->back().header.credits, Client::kCreditsWanted - 1);
}

TEST(Client, PaysForAWriteByItsLength) {
  struct Row {
    std::size_t octets;
    std::uint16_t charge;
  };
  constexpr std::size_t kAround = kLeastWriteOctets - 1;
  for (const Row& row : {Row{kLeastWriteOctets, 1}, {kAround + 65'536, 1}, {kAround + 65'537, 2}, {200'000, 4}}) {
    Client client = negotiated();
    const std::uint32_t before = client.credits();
    const OctetBuffer message = client.write(row.octets);
    EXPECT_EQ(message.size(), row.octets);
    const auto elements = elements_of(message);
    ASSERT_TRUE(elements);
    EXPECT_EQ(elements->front().header.credit_charge, row.charge);
    EXPECT_EQ(elements->front().header.credits, row.charge) << "what it lacks then";
    EXPECT_EQ(client.credits(), before - row.charge);
    EXPECT_EQ(elements_of(client.echo(1))->front().header.message_id, elements->front().header.message_id + row.charge);
  }
}

// The only valid status for a WRITE without a session is STATUS_USER_SESSION_DELETED.
TEST(Client, TakesNoOtherAnswerToAWriteThanThatThereIsNoSession) {
  for (const auto status : {status::kSuccess, status::kInvalidParameter, status::kUserSessionDeleted}) {
    Client client = negotiated();
    const OctetBuffer message = client.write(500);
    Header header = elements_of(message)->front().header;
    header.flags = flag::kResponse;
    header.status = status;
    Compound response;
    response.add(header, ErrorResponse{});
    const OctetBuffer octets = response.finish();
    EXPECT_EQ(answers(message, octets), status == status::kUserSessionDeleted);
    EXPECT_EQ(client.take(octets).has_value(), status == status::kUserSessionDeleted);
  }
}

TEST(Client, RefusesWhatDoesNotAnswerIt) {
  struct Row {
    Mismatch mismatch;
    void (*vary)(Header&);
  };
  constexpr Row kRows[] = {
      {Mismatch::no_response, [](Header& one) { one.flags = 0; }},
      {Mismatch::not_asked, [](Header& one) { ++one.message_id; }},
      {Mismatch::other_command, [](Header& one) { one.command = command::kCancel; }},
      {Mismatch::failed, [](Header& one) { one.status = status::kInvalidParameter; }},
  };
  for (const Row& row : kRows) {
    Client client = negotiated();
    const auto taken = client.take(response_to(client.echo(1), row.vary));
    ASSERT_FALSE(taken) << text_of(row.mismatch);
    EXPECT_EQ(taken.error(), row.mismatch) << text_of(taken.error());
  }
}

TEST(Client, RefusesAnAnswerThatComesTwice) {
  Client client = negotiated();
  const OctetBuffer response = response_to(client.echo(1));
  EXPECT_TRUE(client.take(response));
  EXPECT_EQ(client.take(response).error(), Mismatch::not_asked);
}

TEST(Client, RefusesOctetsThatAreNoAnswer) {
  Client client = negotiated();
  OctetBuffer response = response_to(client.echo(1));
  response.resize(kHeaderOctets + 3);
  EXPECT_EQ(client.take(response).error(), Mismatch::undecodable) << "half a body";
  EXPECT_EQ(client.take(OctetBuffer(100)).error(), Mismatch::undecodable);
  Client lower;
  EXPECT_EQ(lower.take(response_to(lower.negotiate(dialect::k302))).error(), Mismatch::other_dialect);
  EXPECT_FALSE(lower.negotiated());
}

TEST(Answers, AreOneToEachRequestInItsOrder) {
  Client client;
  Server server;
  ASSERT_TRUE(client.take(server.answer(client.negotiate())->message));
  ASSERT_TRUE(client.take(server.answer(client.echo(1))->message));
  const OctetBuffer one = client.echo(5), other = client.echo(5);
  const OctetBuffer to_one = server.answer(one)->message, to_other = server.answer(other)->message;
  EXPECT_TRUE(answers(one, to_one));
  EXPECT_TRUE(answers(other, to_other));
  EXPECT_FALSE(answers(one, to_other));
  EXPECT_FALSE(answers(one, one)) << "an echo of the octets is no answer";
  EXPECT_FALSE(answers(one, Octets(to_one).first(4 * kEchoOctets))) << "the last is missing";
  OctetBuffer swapped(to_one.begin() + kEchoOctets, to_one.begin() + 2 * kEchoOctets);
  swapped.insert(swapped.end(), to_one.begin(), to_one.begin() + kEchoOctets);
  swapped.insert(swapped.end(), to_one.begin() + 2 * kEchoOctets, to_one.end());
  EXPECT_FALSE(answers(one, swapped));
}

}  // namespace
}  // namespace wirelaw::smb2

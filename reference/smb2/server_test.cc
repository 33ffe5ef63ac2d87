// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/server.h"

#include <gtest/gtest.h>

#include "reference/smb2/client.h"

namespace wirelaw::smb2 {
namespace {

// A server with which a client has negotiated, and got its credits.
struct Negotiated {
  explicit Negotiated(const ServerOptions& options = {}, std::uint16_t highest = dialect::k311) : server(options) {
    taken = exchange(client.negotiate(highest)) && exchange(client.echo(1));
  }
  bool exchange(const OctetBuffer& request) {
    const auto answer = server.answer(request);
    return answer && client.take(answer->message).has_value() && answers(request, answer->message);
  }

  Client client;
  Server server;
  bool taken = false;
};

OctetBuffer request(const Header& header) {
  Compound message;
  message.add(header, Echo{});
  return message.finish();
}
std::uint32_t status_of(const std::optional<Answer>& answer) {
  return answer ? elements_of(answer->message).value().front().header.status : 0xffffffff;
}

TEST(Server, TakesTheHighestDialectOfBoth) {
  for (const std::uint16_t of_client : kDialects)
    for (const std::uint16_t of_server : kDialects) {
      Negotiated both({.highest_dialect = of_server}, of_client);
      EXPECT_TRUE(both.taken);
      EXPECT_EQ(both.server.dialect(), std::min(of_client, of_server));
      EXPECT_EQ(both.client.dialect(), both.server.dialect());
    }
}

TEST(Server, AnswersACompoundByACompound) {
  Negotiated both;
  ASSERT_TRUE(both.taken);
  for (const std::size_t count : {1u, 2u, 3u, 100u, 1000u}) {
    const OctetBuffer message = both.client.echo(count);
    const auto answer = both.server.answer(message);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->message.size(), count == 1 ? 68 : count * kEchoOctets);
    EXPECT_TRUE(answers(message, answer->message));
    EXPECT_TRUE(both.client.take(answer->message));
    EXPECT_EQ(both.client.credits(), Client::kCreditsWanted);
  }
  EXPECT_EQ(both.client.under_way(), 0u);
}

TEST(Server, AnswersAWriteOfAnyLengthByTheSessionThatIsNotThere) {
  Negotiated both;
  for (const std::size_t octets : {kLeastWriteOctets, std::size_t{360}, std::size_t{16'384}, std::size_t{200'000}}) {
    const OctetBuffer message = both.client.write(octets);
    EXPECT_EQ(message.size(), octets);
    EXPECT_TRUE(both.exchange(message)) << octets;
    const auto answer = both.server.answer(both.client.write(octets));
    EXPECT_EQ(status_of(answer), status::kUserSessionDeleted);
    EXPECT_EQ(answer->message.size(), kHeaderOctets + 9u);
    EXPECT_TRUE(both.client.take(answer->message));
  }
  EXPECT_EQ(both.client.credits(), Client::kCreditsWanted) << "each takes what it is charged with, and gets it back";
}

TEST(Server, RefusesAWriteThatIsCut) {
  for (const std::size_t octets : {kLeastWriteOctets, std::size_t{kHeaderOctets + 20}}) {
    Negotiated both;
    OctetBuffer message = both.client.write(1000);
    message.resize(octets);
    const auto answer = both.server.answer(message);
    EXPECT_EQ(status_of(answer), status::kInvalidParameter);
    EXPECT_EQ(both.client.take(answer->message).error(), Mismatch::failed);
    EXPECT_FALSE(answers(message, answer->message));
  }
}

TEST(Server, GrantsNoMoreThanItHas) {
  Negotiated both({.credits = 10});
  EXPECT_EQ(both.client.credits(), 10u);
  EXPECT_TRUE(both.exchange(both.client.echo(10)));
  EXPECT_EQ(both.client.credits(), 10u);
  EXPECT_FALSE(both.server.answer(both.client.echo(11))) << "the eleventh has no credit: the connection ends";
}

TEST(Server, EndsTheConnectionForAMessageIdThatIsNotGrantedOrUsed) {
  Negotiated both;
  const OctetBuffer again = both.client.echo(1);
  EXPECT_TRUE(both.server.answer(again));
  EXPECT_FALSE(both.server.answer(again));
  EXPECT_FALSE(Negotiated().server.answer(request({.command = command::kEcho, .message_id = 1'000'000})));
}

TEST(Server, EndsTheConnectionForWhatIsNoRequest) {
  EXPECT_FALSE(Negotiated().server.answer(OctetBuffer(100)));
  EXPECT_FALSE(Negotiated().server.answer({}));
  EXPECT_FALSE(
      Negotiated().server.answer(request({.command = command::kEcho, .flags = flag::kResponse, .message_id = 2})));
  EXPECT_FALSE(Negotiated().server.answer(request({.structure_size = 63, .command = command::kEcho, .message_id = 2})));
  EXPECT_FALSE(Server().answer(request({.command = command::kEcho}))) << "nothing is negotiated";
  EXPECT_FALSE(Negotiated().server.answer(Client().negotiate())) << "it is negotiated already";
}

TEST(Server, AnswersWhatItDoesNotHaveByAnError) {
  Negotiated both;
  const auto of = [&](std::uint16_t command, std::uint32_t flags, std::uint64_t id) {
    return status_of(both.server.answer(request({.command = command, .flags = flags, .message_id = id})));
  };
  EXPECT_EQ(of(command::kSessionSetup, 0, 2), status::kInvalidParameter) << "without the fields of one";
  EXPECT_EQ(of(command::kLast, 0, 3), status::kUserSessionDeleted);
  EXPECT_EQ(of(command::kLast + 1, 0, 4), status::kInvalidParameter);
  EXPECT_EQ(of(command::kEcho, flag::kRelated, 5), status::kInvalidParameter) << "to nothing";
  Compound wrong;
  wrong.add({.command = command::kEcho, .message_id = 6}, Echo{.structure_size = 5});
  EXPECT_EQ(status_of(both.server.answer(wrong.finish())), status::kInvalidParameter);
  const auto silent = both.server.answer(request({.command = command::kCancel, .message_id = 3}));
  ASSERT_TRUE(silent);
  EXPECT_TRUE(silent->message.empty());
}

TEST(Server, RefusesANegotiationWithoutADialectOrAHash) {
  struct Row {
    std::uint32_t status;
    void (*spoil)(OctetBuffer& message);
  };
  constexpr std::size_t kBody = kHeaderOctets, kDialectsAt = kBody + 36, kContext = kDialectsAt + 12;
  constexpr Row kRows[] = {
      {status::kInvalidParameter, [](OctetBuffer& one) { one[kBody] = 35; }},
      {status::kInvalidParameter, [](OctetBuffer& one) { one[kBody + 2] = 0; }},     // DialectCount
      {status::kInvalidParameter, [](OctetBuffer& one) { one[kBody + 3] = 0x70; }},  // the same, beyond the message
      {status::kInvalidParameter, [](OctetBuffer& one) { one[kBody + 28] += 1; }},   // NegotiateContextOffset
      {status::kInvalidParameter, [](OctetBuffer& one) { one[kBody + 32] = 0; }},    // NegotiateContextCount
      {status::kInvalidParameter, [](OctetBuffer& one) { one[kContext] = 2; }},      // another context
      {status::kInvalidParameter, [](OctetBuffer& one) { one[kContext + 8] = 0; }},  // HashAlgorithmCount
      {status::kNoHashOverlap, [](OctetBuffer& one) { one[kContext + 12] = 9; }},    // another algorithm
      {status::kInvalidParameter, [](OctetBuffer& one) { one.resize(kBody + 35); }},
      {status::kNotSupported,
       [](OctetBuffer& one) {
         for (std::size_t i = 0; i < std::size(kDialects); ++i) one[kDialectsAt + 2 * i + 1] = 9;
       }},
  };
  for (const Row& row : kRows) {
    OctetBuffer message = Client().negotiate();
    row.spoil(message);
    Server server;
    EXPECT_EQ(status_of(server.answer(message)), row.status) << &row - kRows;
    EXPECT_EQ(server.dialect(), dialect::kNone);
  }
}

TEST(Window, GivesEachMessageIdOnce) {
  Window window;
  EXPECT_FALSE(window.take(1, 1));
  EXPECT_TRUE(window.take(0, 1));
  EXPECT_FALSE(window.take(0, 1));
  window.grant(4);  // 1 to 4
  EXPECT_TRUE(window.take(3, 1));
  EXPECT_FALSE(window.take(2, 2));
  EXPECT_TRUE(window.take(1, 2));
  EXPECT_EQ(window.held(), 1u);
  EXPECT_FALSE(window.take(4, 2));
  EXPECT_FALSE(window.take(0xffffffffffffffff, 2));
}

}  // namespace
}  // namespace wirelaw::smb2

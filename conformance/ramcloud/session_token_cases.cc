// SPDX-License-Identifier: Apache-2.0
// "sessionToken"
#include <algorithm>
#include <set>

#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, sessionToken"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kGivenTokenIsAccepted =
    kServer.must("RAMCLOUD-sessionToken-1",
                 "The token of the open response is the one under which the server then accepts requests.");
constinit const Rule kTokensLookRandom = kServer.should(
    "RAMCLOUD-sessionToken-5", "The tokens of a server's sessions look random: no counter, and no common upper half.",
    "RAMCLOUD/R8");
constinit const Rule kClientStaysWithOne = kClient.must(
    "RAMCLOUD-sessionToken-6", "A client that gets two different open responses uses one of the sessions consistently.",
    "RAMCLOUD/R7");
constinit const Rule kWrongTokenNotExecuted =
    kServer.must("RAMCLOUD-sessionToken-7", "A request whose hint is right and whose token is wrong is not executed.",
                 "RAMCLOUD/R9");
constinit const Rule kWrongTokenNoResponse =
    kClient.must("RAMCLOUD-sessionToken-8",
                 "A packet whose hint is right and whose token is wrong is not taken for a response.", "RAMCLOUD/R9");

constexpr const Rule* kRules[] = {&kGivenTokenIsAccepted, &kTokensLookRandom, &kClientStaysWithOne,
                                  &kWrongTokenNotExecuted, &kWrongTokenNoResponse};

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kGivenTokenIsAccepted, kNoRpcCompletes), broken_by(kTokensLookRandom, {tokens_count_up, tokens_repeat}),
    broken_by(kClientStaysWithOne,
              {token_alternates, data_before_open_response, token_not_used, server_hint_not_echoed}),
    broken_by(kWrongTokenNotExecuted, {wrong_token_accepted, executes_bad_session, sessions_share_channels}),
    broken_by(kWrongTokenNoResponse, {wrong_token_response_accepted}));

constexpr std::uint64_t kWrongBits[] = {1, 0x8000000000000000, 0x00000000ffffffff, 0xffffffff00000000,
                                        0xffffffffffffffff};

bool all_same(const std::vector<std::uint64_t>& values) {
  return std::ranges::all_of(values, [&](std::uint64_t value) { return value == values.front(); });
}

const Case kCases[] = {
    {
        .id = "sessionToken/the-given-token-is-accepted",
        .iut = Role::responder,
        .rules = {&kGivenTokenIsAccepted, &kServerKeepsToken},
        .purpose = "A request with the token of the open response is answered.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open();
          server.expect_echo(kGivenTokenIsAccepted, session, {0, 0}, text("under the given token"));
        }),
    },
    {
        .id = "sessionToken/tokens-look-random",
        .iut = Role::responder,
        .rules = {&kTokensLookRandom, &kTokensDiffer},
        .purpose = "The tokens of eight sessions differ, have no constant step and no common upper half.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          std::vector<std::uint64_t> tokens, steps, upper_halves;
          for (int i = 0; i < 8; ++i) tokens.push_back(server.open().token);
          for (const std::uint64_t token : tokens) upper_halves.push_back(token >> 32);
          for (std::size_t i = 1; i < tokens.size(); ++i) steps.push_back(tokens[i] - tokens[i - 1]);
          const std::set<std::uint64_t> distinct(tokens.begin(), tokens.end());
          server.require(kTokensLookRandom, distinct.size() == tokens.size(), "eight tokens",
                         std::to_string(distinct.size()) + " different ones");
          server.require(kTokensLookRandom, !all_same(steps), "no constant step", std::to_string(steps[0]));
          server.require(kTokensLookRandom, !all_same(upper_halves), "upper halves that differ",
                         std::to_string(upper_halves[0]));
        }),
    },
    not_executed({
        .id = "sessionToken/wrong-token-is-not-executed",
        .rules = {&kWrongTokenNotExecuted},
        .purpose = "Requests with the right hints and some bits of the token turned are not executed.",
        .expected = "no response, or BAD_SESSION",
        .good_request = "right token",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              for (const std::uint64_t bits : kWrongBits) {
                Header wrong = ServerProbe::data(session, {0, 0});
                wrong.session_token ^= bits;
                server.send(wrong, text("wrong token"));
              }
            },
    }),
    {
        .id = "sessionToken/client-uses-one-of-two-sessions",
        .iut = Role::initiator,
        .rules = {&kClientStaysWithOne, &kClientKeepsToken, &kClientEchoesServerHint},
        .purpose = "After two different responses to its open request the client stays with one session.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const Offer one{.token = 0x1122334455667788, .server_hint = 0x0a0b0c0d};
          const Offer two{.token = 0xfedcba9876543210, .server_hint = 0x01020304};
          client.trigger({.count = 3});
          const Header open = client.await_open();
          client.accept(open, one);
          client.stimulates(kClientStaysWithOne);
          client.accept(open, two);
          const ClientRequest first = client.await_request();
          const Offer& chosen = first.header.session_token == two.token ? two : one;
          auto request = std::optional(first);
          for (int i = 0; i < 3 && request && client.ok(); ++i) {
            const Header& header = request->header;
            client.require(kClientStaysWithOne,
                           header.session_token == chosen.token && header.server_session_hint == chosen.server_hint,
                           "token and hint of the session that was used first", "others");
            if (i < 2) request = client.expect_to_go_on(kClientStaysWithOne, *request);
          }
        }),
    },
    not_taken({
        .id = "sessionToken/response-with-wrong-token-is-not-taken",
        .rules = {&kWrongTokenNoResponse, &kClientKeepsToken},
        .purpose = "Responses with the right hints and some bits of the token turned are not taken.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              for (const std::uint64_t bits : kWrongBits) {
                Header wrong = ClientProbe::data(request.header);
                wrong.session_token ^= bits;
                client.send(wrong, request.octets);
              }
            },
    }),
};

}  // namespace

SectionCases session_token_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
// "sessionToken"
#include <algorithm>
#include <set>

#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/serverSessionHint/rules.h"
#include "conformance/ramcloud/sessionToken/rules.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::uint64_t kWrongBits[] = {1, 0x8000000000000000, 0x00000000ffffffff, 0xffffffff00000000,
                                        0xffffffffffffffff};

bool all_same(const std::vector<std::uint64_t>& values) {
  return std::ranges::all_of(values, [&](std::uint64_t value) { return value == values.front(); });
}

const CaseRow kRows[] = {
    {"sessionToken/the-given-token-is-accepted",
     {&rule<"RAMCLOUD-sessionToken-1">, &rule<"RAMCLOUD-sessionToken-3">},
     "The server answers a request with the token of its open response.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open();
       server.expect_echo(rule<"RAMCLOUD-sessionToken-1">, session, {0, 0}, text("under the given token"));
     })},
    {"sessionToken/tokens-look-random",
     {&rule<"RAMCLOUD-sessionToken-5">, &rule<"RAMCLOUD-sessionToken-4">},
     "The tokens of eight sessions differ, and have neither a constant step nor a common upper half.",
     with<ServerProbe>([](ServerProbe& server) {
       std::vector<std::uint64_t> tokens, steps, upper_halves;
       for (int i = 0; i < 8; ++i) tokens.push_back(server.open().token);
       for (const std::uint64_t token : tokens) upper_halves.push_back(token >> 32);
       for (std::size_t i = 1; i < tokens.size(); ++i) steps.push_back(tokens[i] - tokens[i - 1]);
       const std::set<std::uint64_t> distinct(tokens.begin(), tokens.end());
       server.require(rule<"RAMCLOUD-sessionToken-5">, distinct.size() == tokens.size(), "eight tokens",
                      std::to_string(distinct.size()) + " different ones");
       server.require(rule<"RAMCLOUD-sessionToken-5">, !all_same(steps), "no constant step", std::to_string(steps[0]));
       server.require(rule<"RAMCLOUD-sessionToken-5">, !all_same(upper_halves), "upper halves that differ",
                      std::to_string(upper_halves[0]));
     })},
    not_executed({
        .id = "sessionToken/wrong-token-is-not-executed",
        .rules = {&rule<"RAMCLOUD-sessionToken-7">},
        .purpose = "The server does not execute requests with the right hints and flipped bits in the token.",
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
    {"sessionToken/client-uses-one-of-two-sessions",
     {&rule<"RAMCLOUD-sessionToken-6">, &rule<"RAMCLOUD-sessionToken-2">, &rule<"RAMCLOUD-serverSessionHint-2">},
     "The client uses one session after two different responses to its open request.",
     with<ClientProbe>([](ClientProbe& client) {
       const Offer one{.token = 0x1122334455667788, .server_hint = 0x0a0b0c0d};
       const Offer two{.token = 0xfedcba9876543210, .server_hint = 0x01020304};
       client.trigger({.count = 3});
       const Header open = client.await_open();
       client.accept(open, one);
       client.stimulates(rule<"RAMCLOUD-sessionToken-6">);
       client.accept(open, two);
       const ClientRequest first = client.await_request();
       const Offer& chosen = first.header.session_token == two.token ? two : one;
       auto request = std::optional(first);
       for (int i = 0; i < 3 && request && client.ok(); ++i) {
         const Header& header = request->header;
         client.require(rule<"RAMCLOUD-sessionToken-6">,
                        header.session_token == chosen.token && header.server_session_hint == chosen.server_hint,
                        "token and hint of the session that was used first", "others");
         if (i < 2) request = client.expect_to_go_on(rule<"RAMCLOUD-sessionToken-6">, *request);
       }
     }),
     Service::echo},
    not_taken({
        .id = "sessionToken/response-with-wrong-token-is-not-taken",
        .rules = {&rule<"RAMCLOUD-sessionToken-8">, &rule<"RAMCLOUD-sessionToken-2">},
        .purpose = "The client does not accept responses with the right hints and flipped bits in the token.",
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

std::vector<Case> session_token_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

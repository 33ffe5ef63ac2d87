// SPDX-License-Identifier: Apache-2.0
// "fragNumber"
#include <fmt/format.h>

#include <set>

#include "conformance/ramcloud/ack/rules.h"
#include "conformance/ramcloud/fragNumber/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/totalFrags/rules.h"

namespace wirelaw::ramcloud {
namespace {

// Sends the fragments of a request in this order, and expects an echo in the right order.
void expect_order_not_to_matter(ServerProbe& server, const ProbeSession& session, Rpc rpc,
                                const std::vector<std::size_t>& order) {
  const auto fragments = fragments_of(sample_octets(500, rpc.id), 100);
  for (const std::size_t number : order)
    server.send(ServerProbe::data(session, rpc, number, fragments.size()), fragments[number]);
  server.expect_echo(rule<"RAMCLOUD-fragNumber-3">, session, rpc, fragments, {}, {.send_first = false});
}

const CaseRow kRows[] = {
    {"fragNumber/response-fragments-are-numbered",
     {&rule<"RAMCLOUD-fragNumber-2">, &rule<"RAMCLOUD-fragNumber-1">, &rule<"RAMCLOUD-totalFrags-2">,
      &rule<"RAMCLOUD-totalFrags-1">},
     "The server sends a response of 20000 octets in fragments 0 to totalFrags - 1.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       std::set<unsigned> numbers;
       unsigned total = 0;
       const auto response = server.call(session, {0, 0}, sample_octets(20'000), {.seen = [&](const Received& packet) {
                                           if (!packet.is(PayloadType::data)) return;
                                           numbers.insert(packet.header.frag_number);
                                           if (total == 0) total = packet.header.total_frags;
                                         }});
       if (numbers.empty()) return server.inconclusive("the server did not answer");
       server.require(
           rule<"RAMCLOUD-fragNumber-2">,
           response && numbers.size() == total && *numbers.begin() == 0 && *numbers.rbegin() + 1 == total,
           fmt::format("the fragments 0 to {} of {}", total - 1, total),
           fmt::format("{} distinct fragments from {} to {}", numbers.size(), *numbers.begin(), *numbers.rbegin()));
     })},
    {"fragNumber/request-fragments-in-any-order",
     {&rule<"RAMCLOUD-fragNumber-3">, &rule<"RAMCLOUD-totalFrags-3">},
     "The server reassembles requests of five fragments that arrive in order, reversed, shuffled and duplicated.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       expect_order_not_to_matter(server, session, {0, 0}, {4, 3, 2, 1, 0});
       expect_order_not_to_matter(server, session, {0, 1}, {2, 0, 4, 1, 3});
       expect_order_not_to_matter(server, session, {0, 2}, {0, 0, 1, 1, 2, 2, 3, 3, 4});
       expect_order_not_to_matter(server, session, {0, 3}, {3, 3, 1, 1, 0, 3, 1, 0, 4, 4, 2});
     }),
     Service::echo},
    {"fragNumber/request-fragment-beyond-the-end",
     {&rule<"RAMCLOUD-fragNumber-4">},
     "The server ignores fragments 2, 5 and 65535 of a request of two fragments while fragment 1 is missing.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       const auto halves = fragments_of(text("first half second half"), 11);
       server.send_good(ServerProbe::data(session, {0, 0}, 0, 2), halves[0]);
       server.stimulates(rule<"RAMCLOUD-fragNumber-4">);
       for (const std::size_t number : {2u, 5u, 65535u})
         server.send(ServerProbe::data(session, {0, 0}, number, 2), text("beyond"));
       server.expect_none(rule<"RAMCLOUD-fragNumber-4">, is_data, "no response before fragment 1");
       // A server that keeps such a fragment damages only the request of the client that sent it.
       constexpr std::string_view kKept = "the server seems to keep fragments that are beyond the end";
       server.advise_echo(rule<"RAMCLOUD-fragNumber-4">, session, {0, 0}, halves, kKept);
       server.send(ServerProbe::data(session, {0, 1}, 1, 1), text("beyond"));
       server.advise_echo(rule<"RAMCLOUD-fragNumber-4">, session, {0, 1}, fragments_of(text("the next request")),
                          kKept);
       server.expect_unharmed(rule<"RAMCLOUD-fragNumber-4">);
     })},
    {"fragNumber/response-fragments-in-any-order",
     {&rule<"RAMCLOUD-fragNumber-6">},
     "The client reassembles responses of five fragments that arrive reversed, shuffled and duplicated.",
     with<ClientProbe>([](ClientProbe& client) {
       std::optional request = client.first_request({.octets = 500, .count = 4});
       const std::vector<std::size_t> orders[] = {{4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}, {0, 0, 1, 1, 2, 2, 3, 3, 1, 4}};
       for (const auto& order : orders) {
         if (!request) return;
         client.stimulates(rule<"RAMCLOUD-fragNumber-6">);
         client.echo_in_order(*request, 100, order);
         request = client.expect_next(rule<"RAMCLOUD-fragNumber-6">);
       }
     }),
     Service::echo},
    not_taken({
        .id = "fragNumber/response-fragment-beyond-the-end",
        .rules = {&rule<"RAMCLOUD-fragNumber-7">, &rule<"RAMCLOUD-ack-3">},
        .purpose = "The client ignores fragments 2, 5 and 65535 of a response of two fragments, even with the octets "
                   "of fragment 1.",
        .trigger = {.octets = 64, .count = 2},
        .may_spoil = true,
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              client.echo_in_order(request, 32, {0});
              // A client that accepts one in place of the missing fragment has a complete response, and shows that by
              // its next request.
              for (const std::size_t number : {2u, 5u, 65535u})
                client.send(ClientProbe::data(request.header, number, 2), fragments_of(request.octets, 32).back());
            },
    }),
};

}  // namespace

std::vector<Case> frag_number_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

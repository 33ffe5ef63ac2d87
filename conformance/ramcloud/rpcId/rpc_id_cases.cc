// SPDX-License-Identifier: Apache-2.0
// "rpcId"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/rpcId/rules.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    not_executed({
        .id = "rpcId/old-request-is-not-executed",
        .rules = {&rule<"RAMCLOUD-rpcId-3">, &rule<"RAMCLOUD-rpcId-4">},
        .purpose = "The server does not execute requests with rpcIds 0 and 1 after RPCs 0, 1 and 2.",
        .expected = "no answer to the octets of the old request",
        .needs = Service::echo,
        .unwanted = [](const Received& packet, const ProbeSession&) { return carries(packet, text("an old one")); },
        .good_rpc = {.channel = 0, .id = 3},
        .good_request = "the next one",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              for (std::uint32_t id = 0; id < 3; ++id) server.prepare(session, {0, id}, text("in turn"));
              server.send(ServerProbe::data(session, {0, 0}), text("an old one"));
              server.send(ServerProbe::data(session, {0, 1}), text("an old one"));
            },
    }),
    not_executed({
        .id = "rpcId/skipped-request-is-not-executed",
        .rules = {&rule<"RAMCLOUD-rpcId-5">},
        .purpose = "The server does not execute requests with rpcIds 2, 1000 and 0xfffffffe after RPC 0.",
        .expected = "no answer to the octets of the early request",
        .needs = Service::echo,
        .unwanted = [](const Received& packet, const ProbeSession&) { return carries(packet, text("too early")); },
        .good_rpc = {.channel = 0, .id = 1},
        .good_request = "the next one",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              server.prepare(session, {0, 0}, text("the first"));
              for (const std::uint32_t id : {2u, 1000u, 0xfffffffeu})
                server.send(ServerProbe::data(session, {0, id}), text("too early"));
            },
    }),
    {"rpcId/response-of-another-rpc-is-not-taken",
     {&rule<"RAMCLOUD-rpcId-6">, &rule<"RAMCLOUD-rpcId-1">, &rule<"RAMCLOUD-rpcId-2">},
     "The client does not accept responses with the previous rpcId, the next one, or one far ahead.",
     with<ClientProbe>([](ClientProbe& client) {
       const ClientRequest first = client.first_request({.count = 3});
       const auto request = client.expect_to_go_on(rule<"RAMCLOUD-rpcId-6">, first);
       if (!request) return;
       client.expect_not_taken(rule<"RAMCLOUD-rpcId-6">, *request, [&] {
         for (const std::uint32_t step : {0xffffffffu, 1u, 1000u}) {
           Header other = ClientProbe::data(request->header);
           other.rpc_id += step;
           client.send(other, request->octets);
         }
       });
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> rpc_id_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

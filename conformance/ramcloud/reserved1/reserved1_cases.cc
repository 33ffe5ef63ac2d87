// SPDX-License-Identifier: Apache-2.0
// "flags.reserved1"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/reserved1/rules.h"

namespace wirelaw::ramcloud {
namespace {

const Case kCases[] = {
    {
        .id = "reserved1/request",
        .iut = Role::responder,
        .rules = {&rule<"RAMCLOUD-reserved1-2">, &rule<"RAMCLOUD-reserved1-1">},
        .purpose = "The server answers a request after the same request with the flag, and then the next request.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          server.stimulates(rule<"RAMCLOUD-reserved1-2">);
          server.send(ServerProbe::data_with(session, {0, 0}, {.reserved1 = true}), text("the same"));
          server.expect_echo(rule<"RAMCLOUD-reserved1-2">, session, {0, 0}, text("the same"));
          server.expect_echo(rule<"RAMCLOUD-reserved1-2">, session, {0, 1}, text("the next"));
        }),
    },
    {
        .id = "reserved1/response",
        .iut = Role::initiator,
        .rules = {&rule<"RAMCLOUD-reserved1-3">, &rule<"RAMCLOUD-reserved1-1">},
        .purpose = "The client continues after a response with the flag and the same response without it.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const ClientRequest request = client.first_request({.count = 2});
          client.stimulates(rule<"RAMCLOUD-reserved1-3">);
          client.send(ClientProbe::data_with(request.header, {.reserved1 = true}), request.octets);
          client.expect_to_go_on(rule<"RAMCLOUD-reserved1-3">, request);
        }),
    },
};

}  // namespace

std::span<const Case> reserved1_cases() {
  return kCases;
}

}  // namespace wirelaw::ramcloud

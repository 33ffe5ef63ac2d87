// SPDX-License-Identifier: Apache-2.0
// "flags.reserved1"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/reserved1/rules.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    {"reserved1/request",
     {&rule<"RAMCLOUD-reserved1-2">, &rule<"RAMCLOUD-reserved1-1">},
     "The server answers a request after the same request with the flag, and then the next request.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       server.stimulates(rule<"RAMCLOUD-reserved1-2">);
       server.send(ServerProbe::data_with(session, {0, 0}, {.reserved1 = true}), text("the same"));
       server.expect_echo(rule<"RAMCLOUD-reserved1-2">, session, {0, 0}, text("the same"));
       server.expect_echo(rule<"RAMCLOUD-reserved1-2">, session, {0, 1}, text("the next"));
     })},
    {"reserved1/response",
     {&rule<"RAMCLOUD-reserved1-3">, &rule<"RAMCLOUD-reserved1-1">},
     "The client continues after a response with the flag and the same response without it.",
     with<ClientProbe>([](ClientProbe& client) {
       const ClientRequest request = client.first_request({.count = 2});
       client.stimulates(rule<"RAMCLOUD-reserved1-3">);
       client.send(ClientProbe::data_with(request.header, {.reserved1 = true}), request.octets);
       client.expect_to_go_on(rule<"RAMCLOUD-reserved1-3">, request);
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> reserved1_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

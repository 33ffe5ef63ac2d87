// SPDX-License-Identifier: Apache-2.0
// "flags.direction"
#include "conformance/ramcloud/direction/rules.h"
#include "conformance/ramcloud/probes/case_file.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    not_executed({
        .id = "direction/request-with-the-flag-is-not-executed",
        .rules = {&rule<"RAMCLOUD-direction-3">, &rule<"RAMCLOUD-direction-1">},
        .purpose = "The server does not execute an otherwise valid request with flags.direction set.",
        .good_request = "from a client",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              server.send(ServerProbe::data_with(session, {0, 0}, {.direction = true}), text("from a server"));
            },
    }),
    not_taken({
        .id = "direction/response-without-the-flag-is-not-taken",
        .rules = {&rule<"RAMCLOUD-direction-4">, &rule<"RAMCLOUD-direction-2">},
        .purpose = "The client does not accept an otherwise valid response with flags.direction clear.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              Header response = ClientProbe::data(request.header);
              response.flags.direction = false;
              client.send(response, request.octets);
            },
    }),
};

}  // namespace

std::vector<Case> direction_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

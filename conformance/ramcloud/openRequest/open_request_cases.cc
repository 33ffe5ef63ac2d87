// SPDX-License-Identifier: Apache-2.0
// "PT_SESSION_OPEN": the request
#include "conformance/ramcloud/openRequest/rules.h"
#include "conformance/ramcloud/probes/case_file.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    {"openRequest/payload-does-no-harm",
     {&rule<"RAMCLOUD-openRequest-2">},
     "The server opens a session for a valid open request that follows open requests with 1 and 1374 octets of "
     "payload.",
     with<ServerProbe>([](ServerProbe& server) {
       server.stimulates(rule<"RAMCLOUD-openRequest-2">);
       server.send(ServerProbe::open_request(server.fresh_hint()), text("x"));
       server.send(ServerProbe::open_request(server.fresh_hint()), sample_octets(1374));
       const auto session = server.try_open();
       if (!server.require(rule<"RAMCLOUD-openRequest-2">, session.has_value(), "an open response", "none")) return;
       server.expect_echo(rule<"RAMCLOUD-openRequest-2">, *session, {0, 0}, text("in a good session"));
     })},
};

}  // namespace

std::vector<Case> open_request_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

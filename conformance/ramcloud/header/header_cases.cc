// SPDX-License-Identifier: Apache-2.0
// "RAMCloud RPC Header format"
#include "conformance/ramcloud/header/rules.h"
#include "conformance/ramcloud/probes/case_file.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    not_executed({
        .id = "header/server-drops-what-is-shorter",
        .rules = {&rule<"RAMCLOUD-header-6">, &rule<"RAMCLOUD-header-1">},
        .purpose = "The server does not answer the first 0 to 25 octets of a valid request or of an open request.",
        .expected = "no answer",
        .unwanted =
            [](const Received& packet, const ProbeSession& session) {
              return !(packet.is(PayloadType::session_open) && ServerProbe::is_to(packet, session));
            },
        .good_request = "whole",
        .explanation = "a valid request after the short ones",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              const OctetBuffer request = encode(ServerProbe::data(session, {0, 0}));
              const OctetBuffer open = encode(ServerProbe::open_request(server.fresh_hint()));
              for (std::size_t length = 0; length < layout::kHeader; ++length) {
                server.send_octets(Octets(request).first(length));
                server.send_octets(Octets(open).first(length));
              }
            },
    }),
    not_taken({
        .id = "header/client-drops-what-is-shorter",
        .rules = {&rule<"RAMCLOUD-header-7">, &rule<"RAMCLOUD-header-1">},
        .purpose = "The client does not accept the first 0 to 25 octets of a valid response.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              const OctetBuffer response = encode(ClientProbe::data(request.header));
              for (std::size_t length = 0; length < layout::kHeader; ++length)
                client.send_octets(Octets(response).first(length));
            },
    }),
};

}  // namespace

std::vector<Case> header_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

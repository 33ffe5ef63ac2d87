// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/probes/case_file.h"

namespace wirelaw::ramcloud {

CaseRow not_executed(const NotExecuted& row) {
  return {row.id, row.rules, row.purpose, with<ServerProbe>([row](ServerProbe& server) {
            const Rule& rule = *row.rules.front();
            const ProbeSession session = server.open_proven();
            server.stimulates(rule);
            row.send(server, session);
            server.expect_none(
                rule, [&](const Received& packet) { return row.unwanted(packet, session); }, row.expected);
            server.expect_echo(rule, session, row.good_rpc, text(row.good_request), row.explanation);
          }),
          row.needs};
}

CaseRow not_taken(const NotTaken& row) {
  return {row.id, row.rules, row.purpose, with<ClientProbe>([row](ClientProbe& client) {
            const ClientRequest request = client.first_request(row.trigger);
            const Rule& rule = *row.rules.front();
            client.stimulates(rule);
            if (client.ok()) row.send(client, request);
            if (row.may_spoil)
              return client.expect_still_lacking(rule, request, "the sender of such a fragment may itself be at fault");
            client.expect_no_next(rule, request);
            client.expect_to_go_on(rule, request);
          }),
          Service::echo};
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/probes/case_file.h"

#include <utility>

namespace wirelaw::ramcloud {

Case not_executed(NotExecuted row) {
  Case one{.id = row.id, .iut = Role::responder, .rules = row.rules, .purpose = row.purpose, .needs = row.needs};
  one.run = with<ServerProbe>([row = std::move(row)](ServerProbe& server) {
    const Rule& rule = *row.rules.front();
    const ProbeSession session = server.open_proven();
    server.stimulates(rule);
    row.send(server, session);
    server.expect_none(
        rule, [&](const Received& packet) { return row.unwanted(packet, session); }, row.expected);
    server.expect_echo(rule, session, row.good_rpc, text(row.good_request), row.explanation);
  });
  return one;
}

Case not_taken(NotTaken row) {
  Case one{.id = row.id, .iut = Role::initiator, .rules = row.rules, .purpose = row.purpose, .needs = Service::echo};
  one.run = with<ClientProbe>([row = std::move(row)](ClientProbe& client) {
    const ClientRequest request = client.first_request(row.trigger);
    const Rule& rule = *row.rules.front();
    client.stimulates(rule);
    if (client.ok()) row.send(client, request);
    if (row.may_spoil)
      return client.expect_still_lacking(rule, request, "the sender of such a fragment may itself be at fault");
    client.expect_no_next(rule, request);
    client.expect_to_go_on(rule, request);
  });
  return one;
}

}  // namespace wirelaw::ramcloud

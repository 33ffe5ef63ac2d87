// SPDX-License-Identifier: Apache-2.0
// Judges one packet with the installed libraries: a response without a request for a session.
#include <wirelaw/conformance/judge.h>
#include <wirelaw/conformance/protocol.h>
#include <wirelaw/reference/ramcloud/packet.h>

#include <cstdio>

int main() {
  using namespace wirelaw;
  const Protocol* protocol = find_protocol("ramcloud");
  if (protocol == nullptr) return 1;
  Judge judge(protocol->catalogue());
  judge.enter_flow("flow", "client", "server");
  const OctetBuffer octets =
      ramcloud::encode({.total_frags = 1, .payload_type = ramcloud::PayloadType::data, .flags = {.reserved1 = true}});
  protocol->observer({})->observe(message_of(octets, Side::a, 0), judge);
  for (const Finding& finding : judge.findings()) std::printf("%s\n", finding.rule->id.data());
  return judge.violations() == 1 ? 0 : 1;
}

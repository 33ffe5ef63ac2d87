// SPDX-License-Identifier: Apache-2.0
// "PT_SESSION_OPEN": the request
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kServer{"RAMCloud RPC, PT_SESSION_OPEN", Role::responder, Observable::stimulus};

constinit const Rule kPayloadDoesNoHarm = kServer.must(
    "RAMCLOUD-openRequest-2", "An open request with a payload is answered or ignored, and does the server no harm.");

constexpr const Rule* kRules[] = {&kPayloadDoesNoHarm};

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kPayloadDoesNoHarm, {open_payload_dies}), broken_by(kPayloadDoesNoHarm, kNoSessionOpens),
                 broken_by(kPayloadDoesNoHarm, kNoRpcCompletes));

const Case kCases[] = {
    {
        .id = "openRequest/payload-does-no-harm",
        .iut = Role::responder,
        .rules = {&kPayloadDoesNoHarm},
        .purpose = "After open requests with 1 and with 1374 octets of payload, a good one opens a session.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          server.stimulates(kPayloadDoesNoHarm);
          server.send(ServerProbe::open_request(server.fresh_hint()), text("x"));
          server.send(ServerProbe::open_request(server.fresh_hint()), pattern(1374));
          const auto session = server.try_open();
          if (!server.require(kPayloadDoesNoHarm, session.has_value(), "an open response", "none")) return;
          server.expect_echo(kPayloadDoesNoHarm, *session, {0, 0}, text("in a good session"));
        }),
    },
};

}  // namespace

SectionCases open_request_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
// "flags.reserved1"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, flags.reserved1"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kServerTolerates =
    kServer.must("RAMCLOUD-reserved1-2",
                 "A packet with flags.reserved1 is processed or dropped, and does the server no harm.", "RAMCLOUD/R29");
constinit const Rule kClientBearsIt =
    kClient.must("RAMCLOUD-reserved1-3",
                 "A packet with flags.reserved1 is processed or dropped, and does the client no harm.", "RAMCLOUD/R29");

constexpr const Rule* kRules[] = {&kServerTolerates, &kClientBearsIt};

using enum Deviation;
constexpr auto kBreaches = breach_table(broken_by(kServerTolerates, {reserved1_dies, sessions_share_channels}),
                                        broken_by(kClientBearsIt, {reserved1_dies}));

const Case kCases[] = {
    {
        .id = "reserved1/request",
        .iut = Role::responder,
        .rules = {&kServerTolerates, &kReserved1Clear},
        .purpose = "After a request with the flag, the same request without it is answered, and so is the next.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          server.stimulates(kServerTolerates);
          server.send(ServerProbe::data_with(session, {0, 0}, {.reserved1 = true}), text("the same"));
          server.expect_echo(kServerTolerates, session, {0, 0}, text("the same"));
          server.expect_echo(kServerTolerates, session, {0, 1}, text("the next"));
        }),
    },
    {
        .id = "reserved1/response",
        .iut = Role::initiator,
        .rules = {&kClientBearsIt, &kReserved1Clear},
        .purpose = "After a response with the flag and the same without it, the client goes on.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const ClientRequest request = client.first_request({.count = 2});
          client.stimulates(kClientBearsIt);
          client.send(ClientProbe::data_with(request.header, {.reserved1 = true}), request.octets);
          client.expect_to_go_on(kClientBearsIt, request);
        }),
    },
};

}  // namespace

SectionCases reserved1_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

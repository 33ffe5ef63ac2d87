// SPDX-License-Identifier: Apache-2.0
// "flags.direction"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::string_view kSection = "RAMCloud RPC, flags.direction";

constinit const Rule kServerWantsItClear =
    server_rule("RAMCLOUD-direction-3", Level::must, kSection,
                "A packet with flags.direction set is not taken for a client's request.");
constinit const Rule kClientWantsItSet =
    client_rule("RAMCLOUD-direction-4", Level::must, kSection,
                "A packet with flags.direction clear is not taken for a server's response.");

constexpr const Rule* kRules[] = {&kServerWantsItClear, &kClientWantsItSet};

}  // namespace

SectionCases direction_cases() {
  static const Case kCases[] = {
      {
          .id = "direction/request-with-the-flag-is-not-executed",
          .iut = Role::responder,
          .rules = {&kServerWantsItClear, &kServerSetsDirection},
          .purpose = "A good request with flags.direction set is not executed.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
            const ProbeSession session = server.open_proven();
            server.send(ServerProbe::data_with(session, {0, 0}, {.direction = true}), text("from a server"));
            server.expect_none(
                kServerWantsItClear, [](const Received& packet) { return packet.is(PayloadType::data); },
                "no response");
            server.expect_echo(kServerWantsItClear, session, {0, 0}, text("from a client"));
          }),
      },
      {
          .id = "direction/response-without-the-flag-is-not-taken",
          .iut = Role::initiator,
          .rules = {&kClientWantsItSet, &kClientClearsDirection},
          .purpose = "A good response with flags.direction clear is not taken.",
          .needs = Service::echo,
          .run = on_client([](ClientProbe& client) {
            const ClientRequest request = client.first_request({.count = 2});
            client.expect_not_taken(kClientWantsItSet, request, [&] {
              Header response = ClientProbe::data(request.header);
              response.flags.direction = false;
              client.send(response, request.octets);
            });
          }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
// "RAMCloud RPC Header format"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::string_view kSection = "RAMCloud RPC, RAMCloud RPC Header format";

constinit const Rule kServerDropsShort =
    server_rule("RAMCLOUD-header-6", Level::must, kSection,
                "A packet that is shorter than the header is dropped and does the server no harm.", "R30");
constinit const Rule kClientDropsShort =
    client_rule("RAMCLOUD-header-7", Level::must, kSection,
                "A packet that is shorter than the header is dropped and does the client no harm.", "R30");

constexpr const Rule* kRules[] = {&kServerDropsShort, &kClientDropsShort};

}  // namespace

SectionCases header_cases() {
  static const Case kCases[] = {
      {
          .id = "header/server-drops-what-is-shorter",
          .iut = Role::responder,
          .rules = {&kServerDropsShort, &kWholeHeader},
          .purpose = "The first 0 to 25 octets of a good request and of an open request get no answer.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
            const ProbeSession session = server.open_proven();
            const OctetBuffer request = encode(ServerProbe::data(session, {0, 0}));
            const OctetBuffer open = encode(ServerProbe::open_request(server.fresh_hint()));
            for (std::size_t length = 0; length < layout::kHeader; ++length) {
              server.send_octets(Octets(request).first(length));
              server.send_octets(Octets(open).first(length));
            }
            server.expect_none(
                kServerDropsShort,
                [&](const Received& packet) {
                  return !(packet.is(PayloadType::session_open) && ServerProbe::is_to(packet, session));
                },
                "no answer");
            server.expect_echo(kServerDropsShort, session, {0, 0}, text("whole"),
                               "a good request after the short ones");
          }),
      },
      {
          .id = "header/client-drops-what-is-shorter",
          .iut = Role::initiator,
          .rules = {&kClientDropsShort, &kWholeHeader},
          .purpose = "The first 0 to 25 octets of a good response are no response.",
          .needs = Service::echo,
          .run = on_client([](ClientProbe& client) {
            const ClientRequest request = client.first_request({.count = 2});
            const OctetBuffer response = encode(ClientProbe::data(request.header));
            client.expect_not_taken(kClientDropsShort, request, [&] {
              for (std::size_t length = 0; length < layout::kHeader; ++length)
                client.send_octets(Octets(response).first(length));
            });
          }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::ramcloud

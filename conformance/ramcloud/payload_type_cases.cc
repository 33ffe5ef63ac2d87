// SPDX-License-Identifier: Apache-2.0
// "payloadType", "PT_DATA"
#include <numeric>

#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::string_view kSection = "RAMCloud RPC, payloadType";

constinit const Rule kServerIgnoresReserved =
    server_rule("RAMCLOUD-payloadType-2", Level::must, kSection,
                "A packet of a reserved payload type is not executed and does the server's session no harm.", "R29");
constinit const Rule kClientIgnoresReserved =
    client_rule("RAMCLOUD-payloadType-3", Level::must, kSection,
                "A packet of a reserved payload type is no response and does the client no harm.", "R29");
constinit const Rule kPayloadIsOpaque =
    server_rule("RAMCLOUD-payloadType-4", Level::must, "RAMCloud RPC, PT_DATA",
                "The payload of DATA is opaque: any octets, and any number of them, arrive unaltered.");

constexpr const Rule* kRules[] = {&kServerIgnoresReserved, &kClientIgnoresReserved, &kPayloadIsOpaque};

constexpr unsigned kReserved[] = {3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

Header of_type(Header header, unsigned type) {
  header.payload_type = static_cast<PayloadType>(type);
  return header;
}

}  // namespace

SectionCases payload_type_cases() {
  static const Case kCases[] = {
      {
          .id = "payloadType/server-ignores-reserved-types",
          .iut = Role::responder,
          .rules = {&kServerIgnoresReserved, &kAssignedPayloadType},
          .purpose = "Requests of the payload types 3 and 5 to 15 are not answered, and the session goes on.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
            const ProbeSession session = server.open_proven();
            for (const unsigned type : kReserved)
              server.send(of_type(ServerProbe::data(session, {0, 0}), type), text("reserved"));
            server.expect_none(
                kServerIgnoresReserved,
                [&](const Received& packet) {
                  return ServerProbe::is_to(packet, session) && !packet.is(PayloadType::session_open);
                },
                "no answer");
            server.expect_echo(kServerIgnoresReserved, session, {0, 0}, text("a good request"));
          }),
      },
      {
          .id = "payloadType/client-ignores-reserved-types",
          .iut = Role::initiator,
          .rules = {&kClientIgnoresReserved, &kAssignedPayloadType},
          .purpose = "Answers of the payload types 3 and 5 to 15 are no response.",
          .needs = Service::echo,
          .run = on_client([](ClientProbe& client) {
            const ClientRequest request = client.first_request({.count = 2});
            client.expect_not_taken(kClientIgnoresReserved, request, [&] {
              for (const unsigned type : kReserved)
                client.send(of_type(ClientProbe::data(request.header), type), request.octets);
            });
          }),
      },
      {
          .id = "payloadType/data-is-opaque",
          .iut = Role::responder,
          .rules = {&kPayloadIsOpaque, &kAtLeastOneFragment, &kReserved1Clear, &kPleaseDropOnlyForTests},
          .purpose = "All octet values, no octet, one octet, a full fragment, one more, and 40000 come back unaltered.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
            const ProbeSession session = server.open();
            OctetBuffer every_value(256);
            std::iota(every_value.begin(), every_value.end(), Octet{0});
            server.expect_echo(kPayloadIsOpaque, session, {0, 0}, every_value);
            server.expect_echo(kPayloadIsOpaque, session, {0, 1}, OctetBuffer{});
            server.expect_echo(kPayloadIsOpaque, session, {0, 2}, text("x"));
            server.expect_echo(kPayloadIsOpaque, session, {0, 3}, pattern(1374));
            server.expect_echo(kPayloadIsOpaque, session, {0, 4}, pattern(1375));
            server.expect_echo(kPayloadIsOpaque, session, {0, 5}, pattern(40'000));
          }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
// "payloadType", "PT_DATA"
#include <numeric>

#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, payloadType"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);
constexpr Section kData{"RAMCloud RPC, PT_DATA", Role::responder, Observable::stimulus};

constinit const Rule kServerIgnoresReserved = kServer.must(
    "RAMCLOUD-payloadType-2",
    "A packet of a reserved payload type is not executed and does the server's session no harm.", "RAMCLOUD/R29");
constinit const Rule kClientIgnoresReserved =
    kClient.must("RAMCLOUD-payloadType-3",
                 "A packet of a reserved payload type is no response and does the client no harm.", "RAMCLOUD/R29");
constinit const Rule kPayloadIsOpaque =
    kData.must("RAMCLOUD-payloadType-4",
               "The payload of DATA is opaque: any octets, and any number of them, arrive unaltered.", "RAMCLOUD/R46");

constexpr const Rule* kRules[] = {&kServerIgnoresReserved, &kClientIgnoresReserved, &kPayloadIsOpaque};

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kServerIgnoresReserved, {reserved_type_dies, sessions_share_channels}),
                 broken_by(kClientIgnoresReserved, {reserved_type_dies}),
                 broken_by(kPayloadIsOpaque, {response_before_request_complete, total_frags_changes}),
                 broken_by(kPayloadIsOpaque, kNoRpcCompletes));

constexpr unsigned kReserved[] = {3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

Header of_type(Header header, unsigned type) {
  header.payload_type = static_cast<PayloadType>(type);
  return header;
}

const Case kCases[] = {
    not_executed({
        .id = "payloadType/server-ignores-reserved-types",
        .rules = {&kServerIgnoresReserved, &kAssignedPayloadType},
        .purpose = "Requests of the payload types 3 and 5 to 15 are not answered, and the session goes on.",
        .expected = "no answer",
        .unwanted =
            [](const Received& packet, const ProbeSession& session) {
              return ServerProbe::is_to(packet, session) && !packet.is(PayloadType::session_open);
            },
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              for (const unsigned type : kReserved)
                server.send(of_type(ServerProbe::data(session, {0, 0}), type), text("reserved"));
            },
    }),
    not_taken({
        .id = "payloadType/client-ignores-reserved-types",
        .rules = {&kClientIgnoresReserved, &kAssignedPayloadType},
        .purpose = "Answers of the payload types 3 and 5 to 15 are no response.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              for (const unsigned type : kReserved)
                client.send(of_type(ClientProbe::data(request.header), type), request.octets);
            },
    }),
    {
        .id = "payloadType/data-is-opaque",
        .iut = Role::responder,
        .rules = {&kPayloadIsOpaque, &kAtLeastOneFragment, &kReserved1Clear, &kPleaseDropOnlyForTests},
        .purpose = "All octet values, no octet, one octet, a full fragment, one more, and 40000 come back unaltered.",
        .needs = Service::echo,
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open();
          OctetBuffer every_value(256);
          std::iota(every_value.begin(), every_value.end(), Octet{0});
          server.expect_echo(kPayloadIsOpaque, session, {0, 0}, every_value);
          // The empty request may have arrived, and its empty response have no fragment (RAMCLOUD/R46).
          server.advise_echo(kPayloadIsOpaque, session, {0, 1}, fragments_of(OctetBuffer{}),
                             "an empty request, whose response is empty too: the one or the other was not sent");
          server.expect_echo(kPayloadIsOpaque, session, {0, 2}, text("x"));
          server.expect_echo(kPayloadIsOpaque, session, {0, 3}, pattern(1374));
          server.expect_echo(kPayloadIsOpaque, session, {0, 4}, pattern(1375));
          server.expect_echo(kPayloadIsOpaque, session, {0, 5}, pattern(40'000));
        }),
    },
};

}  // namespace

SectionCases payload_type_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

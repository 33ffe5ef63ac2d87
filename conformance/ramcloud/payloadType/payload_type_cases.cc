// SPDX-License-Identifier: Apache-2.0
// "payloadType", "PT_DATA"
#include <numeric>

#include "conformance/ramcloud/payloadType/rules.h"
#include "conformance/ramcloud/pleaseDrop/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/reserved1/rules.h"
#include "conformance/ramcloud/totalFrags/rules.h"

namespace wirelaw::ramcloud {
namespace {

constexpr unsigned kReserved[] = {3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

Header of_type(Header header, unsigned type) {
  header.payload_type = static_cast<PayloadType>(type);
  return header;
}

const CaseRow kRows[] = {
    not_executed({
        .id = "payloadType/server-ignores-reserved-types",
        .rules = {&rule<"RAMCLOUD-payloadType-2">, &rule<"RAMCLOUD-payloadType-1">},
        .purpose = "The server ignores requests with payload types 3 and 5 to 15, and the session continues.",
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
        .rules = {&rule<"RAMCLOUD-payloadType-3">, &rule<"RAMCLOUD-payloadType-1">},
        .purpose = "The client does not accept payload types 3 and 5 to 15 as a response.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              for (const unsigned type : kReserved)
                client.send(of_type(ClientProbe::data(request.header), type), request.octets);
            },
    }),
    {"payloadType/data-is-opaque",
     {&rule<"RAMCLOUD-payloadType-4">, &rule<"RAMCLOUD-totalFrags-1">, &rule<"RAMCLOUD-reserved1-1">,
      &rule<"RAMCLOUD-pleaseDrop-3">},
     "The server returns unaltered payloads of no octets, one octet, a full fragment, one octet more, 40000 octets, "
     "and with every octet value.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open();
       OctetBuffer every_value(256);
       std::iota(every_value.begin(), every_value.end(), Octet{0});
       server.expect_echo(rule<"RAMCLOUD-payloadType-4">, session, {0, 0}, every_value);
       // The empty request may have arrived, and its empty response have no fragment (RAMCLOUD/R46).
       server.advise_echo(rule<"RAMCLOUD-payloadType-4">, session, {0, 1}, fragments_of(OctetBuffer{}),
                          "an empty request, whose response is empty too: one of the two was not sent");
       server.expect_echo(rule<"RAMCLOUD-payloadType-4">, session, {0, 2}, text("x"));
       server.expect_echo(rule<"RAMCLOUD-payloadType-4">, session, {0, 3}, sample_octets(1374));
       server.expect_echo(rule<"RAMCLOUD-payloadType-4">, session, {0, 4}, sample_octets(1375));
       server.expect_echo(rule<"RAMCLOUD-payloadType-4">, session, {0, 5}, sample_octets(40'000));
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> payload_type_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

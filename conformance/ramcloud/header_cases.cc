// SPDX-License-Identifier: Apache-2.0
// "RAMCloud RPC Header format"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, RAMCloud RPC Header format"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kServerDropsShort =
    kServer.must("RAMCLOUD-header-6",
                 "A packet that is shorter than the header is dropped and does the server no harm.", "RAMCLOUD/R30");
constinit const Rule kClientDropsShort =
    kClient.must("RAMCLOUD-header-7",
                 "A packet that is shorter than the header is dropped and does the client no harm.", "RAMCLOUD/R30");

constexpr const Rule* kRules[] = {&kServerDropsShort, &kClientDropsShort};

using enum Deviation;
constexpr auto kBreaches = breach_table(broken_by(kServerDropsShort, {short_packet_dies, sessions_share_channels}),
                                        broken_by(kClientDropsShort, {short_packet_dies}));

const Case kCases[] = {
    not_executed({
        .id = "header/server-drops-what-is-shorter",
        .rules = {&kServerDropsShort, &kWholeHeader},
        .purpose = "The first 0 to 25 octets of a good request and of an open request get no answer.",
        .expected = "no answer",
        .unwanted =
            [](const Received& packet, const ProbeSession& session) {
              return !(packet.is(PayloadType::session_open) && ServerProbe::is_to(packet, session));
            },
        .good_request = "whole",
        .explanation = "a good request after the short ones",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              const OctetBuffer request = encode(ServerProbe::data(session, {0, 0}));
              const OctetBuffer open = encode(ServerProbe::open_request(server.fresh_hint()));
              for (std::size_t length = 0; length < layout::kHeader; ++length) {
                server.send_octets(Octets(request).first(length));
                server.send_octets(Octets(open).first(length));
              }
            },
    }),
    not_taken({
        .id = "header/client-drops-what-is-shorter",
        .rules = {&kClientDropsShort, &kWholeHeader},
        .purpose = "The first 0 to 25 octets of a good response are no response.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              const OctetBuffer response = encode(ClientProbe::data(request.header));
              for (std::size_t length = 0; length < layout::kHeader; ++length)
                client.send_octets(Octets(response).first(length));
            },
    }),
};

}  // namespace

SectionCases header_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

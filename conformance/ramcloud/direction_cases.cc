// SPDX-License-Identifier: Apache-2.0
// "flags.direction"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, flags.direction"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kServerWantsItClear =
    kServer.must("RAMCLOUD-direction-3", "A packet with flags.direction set is not taken for a client's request.");
constinit const Rule kClientWantsItSet =
    kClient.must("RAMCLOUD-direction-4", "A packet with flags.direction clear is not taken for a server's response.");

constexpr const Rule* kRules[] = {&kServerWantsItClear, &kClientWantsItSet};

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kServerWantsItClear, {direction_ignored_on_receipt, sessions_share_channels}),
                 broken_by(kClientWantsItSet, {direction_ignored_on_receipt}));

const Case kCases[] = {
    not_executed({
        .id = "direction/request-with-the-flag-is-not-executed",
        .rules = {&kServerWantsItClear, &kServerSetsDirection},
        .purpose = "A good request with flags.direction set is not executed.",
        .good_request = "from a client",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              server.send(ServerProbe::data_with(session, {0, 0}, {.direction = true}), text("from a server"));
            },
    }),
    not_taken({
        .id = "direction/response-without-the-flag-is-not-taken",
        .rules = {&kClientWantsItSet, &kClientClearsDirection},
        .purpose = "A good response with flags.direction clear is not taken.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              Header response = ClientProbe::data(request.header);
              response.flags.direction = false;
              client.send(response, request.octets);
            },
    }),
};

}  // namespace

SectionCases direction_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
// "flags.pleaseDrop"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, flags.pleaseDrop"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kServerDrops =
    kServer.must("RAMCLOUD-pleaseDrop-1",
                 "The server drops a packet with flags.pleaseDrop: no session, no execution, no ACK.", "RAMCLOUD/R34");
constinit const Rule kClientDrops =
    kClient.must("RAMCLOUD-pleaseDrop-2", "The client drops a packet with flags.pleaseDrop.", "RAMCLOUD/R34");

constexpr const Rule* kRules[] = {&kServerDrops, &kClientDrops};

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kServerDrops, {please_drop_ignored, please_drop_ignored_on_open, please_drop_acked,
                                          response_before_request_complete, sessions_share_channels}),
                 broken_by(kServerDrops, kNoSessionOpens), broken_by(kClientDrops, {please_drop_ignored}));

const Case kCases[] = {
    {
        .id = "pleaseDrop/open-request",
        .iut = Role::responder,
        .rules = {&kServerDrops},
        .purpose = "An open request with the flag opens nothing; without it, it does.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          Header open = ServerProbe::open_request(server.fresh_hint());
          open.flags.please_drop = true;
          server.send(open);
          server.expect_none(
              kServerDrops, [](const Received&) { return true; }, "no answer");
          const auto session = server.try_open({.client_hint = open.client_session_hint});
          server.require(kServerDrops, session.has_value(), "an answer to the request without the flag", "none");
        }),
    },
    not_executed({
        .id = "pleaseDrop/request",
        .rules = {&kServerDrops, &kPleaseDropOnlyForTests},
        .purpose = "A request with the flag is not executed; without it, it is.",
        .good_request = "to be executed",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              server.send(ServerProbe::data_with(session, {0, 0}, {.please_drop = true}), text("to be dropped"));
            },
    }),
    {
        .id = "pleaseDrop/request-that-asks-for-an-ACK",
        .iut = Role::responder,
        .rules = {&kServerDrops},
        .purpose = "A fragment with the flag gets no ACK, although it asks for one.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          const auto halves = fragments_of(text("first half second half"), 11);
          server.send(ServerProbe::data_with(session, {0, 0}, {.request_ack = true, .please_drop = true}, 0, 2),
                      halves[0]);
          server.expect_none(
              kServerDrops,
              [](const Received& packet) { return packet.is(PayloadType::ack) || packet.is(PayloadType::data); },
              "no ACK");
          server.expect_echo(kServerDrops, session, {0, 0}, halves);
        }),
    },
    not_taken({
        .id = "pleaseDrop/response",
        .rules = {&kClientDrops, &kPleaseDropOnlyForTests},
        .purpose = "A response with the flag is neither taken nor acknowledged.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              client.watch([&](const Received& packet) {
                client.require(kClientDrops, !ClientProbe::is_ack(packet, request.rpc()), "no ACK", to_text(packet));
              });
              client.send(ClientProbe::data_with(request.header, {.request_ack = true, .please_drop = true}, 0, 2),
                          text("to be dropped"));
              client.send(ClientProbe::data_with(request.header, {.please_drop = true}), text("to be dropped"));
            },
    }),
};

}  // namespace

SectionCases please_drop_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

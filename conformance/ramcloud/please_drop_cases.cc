// SPDX-License-Identifier: Apache-2.0
// "flags.pleaseDrop"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::string_view kSection = "RAMCloud RPC, flags.pleaseDrop";

constinit const Rule kServerDrops =
    server_rule("RAMCLOUD-pleaseDrop-1", Level::must, kSection,
                "The server drops a packet with flags.pleaseDrop: no session, no execution, no ACK.", "R34");
constinit const Rule kClientDrops = client_rule("RAMCLOUD-pleaseDrop-2", Level::must, kSection,
                                                "The client drops a packet with flags.pleaseDrop.", "R34");

constexpr const Rule* kRules[] = {&kServerDrops, &kClientDrops};

}  // namespace

SectionCases please_drop_cases() {
  static const Case kCases[] = {
      {
          .id = "pleaseDrop/open-request",
          .iut = Role::responder,
          .rules = {&kServerDrops},
          .purpose = "An open request with the flag opens nothing; without it, it does.",
          .run = on_server([](ServerProbe& server) {
            Header open = ServerProbe::open_request(server.fresh_hint());
            open.flags.please_drop = true;
            server.send(open);
            server.expect_none(
                kServerDrops, [](const Received&) { return true; }, "no answer");
            const auto session = server.try_open({.client_hint = open.client_session_hint});
            server.require(kServerDrops, session.has_value(), "an answer to the request without the flag", "none");
          }),
      },
      {
          .id = "pleaseDrop/request",
          .iut = Role::responder,
          .rules = {&kServerDrops, &kPleaseDropOnlyForTests},
          .purpose = "A request with the flag is not executed; without it, it is.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
            const ProbeSession session = server.open_proven();
            server.send(ServerProbe::data_with(session, {0, 0}, {.please_drop = true}), text("to be dropped"));
            server.expect_none(
                kServerDrops, [](const Received& packet) { return packet.is(PayloadType::data); }, "no response");
            server.expect_echo(kServerDrops, session, {0, 0}, text("to be executed"));
          }),
      },
      {
          .id = "pleaseDrop/request-that-asks-for-an-ACK",
          .iut = Role::responder,
          .rules = {&kServerDrops},
          .purpose = "A fragment with the flag gets no ACK, although it asks for one.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
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
      {
          .id = "pleaseDrop/response",
          .iut = Role::initiator,
          .rules = {&kClientDrops, &kPleaseDropOnlyForTests},
          .purpose = "A response with the flag is neither taken nor acknowledged.",
          .needs = Service::echo,
          .run = on_client([](ClientProbe& client) {
            const ClientRequest request = client.first_request({.count = 2});
            client.watch([&](const Received& packet) {
              client.require(kClientDrops, !ClientProbe::is_ack(packet, request.rpc()), "no ACK", to_text(packet));
            });
            client.expect_not_taken(kClientDrops, request, [&] {
              client.send(ClientProbe::data_with(request.header, {.request_ack = true, .please_drop = true}, 0, 2),
                          text("to be dropped"));
              client.send(ClientProbe::data_with(request.header, {.please_drop = true}), text("to be dropped"));
            });
          }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::ramcloud

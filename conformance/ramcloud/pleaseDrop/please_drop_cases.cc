// SPDX-License-Identifier: Apache-2.0
// "flags.pleaseDrop"
#include "conformance/ramcloud/pleaseDrop/rules.h"
#include "conformance/ramcloud/probes/case_file.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    {"pleaseDrop/open-request",
     {&rule<"RAMCLOUD-pleaseDrop-1">},
     "The server ignores an open request with the flag, and answers the same request without it.",
     with<ServerProbe>([](ServerProbe& server) {
       Header open = ServerProbe::open_request(server.fresh_hint());
       open.flags.please_drop = true;
       server.send(open);
       server.expect_none(
           rule<"RAMCLOUD-pleaseDrop-1">, [](const Received&) { return true; }, "no answer");
       const auto session = server.try_open({.client_hint = open.client_session_hint});
       server.require(rule<"RAMCLOUD-pleaseDrop-1">, session.has_value(), "an answer to the request without the flag",
                      "none");
     })},
    not_executed({
        .id = "pleaseDrop/request",
        .rules = {&rule<"RAMCLOUD-pleaseDrop-1">, &rule<"RAMCLOUD-pleaseDrop-3">},
        .purpose = "The server does not execute a request with the flag, and executes the same request without it.",
        .good_request = "to be executed",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              server.send(ServerProbe::data_with(session, {0, 0}, {.please_drop = true}), text("to be dropped"));
            },
    }),
    {"pleaseDrop/request-that-asks-for-an-ACK",
     {&rule<"RAMCLOUD-pleaseDrop-1">},
     "The server sends no ACK for a fragment with the flag, although the fragment asks for one.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       const auto halves = fragments_of(text("first half second half"), 11);
       server.send(ServerProbe::data_with(session, {0, 0}, {.request_ack = true, .please_drop = true}, 0, 2),
                   halves[0]);
       server.expect_none(
           rule<"RAMCLOUD-pleaseDrop-1">,
           [](const Received& packet) { return packet.is(PayloadType::ack) || packet.is(PayloadType::data); },
           "no ACK");
       server.expect_echo(rule<"RAMCLOUD-pleaseDrop-1">, session, {0, 0}, halves);
     })},
    not_taken({
        .id = "pleaseDrop/response",
        .rules = {&rule<"RAMCLOUD-pleaseDrop-2">, &rule<"RAMCLOUD-pleaseDrop-3">},
        .purpose = "The client neither accepts nor acknowledges a response with the flag.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              client.watch([&](const Received& packet) {
                client.require(rule<"RAMCLOUD-pleaseDrop-2">, !ClientProbe::is_ack(packet, request.rpc()), "no ACK",
                               to_text(packet));
              });
              client.send(ClientProbe::data_with(request.header, {.request_ack = true, .please_drop = true}, 0, 2),
                          text("to be dropped"));
              client.send(ClientProbe::data_with(request.header, {.please_drop = true}), text("to be dropped"));
            },
    }),
};

}  // namespace

std::vector<Case> please_drop_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

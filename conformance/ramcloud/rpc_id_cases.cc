// SPDX-License-Identifier: Apache-2.0
// "rpcId"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::string_view kSection = "RAMCloud RPC, rpcId";

constinit const Rule kOldNotExecuted = server_rule("RAMCLOUD-rpcId-3", Level::must, kSection,
                                                   "A request with the rpcId of an earlier RPC is not executed.");
constinit const Rule kSkippedNotExecuted = server_rule(
    "RAMCLOUD-rpcId-5", Level::should, kSection, "A request whose rpcId skips one or more is not executed.", "R10");
constinit const Rule kOtherRpcNoResponse =
    client_rule("RAMCLOUD-rpcId-6", Level::must, kSection,
                "A packet with an earlier or a later rpcId is not taken for the response.");

constexpr const Rule* kRules[] = {&kOldNotExecuted, &kSkippedNotExecuted, &kOtherRpcNoResponse};

}  // namespace

SectionCases rpc_id_cases() {
  static const Case kCases[] = {
      {
          .id = "rpcId/old-request-is-not-executed",
          .iut = Role::responder,
          .rules = {&kOldNotExecuted, &kRpcIdOfTheRequest},
          .purpose = "After the RPCs 0, 1 and 2, requests with the rpcIds 0 and 1 are not executed.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
            const ProbeSession session = server.open_proven();
            for (std::uint32_t id = 0; id < 3; ++id) server.prepare(session, {0, id}, text("in turn"));
            server.send(ServerProbe::data(session, {0, 0}), text("an old one"));
            server.send(ServerProbe::data(session, {0, 1}), text("an old one"));
            server.expect_none(
                kOldNotExecuted, [](const Received& packet) { return carries(packet, text("an old one")); },
                "no answer to the octets of the old request");
            server.expect_echo(kOldNotExecuted, session, {0, 3}, text("the next one"));
          }),
      },
      {
          .id = "rpcId/skipped-request-is-not-executed",
          .iut = Role::responder,
          .rules = {&kSkippedNotExecuted},
          .purpose = "After RPC 0, requests with the rpcIds 2, 1000 and 0xfffffffe are not executed.",
          .needs = Service::echo,
          .run = on_server([](ServerProbe& server) {
            const ProbeSession session = server.open_proven();
            server.prepare(session, {0, 0}, text("the first"));
            for (const std::uint32_t id : {2u, 1000u, 0xfffffffeu})
              server.send(ServerProbe::data(session, {0, id}), text("too early"));
            server.expect_none(
                kSkippedNotExecuted, [](const Received& packet) { return carries(packet, text("too early")); },
                "no answer to the octets of the early request");
            server.expect_echo(kSkippedNotExecuted, session, {0, 1}, text("the next one"));
          }),
      },
      {
          .id = "rpcId/response-of-another-rpc-is-not-taken",
          .iut = Role::initiator,
          .rules = {&kOtherRpcNoResponse, &kRpcIdStartsAtZero, &kRpcIdStepsByOne},
          .purpose = "Responses with the rpcId before, the one after, and one far ahead are not taken.",
          .needs = Service::echo,
          .run = on_client([](ClientProbe& client) {
            const ClientRequest first = client.first_request({.count = 3});
            const auto request = client.expect_to_go_on(kOtherRpcNoResponse, first);
            if (!request) return;
            client.expect_not_taken(kOtherRpcNoResponse, *request, [&] {
              for (const std::uint32_t step : {0xffffffffu, 1u, 1000u}) {
                Header other = ClientProbe::data(request->header);
                other.rpc_id += step;
                client.send(other, request->octets);
              }
            });
          }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::ramcloud

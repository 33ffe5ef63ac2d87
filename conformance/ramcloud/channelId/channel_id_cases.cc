// SPDX-License-Identifier: Apache-2.0
// "channelId"
#include "conformance/ramcloud/channelId/rules.h"
#include "conformance/ramcloud/probes/case_file.h"

namespace wirelaw::ramcloud {
namespace {

const CaseRow kRows[] = {
    not_executed({
        .id = "channelId/beyond-the-bound-is-not-executed",
        .rules = {&rule<"RAMCLOUD-channelId-3">},
        .purpose = "The server does not execute requests on channel maxChannelId + 1 or on channel 255.",
        .expected = "no response, or BAD_SESSION",
        .good_request = "within bounds",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              if (session.max_channel_id == 255) return server.skip("the server allows every channel ID");
              const auto above = static_cast<std::uint8_t>(session.max_channel_id + 1);
              server.send(ServerProbe::data(session, {.channel = above, .id = 0}), text("out of bounds"));
              server.send(ServerProbe::data(session, {.channel = 255, .id = 0}), text("out of bounds"));
            },
    }),
    not_taken({
        .id = "channelId/response-on-another-channel-is-not-taken",
        .rules = {&rule<"RAMCLOUD-channelId-4">, &rule<"RAMCLOUD-channelId-1">},
        .purpose =
            "The client does not accept its response on the next channel, on the last channel or on channel 255.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              for (const unsigned channel : {request.header.channel_id + 1u, 7u - request.header.channel_id, 255u}) {
                Header other = ClientProbe::data(request.header);
                other.channel_id = static_cast<std::uint8_t>(channel);
                client.send(other, request.octets);
              }
            },
    }),
    {"channelId/client-honours-bound-0",
     {&rule<"RAMCLOUD-channelId-5">, &rule<"RAMCLOUD-channelId-1">},
     "If the open response has maxChannelId 0, the client sends three concurrent requests on channel 0 only.",
     with<ClientProbe>([](ClientProbe& client) {
       client.trigger({.octets = 32, .count = 3, .parallel = true});
       client.accept(client.await_open(), {.max_channel_id = 0});
       client.watch([&](const Received& packet) {
         if (packet.is(PayloadType::data))
           client.require(rule<"RAMCLOUD-channelId-5">, packet.header.channel_id == 0, "channel 0", to_text(packet));
       });
       bool any = false;
       for (int i = 0; i < 3; ++i) {
         const auto request = client.next_request();
         if (!request) break;
         any = true;
         client.echo(*request);
       }
       if (client.ok() && !any && !client.may_lack_answer())
         client.advise(rule<"RAMCLOUD-channelId-5">, false, "requests on channel 0", "none",
                       "the client seems to read the octet as a number of channels");
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> channel_id_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
// "channelId"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, channelId"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kBeyondBoundNotExecuted = kServer.must(
    "RAMCLOUD-channelId-3", "A request on a channel above the server's bound is not executed.", "RAMCLOUD/R28");
constinit const Rule kOtherChannelNoResponse = kClient.must(
    "RAMCLOUD-channelId-4", "A packet on another channel than the request's is not taken for its response.");
constinit const Rule kHonoursBoundZero =
    kClient.must("RAMCLOUD-channelId-5",
                 "Where the bound is 0 the client uses channel 0 alone, however many requests it has.", "RAMCLOUD/R1");

constexpr const Rule* kRules[] = {&kBeyondBoundNotExecuted, &kOtherChannelNoResponse, &kHonoursBoundZero};

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kBeyondBoundNotExecuted, {channel_out_of_range_executed, sessions_share_channels}),
                 broken_by(kOtherChannelNoResponse, {wrong_channel_response_accepted}),
                 broken_by(kHonoursBoundZero, {channel_beyond_max}),
                 broken_by(kHonoursBoundZero, {big_endian_header, frag_number_from_one, total_frags_zero},
                           {.severity = Severity::warning}));

const Case kCases[] = {
    not_executed({
        .id = "channelId/beyond-the-bound-is-not-executed",
        .rules = {&kBeyondBoundNotExecuted},
        .purpose = "Requests on the channel above the bound and on channel 255 are not executed.",
        .expected = "no response, or BAD_SESSION",
        .good_request = "within bounds",
        .send =
            [](ServerProbe& server, const ProbeSession& session) {
              if (session.max_channel_id == 255) return server.skip("the server allows every channel id");
              const auto above = static_cast<std::uint8_t>(session.max_channel_id + 1);
              server.send(ServerProbe::data(session, {.channel = above, .id = 0}), text("out of bounds"));
              server.send(ServerProbe::data(session, {.channel = 255, .id = 0}), text("out of bounds"));
            },
    }),
    not_taken({
        .id = "channelId/response-on-another-channel-is-not-taken",
        .rules = {&kOtherChannelNoResponse, &kChannelWithinBounds},
        .purpose = "The response on the next channel, on the last one and on channel 255 is not taken.",
        .send =
            [](ClientProbe& client, const ClientRequest& request) {
              for (const unsigned channel : {request.header.channel_id + 1u, 7u - request.header.channel_id, 255u}) {
                Header other = ClientProbe::data(request.header);
                other.channel_id = static_cast<std::uint8_t>(channel);
                client.send(other, request.octets);
              }
            },
    }),
    {
        .id = "channelId/client-honours-bound-0",
        .iut = Role::initiator,
        .rules = {&kHonoursBoundZero, &kChannelWithinBounds},
        .purpose = "Where the open response has 0, three requests at once all travel on channel 0.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          client.trigger({.octets = 32, .count = 3, .parallel = true});
          client.accept(client.await_open(), {.max_channel_id = 0});
          client.watch([&](const Received& packet) {
            if (packet.is(PayloadType::data))
              client.require(kHonoursBoundZero, packet.header.channel_id == 0, "channel 0", to_text(packet));
          });
          bool any = false;
          for (int i = 0; i < 3; ++i) {
            const auto request = client.next_request();
            if (!request) break;
            any = true;
            client.echo(*request);
          }
          if (client.ok() && !any && !client.may_lack_answer())
            client.advise(kHonoursBoundZero, false, "requests on channel 0", "none",
                          "the client seems to take the octet for a number of channels");
        }),
    },
};

}  // namespace

SectionCases channel_id_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

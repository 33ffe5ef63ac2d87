// SPDX-License-Identifier: Apache-2.0
// "Session Open Response Payload Format"
#include <fmt/format.h>

#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, Session Open Response Payload Format"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kBoundIsInclusive =
    kServer.must("RAMCLOUD-openResponse-3", "maxChannelId is a channel id that can be used, the largest one.",
                 "RAMCLOUD/R1: implementations since 2010-08 send the number of channels");
constinit const Rule kLateResponseIgnored =
    kClient.must("RAMCLOUD-openResponse-5", "An open response for a session that is in use is ignored.", "RAMCLOUD/R7");
constinit const Rule kEmptyResponseDoesNoHarm =
    kClient.must("RAMCLOUD-openResponse-6", "An open response without its payload does the client no harm.");

constexpr const Rule* kRules[] = {&kBoundIsInclusive, &kLateResponseIgnored, &kEmptyResponseDoesNoHarm};

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kBoundIsInclusive, {bound_too_high}),
                 broken_by(kBoundIsInclusive, {highest_channel_refused}, {.severity = Severity::warning}),
                 broken_by(kLateResponseIgnored, {token_alternates, token_not_used}),
                 broken_by(kEmptyResponseDoesNoHarm, {empty_open_response_dies, big_endian_header, frag_number_from_one,
                                                      client_hint_changes, total_frags_zero, never_retransmits}));

const Case kCases[] = {
    {
        .id = "openResponse/maxChannelId-is-usable",
        .iut = Role::responder,
        .rules = {&kBoundIsInclusive, &kOpenResponseHasMaxChannel, &kOpenResponseIsOneOctet, &kOpenResponseWasAskedFor},
        .purpose = "An RPC goes through on the channel that maxChannelId names.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          const std::uint8_t highest = session.max_channel_id;
          const bool usable = server.call(session, {.channel = highest, .id = 0}, text("highest")).has_value();
          if (usable || highest == 0)
            server.require(kBoundIsInclusive, usable, fmt::format("a response on channel {}", highest), "none");
          else if (server.call(session, {.channel = static_cast<std::uint8_t>(highest - 1), .id = 0}, text("below")))
            server.advise(kBoundIsInclusive, false, fmt::format("a response on channel {}", highest), "none",
                          "the channel below works: the octet seems to be a number of channels");
          else
            server.require(kBoundIsInclusive, false, fmt::format("a response on channel {}", highest),
                           "none, nor on the channel below");
        }),
    },
    {
        .id = "openResponse/late-one-is-ignored",
        .iut = Role::initiator,
        .rules = {&kLateResponseIgnored, &kClientKeepsToken, &kClientEchoesServerHint},
        .purpose = "An open response with other values, sent while a request is open, changes nothing.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const Offer used{.token = 0x1122334455667788, .server_hint = 0x0a0b0c0d};
          const Offer late{.token = 0xfedcba9876543210, .server_hint = 0x01020304, .max_channel_id = 0};
          const ClientRequest request = client.first_request({.count = 3}, used);
          const Octet bound[] = {late.max_channel_id};
          client.stimulates(kLateResponseIgnored);
          client.send(ClientProbe::open_response(request.header, late), bound);
          auto next = client.expect_to_go_on(kLateResponseIgnored, request);
          for (int i = 0; i < 2 && next; ++i) {
            client.require(kLateResponseIgnored, next->header.session_token == used.token, "the token in use",
                           "another token");
            if (i == 0) next = client.expect_to_go_on(kLateResponseIgnored, *next);
          }
        }),
    },
    {
        .id = "openResponse/empty-one-does-no-harm",
        .iut = Role::initiator,
        .rules = {&kEmptyResponseDoesNoHarm, &kOpenRequestEmpty},
        .purpose = "After an open response without payload the client asks again or goes on; a good one is taken.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          client.trigger({.count = 1});
          const Header open = client.await_open();
          client.stimulates(kEmptyResponseDoesNoHarm);
          client.send(ClientProbe::open_response(open, {}));
          const auto sign = client.await(client.in(client.patience()), [](const Received& packet) {
            return packet.is(PayloadType::session_open) || packet.is(PayloadType::data);
          });
          if (!client.ok()) return;
          client.require(kEmptyResponseDoesNoHarm, sign.has_value(), "an open request again, or a request",
                         to_text(sign));
          client.accept(sign && sign->is(PayloadType::session_open) ? sign->header : open);
          auto request = sign && sign->is(PayloadType::data) ? client.serve(*sign) : std::nullopt;
          if (!request) request = client.next_request();
          client.require(kEmptyResponseDoesNoHarm, request.has_value(), "a request", "none");
          if (request) client.echo(*request);
        }),
    },
};

}  // namespace

SectionCases open_response_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

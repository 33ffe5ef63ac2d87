// SPDX-License-Identifier: Apache-2.0
// "Sessions and Channels"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, Sessions and Channels"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kOpenIsAnswered =
    kServer.must("RAMCLOUD-session-2", "The server answers an open request with an open response.");
constinit const Rule kChannelsAreFree =
    kServer.must("RAMCLOUD-session-3",
                 "Every channel within the bounds of a session can be used without another handshake.", "RAMCLOUD/R1");
constinit const Rule kSessionsAreApart = kServer.must(
    "RAMCLOUD-session-4", "Sessions are independent: the same channel and rpcId in two sessions are two RPCs.");
constinit const Rule kChannelsAreParallel =
    kServer.must("RAMCLOUD-session-5", "An unfinished request on one channel does not hold up an RPC on another.");
constinit const Rule kNextDoesNoHarm = kServer.must(
    "RAMCLOUD-session-10",
    "A request that comes on a channel while the RPC before it is executed there does the server no harm.");
constinit const Rule kOneAfterTheOther =
    kClient.must("RAMCLOUD-session-7",
                 "A client that has several requests and may use only one channel performs them one after the other.");

constexpr const Rule* kRules[] = {&kOpenIsAnswered,      &kChannelsAreFree, &kSessionsAreApart,
                                  &kChannelsAreParallel, &kNextDoesNoHarm,  &kOneAfterTheOther};

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kOpenIsAnswered, kNoSessionOpens), broken_by(kChannelsAreFree, {bound_too_high}),
                 broken_by(kChannelsAreFree, kNoRpcCompletes),
                 broken_by(kSessionsAreApart,
                           {sessions_share_channels, response_before_request_complete, duplicate_fragment_appended}),
                 broken_by(kChannelsAreParallel, {one_rpc_at_a_time, response_before_request_complete,
                                                  duplicate_fragment_appended, sessions_share_channels}),
                 broken_by(kNextDoesNoHarm, {next_rpc_dies, sessions_share_channels}),
                 broken_by(kOneAfterTheOther, {next_rpc_before_response}));

const Case kCases[] = {
    {
        .id = "session/open-request-is-answered",
        .iut = Role::responder,
        .rules = {&kOpenIsAnswered, &kServerSetsDirection, &kPayloadTypeInHighBits, &kFlagsInLowBits, &kLittleEndian,
                  &kClientHintInOpenResponse},
        .purpose = "The server answers an open request.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const auto session = server.try_open();
          server.require(kOpenIsAnswered, session.has_value(), "a session open response", "none");
        }),
    },
    {
        .id = "session/every-channel-is-usable",
        .iut = Role::responder,
        .rules = {&kChannelsAreFree, &kAnswerOnChannelOfRequest, &kRpcIdOfTheRequest},
        .purpose = "An RPC goes through on every channel of one session.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open();
          // The highest id is left to openResponse-3: where the octet is a count it is out of bounds.
          const unsigned channels = std::max<unsigned>(session.max_channel_id, 1);
          for (unsigned id = 0; id < channels && server.ok(); ++id)
            server.expect_echo(kChannelsAreFree, session, {.channel = static_cast<std::uint8_t>(id), .id = 0},
                               text("channel " + std::to_string(id)));
        }),
    },
    {
        .id = "session/sessions-are-independent",
        .iut = Role::responder,
        .rules = {&kSessionsAreApart, &kTokensDiffer},
        .purpose = "Channel 0, rpcId 0 of two sessions, one request arriving amid the other, are two RPCs.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession one = server.open_proven();
          const ProbeSession two = server.open();
          const auto halves = fragments_of(text("first half second half"), 11);
          server.send_good(ServerProbe::data(one, {0, 0}, 0, 2), halves[0]);
          server.stimulates(kSessionsAreApart);
          server.expect_echo(kSessionsAreApart, two, {0, 0}, text("the other session"));
          server.expect_echo(kSessionsAreApart, one, {0, 0}, halves);
          server.expect_echo(kSessionsAreApart, two, {0, 1}, text("the other session goes on"));
          server.expect_echo(kSessionsAreApart, one, {0, 1}, text("so does the first"));
        }),
    },
    {
        .id = "session/an-unfinished-request-holds-up-no-other-channel",
        .iut = Role::responder,
        .rules = {&kChannelsAreParallel, &kNoResponseBeforeRequest},
        .purpose = "While half a request is on channel 0, an RPC on channel 1 goes through.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          if (session.max_channel_id < 2)
            return server.skip("the server may have offered no second channel (RAMCLOUD/R1)");
          const auto halves = fragments_of(text("first half second half"), 11);
          server.send_good(ServerProbe::data(session, {.channel = 0, .id = 0}, 0, 2), halves[0]);
          server.stimulates(kChannelsAreParallel);
          server.expect_echo(kChannelsAreParallel, session, {.channel = 1, .id = 0}, text("not held up"));
          server.expect_echo(kChannelsAreParallel, session, {.channel = 0, .id = 0}, halves);
        }),
    },
    {
        .id = "session/the-next-request-amid-an-execution",
        .iut = Role::responder,
        .rules = {&kNextDoesNoHarm},
        .purpose = "Requests that do not wait for the response to the one before leave the server alive.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          server.stimulates(kNextDoesNoHarm);
          for (std::uint32_t id = 0; id < 16; id += 2) {
            server.send(ServerProbe::data(session, {0, id}), text("to be executed"));
            server.send(ServerProbe::data(session, {0, id + 1}), text("too early"));
            server.settle();
          }
          server.ignore(session.client_hint);
          server.expect_unharmed(kNextDoesNoHarm);
        }),
    },
    {
        .id = "session/client-uses-one-channel-for-one-request-at-a-time",
        .iut = Role::initiator,
        .rules = {&kOneAfterTheOther, &kPayloadTypeInHighBits, &kFlagsInLowBits, &kLittleEndian, &kOneRpcPerChannel,
                  &kRpcIdStartsAtZero, &kRpcIdStepsByOne, &kSessionBeforeData},
        .purpose = "Three requests at once on a session with channel 0 alone come one after the other.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          client.trigger({.octets = 32, .count = 3, .parallel = true});
          client.accept(client.await_open(), {.max_channel_id = 0});
          auto request = client.next_request();
          if (!request) return client.inconclusive("no request where channel 0 alone is offered (RAMCLOUD/R1)");
          client.expect_no_next(kOneAfterTheOther, *request);
          request = client.expect_to_go_on(kOneAfterTheOther, *request);
          if (!request) return;
          client.expect_no_next(kOneAfterTheOther, *request);
          client.expect_to_go_on(kOneAfterTheOther, *request);
        }),
    },
};

}  // namespace

SectionCases session_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
// "PT_BAD_SESSION"
#include "conformance/ramcloud/case_file.h"

namespace wirelaw::ramcloud {
namespace {

constexpr Section kSection = Section{"RAMCloud RPC, PT_BAD_SESSION"}.by(Observable::stimulus);
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kUnknownIsCalledBad =
    kServer.should("RAMCLOUD-badSession-4", "A packet of an invalid session is answered with BAD_SESSION.");
constinit const Rule kValidIsNotCalledBad =
    kServer.must("RAMCLOUD-badSession-6", "A packet of a valid session is not answered with BAD_SESSION.");
constinit const Rule kInvalidNotExecuted =
    kServer.must("RAMCLOUD-badSession-7", "A request of an invalid session is not executed.", "RAMCLOUD/R9");
constinit const Rule kServerBearsBadSession =
    kServer.must("RAMCLOUD-badSession-8", "A BAD_SESSION that is sent to a server does no harm.");
constinit const Rule kReopeningIsFinite = kClient.should(
    "RAMCLOUD-badSession-9", "A client whose sessions are all called bad gives up: it does not open new ones for ever.",
    "RAMCLOUD/R27");
constinit const Rule kRepeatedIsTheSame = kClient.must(
    "RAMCLOUD-badSession-10",
    "A request that is sent again in a new session is the same: nothing of another is left in it.", "RAMCLOUD/R27");

constexpr const Rule* kRules[] = {&kRepeatedIsTheSame,  &kUnknownIsCalledBad,    &kValidIsNotCalledBad,
                                  &kInvalidNotExecuted, &kServerBearsBadSession, &kReopeningIsFinite};

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kUnknownIsCalledBad, {bad_session_not_sent, big_endian_header, wrong_token_accepted,
                                    bad_session_wrong_client_hint, executes_bad_session}),
    broken_by(kBadSessionIsLeft, {old_session_after_bad_session, token_not_used}),
    broken_by(kValidIsNotCalledBad, {bad_session_for_valid, token_not_accepted}),
    broken_by(kInvalidNotExecuted, {executes_bad_session, sessions_share_channels}),
    broken_by(kServerBearsBadSession, {bad_session_dies, response_before_request_complete, duplicate_fragment_appended,
                                       sessions_share_channels}),
    broken_by(kReopeningIsFinite, {reopens_for_ever}), broken_by(kRepeatedIsTheSame, {old_octets_in_repeated_request}));

// More opens than any client makes that means to give up.
constexpr unsigned kManyOpens = 100;
// Packets that may have been under way when BAD_SESSION reached the client, or while it was lost.
constexpr unsigned kUnderWay = 5;

Header unknown_session(ServerProbe& server) {
  return {.session_token = 0x0123456789abcdef,
          .client_session_hint = server.fresh_hint(),
          .server_session_hint = 0xfffffff0,
          .total_frags = 1};
}

void expect_bad_session(ServerProbe& server, const Header& offending) {
  std::optional<Received> answer;
  for (unsigned attempt = 1; attempt <= Probe::kTries && server.ok() && !answer; ++attempt) {
    server.send(offending, text("invalid"));
    const bool last = attempt == Probe::kTries;
    answer =
        server.await(server.in(last ? server.run().answer_time() : server.retry_time()), [&](const Received& packet) {
          return packet.is(PayloadType::bad_session) &&
                 packet.header.client_session_hint == offending.client_session_hint;
        });
  }
  server.require(kUnknownIsCalledBad, answer.has_value(), "BAD_SESSION", "nothing");
}

// Calls the session bad until a request comes in another; nothing where none comes.
std::optional<ClientRequest> request_in_another_session(ClientProbe& client, const ClientRequest& request) {
  client.send(ClientProbe::bad_session(request.header));
  for (unsigned under_old_token = 0; under_old_token <= kUnderWay;) {
    const auto packet = client.receive(client.in(client.run().answer_time()));
    if (!packet) break;
    if (!packet->is(PayloadType::session_open) && packet->header.session_token == request.header.session_token) {
      ++under_old_token;
      client.send(ClientProbe::bad_session(packet->header));
    } else if (auto again = client.serve(*packet)) {
      return again;
    }
  }
  return std::nullopt;
}

// A client may report an error and go on with its next request (RAMCLOUD/R27): then another follows that one.
void expect_the_same_again(ClientProbe& client) {
  const ClientRequest first = client.first_request({.count = 4});
  client.echo(first);
  const auto request = client.next_request();
  if (!request) return client.inconclusive("the client made no second request");
  const auto again = request_in_another_session(client, *request);
  if (!again) return client.inconclusive("the client sent no request in another session");
  client.echo(*again);
  const bool good = again->octets == request->octets || client.next_request().has_value();
  if (client.ok())
    client.require(kRepeatedIsTheSame, good, "the octets of the request before, or the next request",
                   "other octets, whose echo the client does not take for its own");
}

const Case kCases[] = {
    {
        .id = "badSession/answers-an-unknown-session",
        .iut = Role::responder,
        .rules = {&kUnknownIsCalledBad, &kBadSessionEmpty, &kBadSessionNamesClient},
        .purpose = "A request with token and hint of no session is answered with BAD_SESSION.",
        .run = with<ServerProbe>([](ServerProbe& server) { expect_bad_session(server, unknown_session(server)); }),
    },
    {
        .id = "badSession/answers-a-wrong-token",
        .iut = Role::responder,
        .rules = {&kUnknownIsCalledBad, &kBadSessionEmpty, &kBadSessionNamesClient},
        .purpose = "A request with the hint of a session and another token is answered with BAD_SESSION.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          Header request = ServerProbe::data(server.open(), {0, 0});
          request.session_token ^= 0xffff;
          expect_bad_session(server, request);
        }),
    },
    not_executed({
        .id = "badSession/invalid-session-is-not-executed",
        .rules = {&kInvalidNotExecuted},
        .purpose = "A request of a session that was never opened gets no response.",
        .good_request = "opened",
        .send = [](ServerProbe& server,
                   const ProbeSession&) { server.send(unknown_session(server), text("never opened")); },
    }),
    {
        .id = "badSession/valid-session-is-not-called-bad",
        .iut = Role::responder,
        .rules = {&kValidIsNotCalledBad},
        .purpose = "RPCs, repeated requests and stray ACKs of a valid session get no BAD_SESSION.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open();
          server.watch([&](const Received& packet) {
            if (ServerProbe::is_to(packet, session))
              server.require(kValidIsNotCalledBad, !packet.is(PayloadType::bad_session), "no BAD_SESSION",
                             to_text(packet));
          });
          server.prepare(session, {0, 0}, text("one fragment"));
          server.prepare(session, {0, 0}, text("one fragment"));
          server.prepare(session, {0, 1}, pattern(5000));
          server.send(ServerProbe::ack(session, {0, 1}), encode_ack({.first_missing_frag = 4}));
          server.send(ServerProbe::ack(session, {0, 7}), encode_ack({.first_missing_frag = 1}));
          server.prepare(session, {0, 2}, text("one fragment"));
        }),
    },
    {
        .id = "badSession/does-the-server-no-harm",
        .iut = Role::responder,
        .rules = {&kServerBearsBadSession},
        .purpose = "A BAD_SESSION amid a request changes nothing.",
        .run = with<ServerProbe>([](ServerProbe& server) {
          const ProbeSession session = server.open_proven();
          const auto halves = fragments_of(text("first half second half"), 11);
          server.send_good(ServerProbe::data(session, {0, 0}, 0, 2), halves[0]);
          Header bad = ServerProbe::data(session, {0, 0}, 0, 0);
          bad.payload_type = PayloadType::bad_session;
          server.stimulates(kServerBearsBadSession);
          server.send(bad);
          server.expect_echo(kServerBearsBadSession, session, {0, 0}, halves);
          server.expect_echo(kServerBearsBadSession, session, {0, 1}, text("goes on"));
        }),
    },
    {
        .id = "badSession/client-leaves-the-session",
        .iut = Role::initiator,
        .rules = {&kBadSessionIsLeft, &kRpcIdRestartsWithSession, &kRpcIdStartsAtZero, &kBadSessionFromServer},
        .purpose = "After BAD_SESSION the client opens a new session or gives up, and never uses the old token.",
        .needs = Service::echo,
        .run = with<ClientProbe>([](ClientProbe& client) {
          const ClientRequest first = client.first_request({.count = 3});
          const auto request = client.expect_to_go_on(kBadSessionIsLeft, first);
          if (!request) return;
          const std::uint64_t old_token = request->header.session_token;
          client.stimulates(kBadSessionIsLeft);
          client.send(ClientProbe::bad_session(request->header));
          unsigned under_old_token = 0;
          while (const auto packet = client.receive(client.in(client.run().answer_time()))) {
            if (!packet->is(PayloadType::session_open) && packet->header.session_token == old_token) {
              client.require(kBadSessionIsLeft, ++under_old_token <= kUnderWay, "no packet with the old token",
                             to_text(*packet), "each such packet was answered with BAD_SESSION");
              client.send(ClientProbe::bad_session(packet->header));
            } else if (const auto again = client.serve(*packet)) {
              client.echo(*again);
            }
          }
          client.require(kBadSessionIsLeft, true, {}, {});
        }),
    },
    {
        .id = "badSession/the-request-comes-again-as-it-was",
        .iut = Role::initiator,
        .rules = {&kRepeatedIsTheSame},
        .purpose = "The second request, sent again in another session after BAD_SESSION, has the octets that it had.",
        .needs = Service::echo,
        .run = with<ClientProbe>(expect_the_same_again),
    },
    {
        .id = "badSession/client-does-not-reopen-for-ever",
        .iut = Role::initiator,
        .rules = {&kReopeningIsFinite},
        .purpose = "Where each of its sessions is called bad, the client stops after a number of attempts.",
        .run = with<ClientProbe>([](ClientProbe& client) {
          client.trigger({.count = 1});
          Header open = client.await_open();
          unsigned opens = 0;
          std::optional<Received> packet;
          do {
            if (!packet || packet->is(PayloadType::session_open)) {
              ++opens;
              client.require(kReopeningIsFinite, opens <= kManyOpens, "an end to the open requests",
                             std::to_string(opens) + " of them");
              if (packet) open = packet->header;
              const Offer offer{.token = 0x1122334455667788 + opens * 0x5bd1e9955bd1e995u, .server_hint = opens};
              client.send_good(ClientProbe::open_response(open, offer), Octets(&offer.max_channel_id, 1));
            } else {
              client.send_good(ClientProbe::bad_session(packet->header));  // it may give up in any way
            }
            packet = client.receive(client.in(client.patience()));
          } while (packet);
        }),
    },
};

}  // namespace

SectionCases bad_session_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::ramcloud

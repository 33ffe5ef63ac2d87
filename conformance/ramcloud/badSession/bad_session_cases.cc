// SPDX-License-Identifier: Apache-2.0
// "PT_BAD_SESSION"
#include "conformance/ramcloud/badSession/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/rpcId/rules.h"

namespace wirelaw::ramcloud {
namespace {

// More open requests than a client sends that gives up at all.
constexpr unsigned kManyOpens = 100;
// Limit on the packets that may have been in transit when BAD_SESSION reached the client, or while it was lost.
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
  server.require(rule<"RAMCLOUD-badSession-4">, answer.has_value(), "BAD_SESSION", "nothing");
}

// Answers BAD_SESSION until a request comes in another session; nothing if none comes.
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

// A client may report an error and continue with its next request (RAMCLOUD/R27).
void expect_the_same_again(ClientProbe& client) {
  const ClientRequest first = client.first_request({.count = 4});
  client.echo(first);
  const auto request = client.next_request();
  if (!request) return client.inconclusive("the client sent no second request");
  const auto again = request_in_another_session(client, *request);
  if (!again) return client.inconclusive("the client sent no request in another session");
  client.echo(*again);
  const bool good = again->octets == request->octets || client.next_request().has_value();
  if (client.ok())
    client.require(rule<"RAMCLOUD-badSession-10">, good, "the octets of the previous request, or the next request",
                   "other octets, whose echo the client does not accept as its own");
}

const CaseRow kRows[] = {
    {"badSession/answers-an-unknown-session",
     {&rule<"RAMCLOUD-badSession-4">, &rule<"RAMCLOUD-badSession-1">, &rule<"RAMCLOUD-badSession-3">},
     "The server answers a request whose token and hint belong to no session with BAD_SESSION.",
     with<ServerProbe>([](ServerProbe& server) { expect_bad_session(server, unknown_session(server)); })},
    {"badSession/answers-a-wrong-token",
     {&rule<"RAMCLOUD-badSession-4">, &rule<"RAMCLOUD-badSession-1">, &rule<"RAMCLOUD-badSession-3">},
     "The server answers a request with the hint of a session and another token with BAD_SESSION.",
     with<ServerProbe>([](ServerProbe& server) {
       Header request = ServerProbe::data(server.open(), {0, 0});
       request.session_token ^= 0xffff;
       expect_bad_session(server, request);
     })},
    not_executed({
        .id = "badSession/invalid-session-is-not-executed",
        .rules = {&rule<"RAMCLOUD-badSession-7">},
        .purpose = "The server sends no response to a request of a session that was never opened.",
        .good_request = "opened",
        .send = [](ServerProbe& server,
                   const ProbeSession&) { server.send(unknown_session(server), text("never opened")); },
    }),
    {"badSession/valid-session-is-not-called-bad",
     {&rule<"RAMCLOUD-badSession-6">},
     "The server sends no BAD_SESSION for RPCs, repeated requests and stray ACKs of a valid session.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open();
       server.watch([&](const Received& packet) {
         if (ServerProbe::is_to(packet, session))
           server.require(rule<"RAMCLOUD-badSession-6">, !packet.is(PayloadType::bad_session), "no BAD_SESSION",
                          to_text(packet));
       });
       server.prepare(session, {0, 0}, text("one fragment"));
       server.prepare(session, {0, 0}, text("one fragment"));
       server.prepare(session, {0, 1}, sample_octets(5000));
       server.send(ServerProbe::ack(session, {0, 1}), encode_ack({.first_missing_frag = 4}));
       server.send(ServerProbe::ack(session, {0, 7}), encode_ack({.first_missing_frag = 1}));
       server.prepare(session, {0, 2}, text("one fragment"));
     })},
    {"badSession/does-the-server-no-harm",
     {&rule<"RAMCLOUD-badSession-8">},
     "The server ignores a BAD_SESSION between the fragments of a request.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       const auto halves = fragments_of(text("first half second half"), 11);
       server.send_good(ServerProbe::data(session, {0, 0}, 0, 2), halves[0]);
       Header bad = ServerProbe::data(session, {0, 0}, 0, 0);
       bad.payload_type = PayloadType::bad_session;
       server.stimulates(rule<"RAMCLOUD-badSession-8">);
       server.send(bad);
       server.expect_echo(rule<"RAMCLOUD-badSession-8">, session, {0, 0}, halves);
       server.expect_echo(rule<"RAMCLOUD-badSession-8">, session, {0, 1}, text("goes on"));
     })},
    {"badSession/client-leaves-the-session",
     {&rule<"RAMCLOUD-badSession-5">, &rule<"RAMCLOUD-rpcId-7">, &rule<"RAMCLOUD-rpcId-1">,
      &rule<"RAMCLOUD-badSession-2">},
     "After BAD_SESSION, the client opens a new session or gives up, and never uses the old token.",
     with<ClientProbe>([](ClientProbe& client) {
       const ClientRequest first = client.first_request({.count = 3});
       const auto request = client.expect_to_go_on(rule<"RAMCLOUD-badSession-5">, first);
       if (!request) return;
       const std::uint64_t old_token = request->header.session_token;
       client.stimulates(rule<"RAMCLOUD-badSession-5">);
       client.send(ClientProbe::bad_session(request->header));
       unsigned under_old_token = 0;
       while (const auto packet = client.receive(client.in(client.run().answer_time()))) {
         if (!packet->is(PayloadType::session_open) && packet->header.session_token == old_token) {
           client.require(rule<"RAMCLOUD-badSession-5">, ++under_old_token <= kUnderWay, "no packet with the old token",
                          to_text(*packet), "each such packet was answered with BAD_SESSION");
           client.send(ClientProbe::bad_session(packet->header));
         } else if (const auto again = client.serve(*packet)) {
           client.echo(*again);
         }
       }
       client.require(rule<"RAMCLOUD-badSession-5">, true, {}, {});
     }),
     Service::echo},
    {"badSession/the-request-comes-again-as-it-was",
     {&rule<"RAMCLOUD-badSession-10">},
     "After BAD_SESSION, the client sends the second request in another session with the same octets.",
     with<ClientProbe>(expect_the_same_again),
     Service::echo},
    {"badSession/client-does-not-reopen-for-ever",
     {&rule<"RAMCLOUD-badSession-9">},
     "The client stops after a finite number of attempts if each of its sessions is rejected with BAD_SESSION.",
     with<ClientProbe>([](ClientProbe& client) {
       client.trigger({.count = 1});
       Header open = client.await_open();
       unsigned opens = 0;
       std::optional<Received> packet;
       do {
         if (!packet || packet->is(PayloadType::session_open)) {
           ++opens;
           client.require(rule<"RAMCLOUD-badSession-9">, opens <= kManyOpens, "an end to the open requests",
                          std::to_string(opens) + " of them");
           if (packet) open = packet->header;
           const Offer offer{.token = 0x1122334455667788 + opens * 0x5bd1e9955bd1e995u, .server_hint = opens};
           client.send_good(ClientProbe::open_response(open, offer), Octets(&offer.max_channel_id, 1));
         } else {
           client.send_good(ClientProbe::bad_session(packet->header));  // the client may give up in any way
         }
         packet = client.receive(client.in(client.patience()));
       } while (packet);
     })},
};

}  // namespace

std::vector<Case> bad_session_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

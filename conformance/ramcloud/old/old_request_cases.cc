// SPDX-License-Identifier: Apache-2.0
// "Old": "Single packet request is lost", "Multi-packet request is lost"
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "conformance/ramcloud/ack/rules.h"
#include "conformance/ramcloud/fragNumber/rules.h"
#include "conformance/ramcloud/old/rules.h"
#include "conformance/ramcloud/probes/case_file.h"
#include "conformance/ramcloud/probes/needless_resends.h"
#include "conformance/ramcloud/requestAck/rules.h"
#include "conformance/ramcloud/totalFrags/rules.h"

namespace wirelaw::ramcloud {
namespace {

constexpr unsigned kWithheldRounds = 4;
// A client that repeats itself every 10 ms has sent its next packets before an answer to the first can be there. For
// one that repeats itself every 100 ms, each repetition is a round, even if the tester receives some of them late: with
// more than kWithheldRounds losses, it may give up.
constexpr std::chrono::milliseconds kInFlight{50};

// Answers nothing, and expects that the client falls silent.
void expect_an_end(ClientProbe& client, const Rule& rule, std::size_t octets) {
  client.trigger({.octets = octets, .count = 1});
  client.accept(client.await_open());
  std::map<unsigned, unsigned> times;  // number of times sent, by fragment
  while (const auto packet = client.receive(client.in(client.patience()))) {
    if (packet->is(PayloadType::session_open) && times.empty()) client.serve(*packet);
    if (!packet->is(PayloadType::data)) continue;
    const unsigned often = ++times[packet->header.frag_number];
    if (often < kManyRepetitions) continue;
    client.advise(rule, false, "an end to the repetitions", fmt::format("{} of them", often), kEndIsOpen);
    return;
  }
  client.require(rule, !times.empty(), {}, {});
  if (times.empty()) client.inconclusive("the client sent no request");
}

// Receives a request, treating one fragment as lost for some rounds; nothing if the case has ended. A packet of any
// earlier request may still be in transit.
std::optional<ClientRequest> receive_without(ClientProbe& client, std::uint16_t withheld,
                                             std::span<const Rpc> earlier) {
  client.stimulates(rule<"RAMCLOUD-old-9">);
  NeedlessResends resends(withheld, kWithheldRounds, kInFlight);
  FragmentsHere here;
  std::optional<Rpc> current;
  while (const auto packet = client.receive(client.in(client.patience()))) {
    const Header& header = packet->header;
    const bool is_late = std::ranges::any_of(earlier, [&](const Rpc& one) { return belongs_to(header, one); });
    if (!packet->is(PayloadType::data) || is_late) {
      client.serve(*packet);
      continue;
    }
    if (!current) current = {header.channel_id, header.rpc_id};
    if (!belongs_to(header, *current)) break;
    const bool lost = resends.lose(header.frag_number, client.now());
    if (!client.require(rule<"RAMCLOUD-old-9">, !resends.found(), fmt::format("fragment {} alone", withheld),
                        to_text(*packet), "fragments that were acknowledged were sent again, twice"))
      return std::nullopt;
    if (lost) continue;
    here.add(header.frag_number, header.total_frags, packet->payload);
    if (header.flags.request_ack) resends.acknowledge(here.ack());
    if (auto request = client.serve(*packet)) return request;
  }
  client.require(rule<"RAMCLOUD-old-9">, resends.rounds() != 1, fmt::format("fragment {} again", withheld), "silence");
  client.inconclusive("the client gave up before it had sent the whole request");
  return std::nullopt;
}

const CaseRow kRows[] = {
    {"old/lost-request-is-repeated",
     {&rule<"RAMCLOUD-old-1">, &rule<"RAMCLOUD-fragNumber-5">},
     "The client repeats an unanswered request of one packet with the same octets.",
     with<ClientProbe>([](ClientProbe& client) {
       const ClientRequest request = client.first_request({.octets = 64, .count = 2});
       client.stimulates(rule<"RAMCLOUD-old-1">);  // the stimulus is silence
       const auto again = client.await(client.in(client.patience()), [&](const Received& packet) {
         return ClientProbe::is_request(packet, request.rpc());
       });
       if (!client.ok()) return;
       client.require(rule<"RAMCLOUD-old-1">, again && again->payload == request.octets, "the same request again",
                      to_text(again));
       client.expect_to_go_on(rule<"RAMCLOUD-old-1">, request);
     }),
     Service::echo},
    {"old/client-gives-up-a-request",
     {&rule<"RAMCLOUD-old-2">},
     "The client repeats an unanswered request of one packet a finite number of times.",
     with<ClientProbe>([](ClientProbe& client) { expect_an_end(client, rule<"RAMCLOUD-old-2">, 64); })},
    {"old/client-gives-up-a-long-request",
     {&rule<"RAMCLOUD-old-11">},
     "The client repeats an unanswered request of several packets a finite number of times.",
     with<ClientProbe>([](ClientProbe& client) { expect_an_end(client, rule<"RAMCLOUD-old-11">, 5000); })},
    {"old/client-asks-what-is-missing",
     {&rule<"RAMCLOUD-old-8">, &rule<"RAMCLOUD-requestAck-4">},
     "After an unanswered request of several packets, the client sends a packet that asks for an ACK.",
     with<ClientProbe>([](ClientProbe& client) {
       client.trigger({.octets = 5000, .count = 2});
       client.accept(client.await_open());
       const auto first = client.await_data();
       if (!first) return client.inconclusive("the client sent no request");
       if (first->header.total_frags < 2) return client.skip("the client sends 5000 octets in one packet");
       client.stimulates(rule<"RAMCLOUD-old-8">);  // the stimulus is silence
       const auto asks = client.await(client.in(client.patience()), [](const Received& packet) {
         return packet.is(PayloadType::data) && packet.header.flags.request_ack;
       });
       if (!client.ok()) return;
       if (!client.require(rule<"RAMCLOUD-old-8">, asks.has_value(), "DATA of the request with requestAck", "none"))
         return;
       client.serve(*first);
       auto request = client.serve(*asks);
       if (!request) request = client.next_request();
       if (request) client.expect_to_go_on(rule<"RAMCLOUD-old-8">, *request);
     }),
     Service::echo},
    {"old/client-resends-what-is-missing",
     {&rule<"RAMCLOUD-old-9">, &rule<"RAMCLOUD-fragNumber-5">, &rule<"RAMCLOUD-fragNumber-1">,
      &rule<"RAMCLOUD-totalFrags-2">},
     "If any one packet of a request of several packets is lost, the client sends only that packet again.",
     with<ClientProbe>([](ClientProbe& client) {
       client.trigger({.octets = 5000, .count = 4});
       client.accept(client.await_open());
       std::vector<Rpc> earlier;
       for (std::uint16_t withheld = 0; withheld < 4; ++withheld) {
         const auto request = receive_without(client, withheld, earlier);
         if (!request) return;
         earlier.push_back(request->rpc());
         client.echo(*request);
       }
     }),
     Service::echo},
    {"old/server-tells-which-fragment-is-missing",
     {&rule<"RAMCLOUD-old-10">, &rule<"RAMCLOUD-ack-13">},
     "If any one of 6 fragments of a request is lost, the server's ACK reports it, and that fragment completes the "
     "request.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open_proven();
       for (std::uint16_t lost = 0; lost < 6 && server.ok(); ++lost) {
         const Rpc rpc{.channel = 0, .id = lost};
         const auto message = fragments_of(sample_octets(600, lost), 100);
         std::vector<std::uint16_t> sent;
         for (std::uint16_t number = 0; number < 6; ++number)
           if (number != lost) sent.push_back(number);
         const Ack wanted{.first_missing_frag = lost, .staging_vector = (1u << (5 - lost)) - 1};
         server.stimulates(rule<"RAMCLOUD-old-10">);
         const auto ack = server.ask_for_ack(session, rpc, message, sent, wanted);
         if (!server.ok()) return;
         const auto reported = ack ? decode_ack(ack->payload) : std::nullopt;
         server.require(rule<"RAMCLOUD-old-10">, reported == wanted, to_text(wanted),
                        reported ? to_text(*reported) : "no ACK");
         server.send(ServerProbe::data(session, rpc, lost, 6), message[lost]);
         server.expect_echo(rule<"RAMCLOUD-old-10">, session, rpc, message, {}, {.send_first = false});
       }
     })},
};

}  // namespace

std::vector<Case> old_request_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
// "Acknowledgement Response Payload Format"
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>

#include "conformance/ramcloud/ack/rules.h"
#include "conformance/ramcloud/fragNumber/rules.h"
#include "conformance/ramcloud/header/rules.h"
#include "conformance/ramcloud/probes/case_file.h"

namespace wirelaw::ramcloud {
namespace {

// Fragments that arrive, of which the last one requests an ACK, and the contents that this ACK must have.
struct Pattern {
  std::vector<std::uint16_t> sent;
  Ack wanted;
};

const std::vector<Pattern>& gaps() {  // in a message of 8 fragments
  static const std::vector<Pattern> kGaps{
      {{0}, {.first_missing_frag = 1, .staging_vector = 0}},
      {{1}, {.first_missing_frag = 0, .staging_vector = 0b1}},
      {{0, 1, 2}, {.first_missing_frag = 3, .staging_vector = 0}},
      {{0, 1, 3, 4}, {.first_missing_frag = 2, .staging_vector = 0b11}},
      {{7, 5, 3, 1}, {.first_missing_frag = 0, .staging_vector = 0b1010101}},
      {{0, 1, 2, 3, 4, 5, 7}, {.first_missing_frag = 6, .staging_vector = 0b1}},
      {{2, 1, 0, 6}, {.first_missing_frag = 3, .staging_vector = 0b100}},
  };
  return kGaps;
}

std::vector<std::uint16_t> fragments(std::uint16_t first, std::uint16_t last, std::uint16_t step = 1) {
  std::vector<std::uint16_t> numbers;
  for (unsigned number = first; number <= last; number += step) numbers.push_back(static_cast<std::uint16_t>(number));
  return numbers;
}

const std::vector<Pattern>& staged() {  // in a message of 40 fragments
  static const std::vector<Pattern> kStaged{
      {{0, 2}, {.first_missing_frag = 1, .staging_vector = 0x00000001}},
      {{0, 3}, {.first_missing_frag = 1, .staging_vector = 0x00000002}},
      {{0, 9}, {.first_missing_frag = 1, .staging_vector = 0x00000080}},
      {{0, 10}, {.first_missing_frag = 1, .staging_vector = 0x00000100}},
      {{0, 33}, {.first_missing_frag = 1, .staging_vector = 0x80000000}},
      {fragments(1, 32), {.first_missing_frag = 0, .staging_vector = 0xffffffff}},
      {fragments(1, 31, 2), {.first_missing_frag = 0, .staging_vector = 0x55555555}},
      {fragments(0, 32, 2), {.first_missing_frag = 1, .staging_vector = 0x55555555}},
  };
  return kStaged;
}

std::string text_of(const std::optional<Received>& packet) {
  const auto ack = packet ? decode_ack(packet->payload) : std::nullopt;
  return ack ? to_text(*ack) : fmt::format("an ACK of {} octets", packet ? packet->payload.size() : 0);
}

void expect_acks(ServerProbe& server, const Rule& rule, std::size_t total, const std::vector<Pattern>& patterns) {
  const ProbeSession session = server.open_proven();
  Rpc rpc{.channel = 0, .id = 0};
  for (const Pattern& pattern_ : patterns) {
    const auto message = fragments_of(sample_octets(total * 10, rpc.id), 10);
    server.stimulates(rule);
    const auto ack = server.ask_for_ack(session, rpc, message, pattern_.sent, pattern_.wanted);
    if (!ack) return server.inconclusive("no ACK came");
    server.require(rule, decode_ack(ack->payload) == pattern_.wanted, to_text(pattern_.wanted), text_of(ack));
    server.expect_echo(rule, session, rpc, message);
    ++rpc.id;
  }
}

void expect_acks(ClientProbe& client, const Rule& rule, std::size_t total, const std::vector<Pattern>& patterns) {
  std::optional request =
      client.first_request({.octets = total * 10, .count = static_cast<unsigned>(patterns.size()) + 1});
  for (const Pattern& pattern_ : patterns) {
    if (!request) return;
    const auto message = fragments_of(request->octets, 10);
    client.stimulates(rule);
    const auto ack = client.ask_for_ack(*request, message, pattern_.sent, pattern_.wanted);
    if (!ack) return client.inconclusive("no ACK came");
    client.require(rule, decode_ack(ack->payload) == pattern_.wanted, to_text(pattern_.wanted), text_of(ack));
    client.echo(*request, 10);
    request = client.expect_next(rule);
  }
}

// A case: fragments of messages arrive, and an ACK is requested.
struct AsksForAcks {
  std::string_view id;
  std::vector<const Rule*> rules;  // the first is the one that the case judges
  std::string_view purpose;
  std::size_t total;  // fragments of each message
  const std::vector<Pattern>& patterns;
};

template <class Probe>
CaseRow asks_for_acks(const AsksForAcks& row) {
  constexpr Service kNeeds = Probe::kIut == Role::responder ? Service::none : Service::echo;
  return {row.id, row.rules, row.purpose,
          with<Probe>([row](Probe& iut) { expect_acks(iut, *row.rules.front(), row.total, row.patterns); }), kNeeds};
}

// Receives everything that the server sends without an ACK. Returns the number after the highest fragment; repetitions
// do not count.
std::uint16_t drain(ServerProbe& server, const Received& first) {
  std::uint16_t end = static_cast<std::uint16_t>(first.header.frag_number + 1);
  Instant quiet = server.in(server.retry_time());
  while (const auto packet = server.receive(quiet)) {
    const Header& header = packet->header;
    if (!packet->is(PayloadType::data) || !belongs_to(header, {first.header.channel_id, first.header.rpc_id})) continue;
    if (header.frag_number < end) continue;
    end = static_cast<std::uint16_t>(header.frag_number + 1);
    quiet = server.in(server.retry_time());
  }
  return end;
}

constexpr std::size_t kLong = 60'000;  // more fragments than are sent unacknowledged

// A case: a bogus packet is sent after the first fragment of a long response. The response must still be complete.
struct StrayAck {
  std::string_view id;
  std::vector<const Rule*> rules;  // the first is the one that the case judges
  std::string_view purpose;
  void (*send)(ServerProbe& server, const ProbeSession& session, const Received& first);
  bool may_be_believed = false;  // RAMCLOUD/R45: a damaged response is then not counted as a fault of the server
};

CaseRow ignored_by_server(const StrayAck& row) {
  return {row.id, row.rules, row.purpose, with<ServerProbe>([row](ServerProbe& server) {
            const Rule& rule = *row.rules.front();
            const ProbeSession session = server.open();
            server.prepare(session, {0, 0}, sample_octets(kLong));
            bool done = false;
            const CallOptions options{.seen = [&](const Received& packet) {
              if (done || !packet.is(PayloadType::data)) return;
              done = true;
              server.stimulates(rule);
              row.send(server, session, packet);
            }};
            constexpr std::string_view kResponse = "the response to a request of 60000 octets";
            if (!row.may_be_believed) {
              server.expect_echo(rule, session, {0, 1}, sample_octets(kLong), kResponse, options);
              server.expect_echo(rule, session, {0, 2}, text("and the next one"));
              return;
            }
            server.advise_echo(rule, session, {0, 1}, fragments_of(sample_octets(kLong)), kResponse, options);
            server.expect_unharmed(rule);
          }),
          Service::echo};
}

void send_ack(ServerProbe& server, const ProbeSession& session, unsigned first_missing) {
  server.send(ServerProbe::ack(session, {0, 1}),
              encode_ack({.first_missing_frag = static_cast<std::uint16_t>(first_missing)}));
}

// Receives everything that a client sends without an ACK. Repetitions do not count, however fast they come.
std::vector<Received> unacknowledged(ClientProbe& client) {
  std::vector<Received> sent;
  std::set<std::uint16_t> numbers;
  Instant quiet = client.in(client.patience());
  while (auto packet = client.receive(quiet)) {
    if (!packet->is(PayloadType::data)) {
      client.serve(*packet);
      continue;
    }
    if (!numbers.insert(packet->header.frag_number).second) continue;
    quiet = client.in(client.run().silence_time() / 20);
    sent.push_back(std::move(*packet));
  }
  return sent;
}

// Completes a request of which packets have already come; empty if it never becomes complete.
std::optional<ClientRequest> whole_request(ClientProbe& client, const std::vector<Received>& sent) {
  std::optional<ClientRequest> request;
  for (const Received& packet : sent)
    if (auto whole = client.serve(packet)) request = whole;
  return request ? request : client.next_request();
}

void ignore_beyond_what_was_sent(ClientProbe& client) {
  client.trigger({.octets = kLong, .count = 2});
  client.accept(client.await_open());
  const std::vector<Received> sent = unacknowledged(client);
  if (sent.empty()) return client.inconclusive("the client sent no request");
  const Header& header = sent[0].header;
  std::uint16_t end = 0;
  for (const Received& packet : sent) end = std::max(end, static_cast<std::uint16_t>(packet.header.frag_number + 1));
  client.stimulates(rule<"RAMCLOUD-ack-16">);
  for (const unsigned first : {end + 6u, header.total_frags + 1u, 65535u})
    if (first != end + 6u || first <= header.total_frags)
      client.send(ClientProbe::ack(header), encode_ack({.first_missing_frag = static_cast<std::uint16_t>(first)}));
  client.settle();  // before more is sent, and the ACK becomes true
  bool silent = true;
  client.watch([&](const Received&) { silent = false; });
  const auto request = whole_request(client, sent);
  if (!client.ok()) return;
  // A client that accepts the ACK has nothing left to send, and waits for its response, perhaps in silence
  // (RAMCLOUD/R45).
  client.advise(rule<"RAMCLOUD-ack-16">, request.has_value(), "the whole request", silent ? "silence" : "a part of it",
                "the client seems to trust an ACK for fragments that it has not sent");
  if (request) client.expect_to_go_on(rule<"RAMCLOUD-ack-16">, *request);
}

void ignore_short_ones(ClientProbe& client) {
  client.trigger({.octets = 5000, .count = 2});
  client.accept(client.await_open());
  auto first = client.await_data();
  if (!first) return client.inconclusive("the client sent no request");
  const OctetBuffer all = encode_ack({.first_missing_frag = first->header.total_frags});
  client.stimulates(rule<"RAMCLOUD-ack-17">);
  for (std::size_t length = 0; length < layout::kAck; ++length)
    client.send(ClientProbe::ack(first->header), Octets(all).first(length));
  const auto request = whole_request(client, {std::move(*first)});
  if (!client.ok()) return;
  client.require(rule<"RAMCLOUD-ack-17">, request.has_value(), "the whole request", "a part of it");
  if (request) client.expect_to_go_on(rule<"RAMCLOUD-ack-17">, *request);
}

const CaseRow kRows[] = {
    asks_for_acks<ServerProbe>({
        .id = "ack/server-names-the-first-missing-fragment",
        .rules = {&rule<"RAMCLOUD-ack-6">, &rule<"RAMCLOUD-ack-1">, &rule<"RAMCLOUD-ack-2">, &rule<"RAMCLOUD-ack-3">,
                  &rule<"RAMCLOUD-ack-4">, &rule<"RAMCLOUD-ack-5">, &rule<"RAMCLOUD-ack-8">, &rule<"RAMCLOUD-ack-9">},
        .purpose = "The server's ACK names the lowest missing fragment of a request of 8 fragments with gaps.",
        .total = 8,
        .patterns = gaps(),
    }),
    asks_for_acks<ServerProbe>({
        .id = "ack/server-reports-staged-fragments",
        .rules = {&rule<"RAMCLOUD-ack-7">, &rule<"RAMCLOUD-ack-5">, &rule<"RAMCLOUD-ack-8">},
        .purpose = "The stagingVector of the server's ACK reports fragments in bits 0 to 31 for a request of 40 "
                   "fragments with gaps.",
        .total = 40,
        .patterns = staged(),
    }),
    ignored_by_server({
        .id = "ack/server-ignores-one-beyond-the-end",
        .rules = {&rule<"RAMCLOUD-ack-11">, &rule<"RAMCLOUD-fragNumber-5">},
        .purpose = "The server still sends the whole response after it receives ACKs for totalFrags + 1 and for 65535 "
                   "fragments.",
        .send =
            [](ServerProbe& server, const ProbeSession& session, const Received& first) {
              send_ack(server, session, first.header.total_frags + 1u);
              send_ack(server, session, 65535);
            },
        .may_be_believed = true,
    }),
    ignored_by_server({
        .id = "ack/server-ignores-one-beyond-what-was-sent",
        .rules = {&rule<"RAMCLOUD-ack-11">},
        .purpose = "The server still sends the whole response after it receives an ACK for fragments that it has not "
                   "sent yet.",
        .send =
            [](ServerProbe& server, const ProbeSession& session, const Received& first) {
              const std::uint16_t end = drain(server, first);
              if (end + 6u > first.header.total_frags) return;  // it has sent everything
              send_ack(server, session, end + 6u);
              server.settle();  // before more is sent, and the ACK becomes true
            },
        .may_be_believed = true,
    }),
    ignored_by_server({
        .id = "ack/server-ignores-a-short-one",
        .rules = {&rule<"RAMCLOUD-ack-12">},
        .purpose = "The server still sends the whole response after it receives ACKs of 0 to 5 octets.",
        .send =
            [](ServerProbe& server, const ProbeSession& session, const Received& first) {
              const OctetBuffer all = encode_ack({.first_missing_frag = first.header.total_frags});
              for (std::size_t length = 0; length < layout::kAck; ++length)
                server.send(ServerProbe::ack(session, {0, 1}), Octets(all).first(length));
            },
    }),
    ignored_by_server({
        .id = "ack/server-bears-a-long-one",
        .rules = {&rule<"RAMCLOUD-ack-18">},
        .purpose = "The server still sends the whole response after it receives an ACK of 7 octets whose first six are "
                   "correct.",
        .send =
            [](ServerProbe& server, const ProbeSession& session, const Received&) {
              OctetBuffer seven = encode_ack({.first_missing_frag = 0});
              seven.push_back(0xff);
              server.send(ServerProbe::ack(session, {0, 1}), seven);
            },
    }),
    {"ack/fragments-that-cannot-be-reported",
     {&rule<"RAMCLOUD-ack-19">},
     "The server executes a request of 40 fragments whose last 39 arrive before the first.",
     with<ServerProbe>([](ServerProbe& server) {
       const ProbeSession session = server.open();
       const auto message = fragments_of(sample_octets(400), 10);
       server.prepare(session, {0, 0}, sample_octets(kLong));
       for (std::size_t number = 1; number < message.size(); ++number)
         server.send(ServerProbe::data(session, {0, 1}, number, message.size()), message[number]);
       server.expect_echo(rule<"RAMCLOUD-ack-19">, session, {0, 1}, message);
     })},
    asks_for_acks<ClientProbe>({
        .id = "ack/client-names-the-first-missing-fragment",
        .rules = {&rule<"RAMCLOUD-ack-14">, &rule<"RAMCLOUD-ack-1">, &rule<"RAMCLOUD-ack-2">, &rule<"RAMCLOUD-ack-3">,
                  &rule<"RAMCLOUD-ack-4">, &rule<"RAMCLOUD-ack-5">, &rule<"RAMCLOUD-ack-8">, &rule<"RAMCLOUD-ack-9">},
        .purpose = "The client's ACK names the lowest missing fragment of a response of 8 fragments with gaps.",
        .total = 8,
        .patterns = gaps(),
    }),
    asks_for_acks<ClientProbe>({
        .id = "ack/client-reports-staged-fragments",
        .rules = {&rule<"RAMCLOUD-ack-15">, &rule<"RAMCLOUD-ack-5">, &rule<"RAMCLOUD-ack-8">},
        .purpose = "The stagingVector of the client's ACK reports fragments in bits 0 to 31 for a response of 40 "
                   "fragments with gaps.",
        .total = 40,
        .patterns = staged(),
    }),
    {"ack/client-ignores-one-beyond-what-was-sent",
     {&rule<"RAMCLOUD-ack-16">, &rule<"RAMCLOUD-fragNumber-5">, &rule<"RAMCLOUD-header-4">},
     "The client still sends the whole request after it receives ACKs for fragments that it has not sent or that do "
     "not exist.",
     with<ClientProbe>(ignore_beyond_what_was_sent),
     Service::echo},
    {"ack/client-ignores-a-short-one",
     {&rule<"RAMCLOUD-ack-17">},
     "The client still sends the whole request after it receives ACKs of 0 to 5 octets.",
     with<ClientProbe>(ignore_short_ones),
     Service::echo},
};

}  // namespace

std::vector<Case> ack_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::ramcloud

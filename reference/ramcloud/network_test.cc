// SPDX-License-Identifier: Apache-2.0
// Client and server joined by a network that loses, doubles and reorders, in virtual time.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "reference/network/network_faults.h"
#include "reference/ramcloud/faults/faulty_client.h"
#include "reference/ramcloud/faults/faulty_server.h"
#include "reference/ramcloud/test_packets.h"

namespace wirelaw::ramcloud {
namespace {

using namespace std::chrono_literals;

constexpr NetworkFaults kQuick{.delay_min = 0ms, .delay_max = 1ms};

// A request of `size` octets that begins with its number, if that fits.
OctetBuffer numbered(std::size_t size, std::uint32_t number) {
  OctetBuffer octets(size);
  for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<Octet>(number + i * 7 + i / 1374);
  if (size >= 4) store_little_endian(octets.data(), number);
  return octets;
}

OctetBuffer reversed(const OctetBuffer& octets) {
  return {octets.rbegin(), octets.rend()};
}

class Network {
  const std::unique_ptr<Client> client_;
  const std::unique_ptr<Server> server_;

 public:
  Network(const Options& options, NetworkFaults faults, std::uint64_t seed, const Deviations& deviations = {})
      : client_(make_client(options, seed, deviations)),
        server_(make_server(options, seed + 1, deviations)),
        client(*client_),
        server(*server_),
        faults_(faults),
        random_(seed),
        honest_(deviations.empty()) {}

  // Runs until nothing is due any more; returns false if that takes too long. The server answers with the request
  // reversed.
  [[nodiscard]] bool run(unsigned most_steps = 1'000'000) {
    settle();
    for (unsigned step = 0; step < most_steps; ++step) {
      const std::optional<Instant> timer = client.deadline();
      if (in_flight_.empty() && !timer) return true;
      const bool delivery = !in_flight_.empty() && (!timer || in_flight_.begin()->first <= *timer);
      now = std::max(now, delivery ? in_flight_.begin()->first : *timer);
      if (delivery)
        deliver();
      else
        client.advance(now);
      settle();
    }
    return false;
  }

  Instant now{};
  Client& client;
  Server& server;
  std::map<CallId, tl::expected<OctetBuffer, CallError>> results;
  std::map<OctetBuffer, unsigned> executions;  // by request
  std::size_t datagrams = 0;

 private:
  struct InFlight {
    bool to_server;
    OctetBuffer octets;
  };

  void deliver() {
    const InFlight datagram = std::move(in_flight_.begin()->second);
    in_flight_.erase(in_flight_.begin());
    if (datagram.to_server)
      server.receive(1, datagram.octets, now);
    else
      client.receive(datagram.octets, now);
  }

  void settle() {
    Request request;
    while (server.next_request(request)) {
      ++executions[request.payload];
      const bool taken = server.respond(request.handle, reversed(request.payload), now);
      EXPECT_TRUE(taken || !honest_) << "an honest server asks for each answer once";
    }
    Outgoing out;
    while (client.next_datagram(out)) carry(true, out.octets);
    while (server.next_datagram(out)) carry(false, out.octets);
    CallResult result;
    while (client.next_result(result)) EXPECT_TRUE(results.emplace(result.id, result.response).second);
  }

  void carry(bool to_server, const OctetBuffer& octets) {
    ++datagrams;
    EXPECT_LE(octets.size(), 1400u);
    const unsigned copies = draws(faults_.duplication) ? 2 : 1;
    for (unsigned copy = 0; copy < copies; ++copy) {
      if (draws(faults_.loss)) continue;
      const auto spread = static_cast<std::uint64_t>((faults_.delay_max - faults_.delay_min).count());
      const Instant delay = faults_.delay_min + Instant(random_() % std::max<std::uint64_t>(spread, 1));
      in_flight_.emplace(now + delay, InFlight{to_server, octets});
    }
  }

  bool draws(double probability) { return random_() % 100 < static_cast<std::uint64_t>(probability * 100 + 0.5); }

  NetworkFaults faults_;
  std::mt19937_64 random_;
  bool honest_;
  std::multimap<Instant, InFlight> in_flight_;
};

constexpr std::size_t kSizes[] = {0, 1, 1374, 1375, 40'000, 102'400};

TEST(Network, CarriesEverySizeInParallelWithoutWaitingForATimer) {
  Network network({}, kQuick, 1);
  std::vector<OctetBuffer> requests;
  for (const std::size_t size : kSizes) {
    requests.push_back(numbered(size, static_cast<std::uint32_t>(size)));
    network.client.call(requests.back(), network.now);
  }
  ASSERT_TRUE(network.run());
  ASSERT_EQ(network.results.size(), requests.size());
  for (CallId id = 0; id < requests.size(); ++id) {
    ASSERT_TRUE(network.results.at(id));
    EXPECT_EQ(*network.results.at(id), reversed(requests[id]));
  }
  EXPECT_LT(network.now, 100ms);
}

class LossyNetwork : public testing::TestWithParam<std::uint64_t> {};

TEST_P(LossyNetwork, CompletesEveryCallAndExecutesItOnce) {
  Options options;
  options.silent_intervals = 60;
  Network network(options, {.loss = 0.2, .duplication = 0.05, .delay_min = 0ms, .delay_max = 30ms}, GetParam());
  std::vector<OctetBuffer> requests;
  for (std::uint32_t number = 0; number < 18; ++number) {
    const std::size_t size = number < 2 ? number : std::max<std::size_t>(4, kSizes[number % std::size(kSizes)]);
    requests.push_back(numbered(size, number));
    EXPECT_EQ(network.client.call(requests.back(), network.now), number);
  }
  ASSERT_TRUE(network.run());
  ASSERT_EQ(network.results.size(), requests.size());
  for (CallId id = 0; id < requests.size(); ++id) {
    ASSERT_TRUE(network.results.at(id)) << network.results.at(id).error().text;
    EXPECT_EQ(*network.results.at(id), reversed(requests[id]));
    EXPECT_EQ(network.executions.at(requests[id]), 1u);
  }
  EXPECT_EQ(network.executions.size(), requests.size());
}

INSTANTIATE_TEST_SUITE_P(Seeds, LossyNetwork, testing::Range<std::uint64_t>(1, 201));

TEST(Network, IsTheSameForTheSameSeed) {
  Network one({}, {.loss = 0.1, .duplication = 0.1, .delay_min = 0ms, .delay_max = 20ms}, 5);
  Network two({}, {.loss = 0.1, .duplication = 0.1, .delay_min = 0ms, .delay_max = 20ms}, 5);
  for (Network* network : {&one, &two}) {
    network->client.call(numbered(40'000, 1), network->now);
    ASSERT_TRUE(network->run());
  }
  EXPECT_EQ(one.now, two.now);
  EXPECT_EQ(one.datagrams, two.datagrams);
}

TEST(Network, GivesUpWhereNothingArrives) {
  Network network({}, {.loss = 1}, 1);
  network.client.call({}, network.now);
  network.client.call({1}, network.now);
  ASSERT_TRUE(network.run());
  EXPECT_EQ(network.datagrams, 5u);
  EXPECT_EQ(network.now, 500ms);
  ASSERT_EQ(network.results.size(), 2u);
  EXPECT_EQ(network.results.at(1).error().reason, CallError::Reason::session_unanswered);
}

TEST(Network, OutlivesASessionThatTheServerForgot) {
  Network network({}, kQuick, 1);
  network.client.call({1}, network.now);
  ASSERT_TRUE(network.run());
  network.now += 11s;
  network.server.receive(2, open_request(9), network.now);  // another client takes the place
  network.client.call({2}, network.now);
  network.client.call({3, 4}, network.now);
  ASSERT_TRUE(network.run());
  ASSERT_EQ(network.results.size(), 3u);
  EXPECT_EQ(network.results.at(2).value(), (OctetBuffer{4, 3}));
  for (const auto& [request, times] : network.executions) EXPECT_EQ(times, 1u);
}

// Requires only that nothing breaks and memory stays bounded.
TEST(Network, WithstandsEveryDeviationOnBothSides) {
  for (const DeviationInfo& info : all_deviations()) {
    Options options;
    options.max_sessions = 8;
    options.reassembly_octets = 1'000'000;
    for (const Role role : {Role::responder, Role::initiator}) {
      Network network(options, {.loss = 0.1, .duplication = 0.1, .delay_min = 0ms, .delay_max = 20ms}, 3,
                      Deviations{info.deviation}.of(role));
      for (std::uint32_t number = 0; number < 12; ++number)
        network.client.call(numbered(kSizes[number % std::size(kSizes)], number), network.now);
      static_cast<void>(network.run(5'000));
      EXPECT_LE(network.results.size(), 12u) << info.name;
      EXPECT_LE(network.server.octets_held(), options.reassembly_octets);
      EXPECT_LE(network.server.sessions(), options.max_sessions);
    }
  }
}

// Random packets that more or less fit a session: the endpoints drop or answer them, and keep to their limits.
TEST(Network, WithstandsRandomPackets) {
  std::mt19937_64 random(1);
  Options options;
  options.max_sessions = 4;
  options.reassembly_octets = 20'000;
  Server server(options, 1);
  Client client(options, 1);
  Instant now{};
  std::vector<Header> sessions(1);
  for (unsigned step = 0; step < 100'000; ++step) {
    now += Instant(static_cast<Instant::rep>(random() % 1'000'000));
    Header header = sessions[random() % sessions.size()];
    header.payload_type = PayloadType(random() % 6);
    header.rpc_id = static_cast<std::uint32_t>(random() % 3) - 1;
    header.channel_id = static_cast<std::uint8_t>(random() % 10);
    header.frag_number = static_cast<std::uint16_t>(random() % 40);
    header.total_frags = static_cast<std::uint16_t>(random() % 40);
    header.flags = {.direction = random() % 2 == 0, .request_ack = random() % 2 == 0};
    OctetBuffer payload(random() % 100);
    for (Octet& octet : payload) octet = static_cast<Octet>(random() % 8);
    const OctetBuffer octets = encode(header, payload);
    if (step % 50 == 0) client.call(OctetBuffer(random() % 30'000), now);
    server.receive(random() % 4, octets, now);
    client.receive(octets, now);
    client.advance(now);
    for (const SentPacket& out : fetch(client)) sessions.push_back(out.header);
    for (const SentPacket& out : fetch(server)) sessions.push_back(out.header);
    while (sessions.size() > 64) sessions.erase(sessions.begin());
    Request request;
    if (random() % 4 == 0 && server.next_request(request))
      server.respond(request.handle, OctetBuffer(random() % 9'000), now);
    CallResult result;
    while (client.next_result(result)) {
    }
    ASSERT_LE(server.octets_held(), options.reassembly_octets);
    ASSERT_LE(server.sessions(), 4u);
  }
}

}  // namespace
}  // namespace wirelaw::ramcloud

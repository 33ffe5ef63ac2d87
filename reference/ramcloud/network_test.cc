// SPDX-License-Identifier: Apache-2.0
// Client and server joined by a network that loses, doubles and reorders, in virtual time.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "reference/ramcloud/client.h"
#include "reference/ramcloud/server.h"

namespace wirelaw::ramcloud {
namespace {

using namespace std::chrono_literals;

struct Weather {
  unsigned loss = 0;      // percent of the datagrams
  unsigned doubling = 0;  // percent
  Instant most_delay = 1ms;
};

// A request of `size` octets that begins with its number, where there is room for one.
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
 public:
  Network(const Options& options, Weather weather, std::uint64_t seed)
      : client(options, seed), server(options, seed + 1), weather_(weather), random_(seed) {}

  // Until nothing is due any more. The server answers with the request reversed.
  void run() {
    settle();
    for (unsigned step = 0; step < 1'000'000; ++step) {
      const std::optional<Instant> timer = client.deadline();
      if (in_flight_.empty() && !timer) return;
      const bool delivery = !in_flight_.empty() && (!timer || in_flight_.begin()->first <= *timer);
      now = std::max(now, delivery ? in_flight_.begin()->first : *timer);
      if (delivery)
        deliver();
      else
        client.advance(now);
      settle();
    }
    FAIL() << "the network does not come to rest";
  }

  Instant now{};
  Client client;
  Server server;
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
      EXPECT_TRUE(server.respond(request.handle, reversed(request.payload), now));
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
    const unsigned copies = random_() % 100 < weather_.doubling ? 2 : 1;
    for (unsigned copy = 0; copy < copies; ++copy) {
      if (random_() % 100 < weather_.loss) continue;
      const Instant delay(
          static_cast<Instant::rep>(random_() % static_cast<std::uint64_t>(weather_.most_delay.count())));
      in_flight_.emplace(now + delay, InFlight{to_server, octets});
    }
  }

  Weather weather_;
  std::mt19937_64 random_;
  std::multimap<Instant, InFlight> in_flight_;
};

constexpr std::size_t kSizes[] = {0, 1, 1374, 1375, 40'000, 102'400};

TEST(Network, CarriesEverySizeInParallelWithoutWaitingForATimer) {
  Network network({}, {}, 1);
  std::vector<OctetBuffer> requests;
  for (const std::size_t size : kSizes) {
    requests.push_back(numbered(size, static_cast<std::uint32_t>(size)));
    network.client.call(requests.back(), network.now);
  }
  network.run();
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
  Network network(options, {.loss = 20, .doubling = 5, .most_delay = 30ms}, GetParam());
  std::vector<OctetBuffer> requests;
  for (std::uint32_t number = 0; number < 18; ++number) {
    const std::size_t size = number < 2 ? number : std::max<std::size_t>(4, kSizes[number % std::size(kSizes)]);
    requests.push_back(numbered(size, number));
    EXPECT_EQ(network.client.call(requests.back(), network.now), number);
  }
  network.run();
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
  Network one({}, {.loss = 10, .doubling = 10, .most_delay = 20ms}, 5);
  Network two({}, {.loss = 10, .doubling = 10, .most_delay = 20ms}, 5);
  for (Network* network : {&one, &two}) {
    network->client.call(numbered(40'000, 1), network->now);
    network->run();
  }
  EXPECT_EQ(one.now, two.now);
  EXPECT_EQ(one.datagrams, two.datagrams);
}

TEST(Network, GivesUpWhereNothingArrives) {
  Network network({}, {.loss = 100}, 1);
  network.client.call({}, network.now);
  network.client.call({1}, network.now);
  network.run();
  EXPECT_EQ(network.datagrams, 5u);
  EXPECT_EQ(network.now, 500ms);
  ASSERT_EQ(network.results.size(), 2u);
  EXPECT_EQ(network.results.at(1).error().reason, CallError::Reason::session_unanswered);
}

}  // namespace
}  // namespace wirelaw::ramcloud

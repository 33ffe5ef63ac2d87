// SPDX-License-Identifier: Apache-2.0
// The cost of sorting datagrams into flows, without reading them or judging rules: one flow, interleaved flows that fit
// the table, and more flows than it holds. An observer that does nothing is the limit.
#include <benchmark/benchmark.h>

#include "harness/check/check.h"

namespace wirelaw {
namespace {

const Catalogue& no_rules() {
  static const Catalogue kNone(std::span<const RuleList>{});
  return kNone;
}

struct IdleObserver final : Observer {
  void observe(const Message& message, Judge& judge) override { judge.at(message); }
  void finish(Judge&) override {}
  std::string partial() const override { return {}; }
  std::size_t memory() const override { return sizeof(*this); }
};

constinit const Protocol kIdle{
    .name = "idle",
    .title = "Idle",
    .initiator = "client",
    .responder = "server",
    .transports = "udp",
    .catalogue = no_rules,
    .cases = [] { return std::span<const Case>(); },
    .observer = [](const ObserverLimits&) -> std::unique_ptr<Observer> { return std::make_unique<IdleObserver>(); },
    .decode = [](Octets) { return Decoded{}; },
    .datagrams = OnDatagrams{.recognises = [](const Message&) { return true; }}};

std::vector<pcap::Datagram> one_of_each_flow(std::uint32_t flows, Octets payload) {
  std::vector<pcap::Datagram> datagrams;
  for (std::uint32_t i = 0; i < flows; ++i) {
    const Octet client[] = {10, static_cast<Octet>(i >> 16), static_cast<Octet>(i >> 8), static_cast<Octet>(i)};
    const Octet server[] = {192, 0, 2, 1};
    pcap::Datagram datagram;
    datagram.source = {pcap::Address::ipv4(client), 3000};
    datagram.destination = {pcap::Address::ipv4(server), 7000};
    datagram.payload = payload;
    datagram.wire_length = static_cast<std::uint32_t>(payload.size());
    datagram.ip_version = 4;
    datagram.ip_header_octets = 20;
    datagrams.push_back(datagram);
  }
  return datagrams;
}

void InterleavedFlows(benchmark::State& state) {
  static constexpr const Protocol* kProtocols[] = {&kIdle};
  const OctetBuffer payload(64);
  const auto datagrams = one_of_each_flow(static_cast<std::uint32_t>(state.range(0)), payload);
  Checker checker({}, kProtocols, no_rules());
  for (auto _ : state)
    for (const pcap::Datagram& datagram : datagrams) benchmark::DoNotOptimize(&checker.take(datagram));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0));
}
BENCHMARK(InterleavedFlows)->Arg(1)->Arg(10)->Arg(1000)->Arg(4096)->Arg(100'000);

}  // namespace
}  // namespace wirelaw

BENCHMARK_MAIN();

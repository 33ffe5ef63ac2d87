// SPDX-License-Identifier: Apache-2.0
// Two endpoints in one thread: RDMA Writes, Reads and Sends with CRCs, by message size. For comparison, the minimum
// work for each octet: a copy and a CRC at either end.
#include <benchmark/benchmark.h>

#include "reference/octets/crc32c.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::size_t kTarget = std::size_t{4} << 20;
constexpr std::size_t kUnderWay = 16;  // number of posted operations that are not complete

struct Side {
  Side(Role role, const Options& options)
      : buffers(static_cast<std::uint64_t>(role)), endpoint(role, options, buffers) {
    stag = *endpoint.register_buffer(memory, 0, {.read = true, .write = true});
    endpoint.connected(Instant{0});
  }
  Buffers buffers;
  OctetBuffer memory = OctetBuffer(kTarget);
  Endpoint endpoint;
  Stag stag = 0;
  std::size_t completed = 0;
};

class Link {
 public:
  explicit Link(const Options& options) : a(Role::initiator, options), b(Role::responder, options) {
    for (int i = 0; i < 4; ++i) turn();
  }
  void turn() {
    carry(a, b);
    carry(b, a);
  }
  Side a;
  Side b;

 private:
  void carry(Side& from, Side& to) {
    while (from.endpoint.next_octets(octets_)) to.endpoint.receive(octets_, Instant{0});
    events(from);
    events(to);
  }
  void events(Side& side) {
    for (; side.endpoint.next_event(event_);) {
      if (std::holds_alternative<ConnectionRequest>(event_)) static_cast<void>(side.endpoint.accept());
      if (std::holds_alternative<Completed>(event_)) ++side.completed;
      if (std::holds_alternative<Received>(event_)) static_cast<void>(side.endpoint.post_receive(kTarget));
    }
  }

  OctetBuffer octets_;
  Event event_;
};

Options options_of(benchmark::State& state) {
  return {.mulpdu = static_cast<std::size_t>(state.range(1))};
}

template <class Post>
void run(benchmark::State& state, Post post) {
  Link link(options_of(state));
  const auto size = static_cast<std::size_t>(state.range(0));
  const OctetBuffer data(size, 0x5a);
  for (std::size_t i = 0; i < kUnderWay + 1; ++i) static_cast<void>(link.b.endpoint.post_receive(kTarget));
  std::size_t operations = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kUnderWay; ++i) post(link, data, i);
    operations += kUnderWay;
    while (link.a.completed < operations) link.turn();
  }
  if (link.a.endpoint.phase() != Phase::operating) state.SkipWithError("the stream has failed");
  state.SetBytesProcessed(static_cast<std::int64_t>(operations * size));
  state.SetItemsProcessed(static_cast<std::int64_t>(operations));
}

void BM_Write(benchmark::State& state) {
  run(state, [](Link& link, const OctetBuffer& data, std::size_t i) {
    static_cast<void>(link.a.endpoint.post_write(Octets(data), {link.b.stag, i * data.size() % (kTarget / 2)}));
  });
}
void BM_Read(benchmark::State& state) {
  run(state, [](Link& link, const OctetBuffer& data, std::size_t i) {
    const std::uint64_t at = i * data.size() % (kTarget / 2);
    static_cast<void>(
        link.a.endpoint.post_read({link.a.stag, at}, {link.b.stag, at}, static_cast<std::uint32_t>(data.size())));
  });
}
void BM_Send(benchmark::State& state) {
  run(state, [](Link& link, const OctetBuffer& data, std::size_t) {
    static_cast<void>(link.a.endpoint.post_send(Octets(data)));
  });
}
void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t mulpdu : {std::int64_t{1454}, std::int64_t{8954}, static_cast<std::int64_t>(kMaxMulpdu)})
    for (const std::int64_t size : {64, 4096, 65'536, 1'048'576}) benchmark->Args({size, mulpdu});
}
BENCHMARK(BM_Write)->Apply(sizes);
BENCHMARK(BM_Read)->Args({65'536, 1454})->Args({65'536, static_cast<std::int64_t>(kMaxMulpdu)});
BENCHMARK(BM_Send)->Args({64, 1454})->Args({65'536, static_cast<std::int64_t>(kMaxMulpdu)});

// The physical limit of the same work.
void BM_CopyAndCrcTwice(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const OctetBuffer data(size, 0x5a);
  OctetBuffer wire(size);
  OctetBuffer target(size);
  for (auto _ : state) {
    std::memcpy(wire.data(), data.data(), size);
    benchmark::DoNotOptimize(crc32c(wire));
    benchmark::DoNotOptimize(crc32c(wire));
    std::memcpy(target.data(), wire.data(), size);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_CopyAndCrcTwice)->Arg(65'536)->Arg(1'048'576);

}  // namespace
}  // namespace wirelaw::rdmap

BENCHMARK_MAIN();

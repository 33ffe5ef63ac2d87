// SPDX-License-Identifier: Apache-2.0
// RDMA over the network in memory, in both directions.
#include <gmock/gmock.h>

#include <deque>

#include "harness/peers/fake_peer.h"
#include "harness/transports/memory/memory_rdma.h"

namespace wirelaw {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;

constexpr Instant kLong = seconds{100};

// Exposes eight octets at address 100 with key 1, and starts what it is asked for.
class RdmaFake final : public FakePeer, public RdmaPeer {
 public:
  RdmaPeer* rdma() override { return this; }
  bool next_rdma(RdmaRequest& request) override {
    if (wanted.empty()) return false;
    request = std::move(wanted.front());
    wanted.pop_front();
    return true;
  }
  void rdma_done(std::uint64_t id, bool ok, Octets octets, Instant now) override {
    done.push_back({id, ok, OctetBuffer(octets.begin(), octets.end()), now});
  }
  std::optional<Octets> rdma_read(const RdmaRange& what) override {
    if (!has(what)) return std::nullopt;
    return Octets(memory).subspan(what.addr - 100, what.len);
  }
  bool rdma_written(PeerId, const RdmaRange& where, Octets octets, std::optional<std::uint64_t> with,
                    Instant) override {
    if (!has(where)) return false;
    std::ranges::copy(octets, memory.begin() + static_cast<std::ptrdiff_t>(where.addr - 100));
    immediate = with;
    return true;
  }

  struct Done {
    std::uint64_t id;
    bool ok;
    OctetBuffer octets;
    Instant at;
  };
  OctetBuffer memory{0, 1, 2, 3, 4, 5, 6, 7};
  std::optional<std::uint64_t> immediate;
  std::deque<RdmaRequest> wanted;
  std::vector<Done> done;

 private:
  static bool has(const RdmaRange& range) {
    return range.key == 1 && range.addr >= 100 && range.addr + range.len <= 108;
  }
};

struct Place {
  Place() : network(std::make_unique<RdmaFake>(), {.delay_min = milliseconds{3}, .delay_max = milliseconds{3}}, 1) {}
  RdmaFake& fake() { return static_cast<RdmaFake&>(network.peer()); }

  Network network;
  PeerId line = network.open();
  MemoryRdma rdma{network, line};
};

TEST(NetworkRdma, ReadsAndWritesTakeADelayEachWay) {
  Place place;
  EXPECT_THAT(place.rdma.read({.addr = 102, .len = 3, .key = 1}, kLong).value().value(), ElementsAre(2, 3, 4));
  EXPECT_EQ(place.network.now(), milliseconds{6});
  EXPECT_TRUE(place.rdma.write({.addr = 107, .len = 1, .key = 1}, OctetBuffer{99}, 55, kLong).value());
  EXPECT_EQ(place.network.now(), milliseconds{12});
  EXPECT_EQ(place.fake().memory.back(), 99);
  EXPECT_EQ(place.fake().immediate, 55u);
}

TEST(NetworkRdma, WhatThePeerDoesNotOfferIsRefused) {
  Place place;
  EXPECT_FALSE(place.rdma.read({.addr = 102, .len = 7, .key = 1}, kLong).value());
  EXPECT_FALSE(place.rdma.read({.addr = 102, .len = 3, .key = 2}, kLong).value());
  EXPECT_FALSE(place.rdma.write({.addr = 0, .len = 1, .key = 1}, OctetBuffer{99}, {}, kLong).value());
}

TEST(NetworkRdma, AWaitEndsWithItsDeadlineAndTheAnswerIsForgotten) {
  Place place;
  EXPECT_FALSE(place.rdma.read({.addr = 102, .len = 3, .key = 1}, milliseconds{5}).value());
  EXPECT_EQ(place.network.now(), milliseconds{5});
  EXPECT_FALSE(place.network.receive(place.line, kLong).value());
}

TEST(NetworkRdma, APeerWithoutRdmaRefusesAll) {
  Network network(std::make_unique<FakePeer>(), {}, 1);
  MemoryRdma rdma(network, network.open());
  EXPECT_FALSE(rdma.read({.addr = 102, .len = 3, .key = 1}, kLong).value());
}

TEST(NetworkRdma, ThePeerReadsAndWritesWhatIsExposedToIt) {
  Place place;
  OctetBuffer ours{10, 11, 12, 13};
  const RdmaRange range = place.rdma.expose(ours, RdmaAccess::read_write).value();
  EXPECT_EQ(range.len, 4u);
  place.fake().wanted = {
      {.id = 7, .peer = place.line, .remote = {.addr = range.addr + 1, .len = 2, .key = range.key}},
      {.kind = RdmaRequest::Kind::write,
       .id = 8,
       .peer = place.line,
       .remote = {.addr = range.addr, .len = 1, .key = range.key},
       .octets = {77}},
      {.id = 9, .peer = place.line, .remote = {.addr = range.addr + 3, .len = 2, .key = range.key}},
      {.id = 10, .peer = 4711, .remote = range},
  };
  EXPECT_FALSE(place.network.receive(place.line, kLong).value());
  ASSERT_EQ(place.fake().done.size(), 4u);
  EXPECT_EQ(place.fake().done[0].id, 7u);
  EXPECT_TRUE(place.fake().done[0].ok);
  EXPECT_THAT(place.fake().done[0].octets, ElementsAre(11, 12));
  EXPECT_EQ(place.fake().done[0].at, milliseconds{6});
  EXPECT_TRUE(place.fake().done[1].ok);
  EXPECT_EQ(ours[0], 77);
  EXPECT_FALSE(place.fake().done[2].ok) << "beyond the end";
  EXPECT_FALSE(place.fake().done[3].ok) << "nobody is there";
}

TEST(NetworkRdma, ThePeerMayDoOnlyWhatItsAccessAllowsAndOnlyUntilItIsWithdrawn) {
  Place place;
  OctetBuffer ours{10, 11};
  const RdmaRange to_read = place.rdma.expose(ours, RdmaAccess::read).value();
  const RdmaRange to_write = place.rdma.expose(ours, RdmaAccess::write).value();
  EXPECT_TRUE(place.rdma.rdma_read(to_read));
  EXPECT_FALSE(place.rdma.rdma_read(to_write));
  EXPECT_FALSE(place.rdma.rdma_written(0, to_read, ours, {}, {}));
  EXPECT_TRUE(place.rdma.rdma_written(0, to_write, OctetBuffer{1, 2}, {}, {}));
  place.rdma.withdraw(to_read.key);
  EXPECT_FALSE(place.rdma.rdma_read(to_read));
}

TEST(NetworkRdma, RangesThatWrapAroundAreRefused) {
  Place place;
  OctetBuffer ours(16);
  const RdmaRange range = place.rdma.expose(ours, RdmaAccess::read).value();
  EXPECT_FALSE(place.rdma.rdma_read({.addr = range.addr + 8, .len = ~std::uint64_t{0}, .key = range.key}));
  EXPECT_FALSE(place.rdma.rdma_read({.addr = range.addr - 1, .len = 1, .key = range.key}));
  EXPECT_FALSE(place.rdma.rdma_read({.addr = ~std::uint64_t{0}, .len = 2, .key = range.key}));
  EXPECT_TRUE(place.rdma.rdma_read({.addr = range.addr + 16, .len = 0, .key = range.key}));
}

}  // namespace
}  // namespace wirelaw

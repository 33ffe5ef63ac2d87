// SPDX-License-Identifier: Apache-2.0
// For any cut into segments, any order, copies and initial number, the delivered stream equals the sent one.
#include <gtest/gtest.h>
#include <walked_part.h>

#include <algorithm>
#include <random>

#include "pcap/tcp_connection.h"

namespace wirelaw::pcap::testing {
namespace {

struct Part {
  std::size_t begin, end;
};

class Randomly {
 public:
  explicit Randomly(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  OctetBuffer octets(std::size_t size) {
    OctetBuffer octets(size);
    for (Octet& octet : octets) octet = static_cast<Octet>(random_());
    return octets;
  }
  // Returns parts that cover [0, size); some overlap, and some occur twice.
  std::vector<Part> parts(std::size_t size, std::size_t longest) {
    std::vector<Part> parts;
    for (std::size_t at = 0; at < size;) {
      const std::size_t end = std::min(size, at + 1 + below(longest));
      parts.push_back({at - std::min(at, one_in(3) ? below(longest) : 0), end});
      if (one_in(5)) parts.push_back(parts[below(parts.size())]);
      at = end;
    }
    return parts;
  }
  // Moves no part further than `distance` places.
  void disorder(std::vector<Part>& parts, std::size_t distance) {
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
      std::swap(parts[i], parts[std::min(parts.size() - 1, i + below(distance + 1))]);
  }
  std::uint32_t initial() {
    constexpr std::uint32_t kWraps[] = {0xffffffff, 0xfffffff0, 0xffff0000, 0x7fffffff, 0x7ffffff0, 0, 12345};
    return kWraps[below(std::size(kWraps))];
  }

 private:
  std::mt19937 random_;
};

// Joins the pieces that a connection delivers, and checks their order.
struct Collected {
  OctetBuffer octets[2];
  std::uint64_t gaps = 0;
  bool closed[2] = {false, false};

  void operator()(const StreamPiece& piece) {
    OctetBuffer& stream = octets[piece.sender == Side::a ? 0 : 1];
    ASSERT_FALSE(closed[piece.sender == Side::a ? 0 : 1]) << "nothing follows a FIN";
    ASSERT_EQ(piece.offset, stream.size()) << "each octet once, in order";
    stream.insert(stream.end(), piece.octets.begin(), piece.octets.end());
    if (piece.event == StreamEvent::octets) {
      ASSERT_EQ(piece.missing, 0u);
    }
    if (piece.event == StreamEvent::gap) {
      ++gaps;
      stream.resize(stream.size() + piece.missing, 0);
    }
    if (piece.event == StreamEvent::closed) closed[piece.sender == Side::a ? 0 : 1] = true;
  }
};

Segment segment_of(std::uint32_t isn, const Part& part, const OctetBuffer& stream) {
  Segment segment;
  segment.seq = isn + 1 + static_cast<std::uint32_t>(part.begin);
  segment.payload = Octets(stream).subspan(part.begin, part.end - part.begin);
  segment.wire_length = static_cast<std::uint32_t>(segment.payload.size());
  segment.flags.bits = part.end == stream.size() ? TcpFlags::kFin | TcpFlags::kPsh : TcpFlags::kPsh;
  return segment;
}

TEST(TcpProperty, EveryCutOrderAndCopyGivesTheSameStreams) {
  for (unsigned seed = 0; seed < 400; seed += kWalkedStep) {
    Randomly random(seed);
    const OctetBuffer streams[2] = {random.octets(1 + random.below(5000)), random.octets(1 + random.below(5000))};
    const std::uint32_t isns[2] = {random.initial(), random.initial()};
    std::vector<Part> parts[2];
    const std::size_t distance = random.below(2) == 0 ? 1000 : random.below(8);
    for (int side : {0, 1}) {
      parts[side] = random.parts(streams[side].size(), 1 + random.below(300));
      random.disorder(parts[side], distance);
    }
    TcpConnection connection;
    Collected collected;
    for (int side : {0, 1}) {
      Segment syn;
      syn.seq = isns[side];
      syn.flags.bits = TcpFlags::kSyn;
      ASSERT_TRUE(connection.take(syn, side == 0, collected));
    }
    for (std::size_t at[2] = {0, 0}; at[0] < parts[0].size() || at[1] < parts[1].size();) {
      const std::size_t side = at[0] == parts[0].size() || (at[1] < parts[1].size() && random.one_in(2)) ? 1 : 0;
      // A separate copy, so that nothing outlives the call unnoticed.
      const OctetBuffer copy = streams[side];
      ASSERT_TRUE(connection.take(segment_of(isns[side], parts[side][at[side]++], copy), side == 0, collected));
    }
    ASSERT_TRUE(connection.over()) << seed;
    ASSERT_EQ(collected.octets[0], streams[0]) << seed;
    ASSERT_EQ(collected.octets[1], streams[1]) << seed;
    ASSERT_EQ(collected.gaps, 0U);
    ASSERT_TRUE(collected.closed[0] && collected.closed[1]);
    ASSERT_EQ(connection.flaws().size(), 0U) << seed;
  }
}

TEST(TcpProperty, WhatIsLostIsAGapAndNothingElseChanges) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Randomly random(seed);
    const OctetBuffer stream = random.octets(1 + random.below(5000));
    const std::uint32_t isn = random.initial();
    std::vector<Part> parts = random.parts(stream.size(), 1 + random.below(300));
    random.disorder(parts, random.below(8));
    TcpConnection connection;
    Collected collected;
    Segment syn;
    syn.seq = isn;
    syn.flags.bits = TcpFlags::kSyn;
    ASSERT_TRUE(connection.take(syn, true, collected));
    OctetBuffer expected(stream.size(), 0);
    std::vector<bool> seen(stream.size(), false);
    bool ended = false;
    for (const Part& part : parts) {
      if (random.one_in(4)) continue;
      std::fill(seen.begin() + static_cast<std::ptrdiff_t>(part.begin),
                seen.begin() + static_cast<std::ptrdiff_t>(part.end), true);
      ended |= part.end == stream.size();
      ASSERT_TRUE(connection.take(segment_of(isn, part, stream), true, collected));
    }
    connection.finish(collected);
    for (std::size_t i = 0; i < stream.size(); ++i)
      if (seen[i]) expected[i] = stream[i];
    expected.resize(static_cast<std::size_t>(std::find(seen.rbegin(), seen.rend(), true).base() - seen.begin()));
    ASSERT_EQ(collected.octets[0], expected) << seed;
    ASSERT_EQ(collected.closed[0], ended);
    ASSERT_EQ(connection.flaws().size(), 0U);
  }
}

TEST(TcpProperty, MemoryIsBoundedWhateverArrives) {
  constexpr TcpLimits kLimits{.held = 20000, .compared = 1000};
  constexpr std::size_t kLongest = 1460;
  constexpr std::size_t kMost =
      sizeof(TcpConnection) + 2 * (kLimits.held + kLimits.compared) + kLimits.held;  // octets that wait
  const OctetBuffer octets(kLongest, 0x5a);
  for (unsigned seed = 0; seed < 40; ++seed) {
    Randomly random(seed);
    TcpConnection connection(kLimits);
    std::uint64_t at[2] = {0, 0};
    const auto sink = [&](const StreamPiece& piece) {
      ASSERT_EQ(piece.offset, at[piece.sender == Side::a ? 0 : 1]);
      at[piece.sender == Side::a ? 0 : 1] += piece.octets.size() + piece.missing;
    };
    const std::size_t spread = std::size_t{1} << (4 + random.below(28));
    for (int i = 0; i < 3000 && !connection.over(); ++i) {
      Segment segment;
      segment.seq = static_cast<std::uint32_t>(random.below(spread));
      segment.ack = static_cast<std::uint32_t>(random.below(spread) / (random.one_in(50) ? 1 : 1000));
      segment.payload = Octets(octets).first(random.one_in(2) ? random.below(4) : random.below(kLongest));
      segment.wire_length = static_cast<std::uint32_t>(segment.payload.size() + (random.one_in(9) ? 100 : 0));
      segment.flags.bits = TcpFlags::kAck;
      if (random.one_in(1500)) segment.flags.bits |= TcpFlags::kFin;
      if (random.one_in(3000)) segment.flags.bits |= TcpFlags::kSyn;
      if (!connection.take(segment, random.one_in(2), sink)) break;
      ASSERT_LE(connection.memory(), kMost) << seed;
    }
    connection.finish(sink);
    ASSERT_EQ(connection.memory(), sizeof(TcpConnection));
  }
}

}  // namespace
}  // namespace wirelaw::pcap::testing

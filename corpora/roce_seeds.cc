// SPDX-License-Identifier: Apache-2.0
// Connections for fuzz_roce: how they open and end, what they carry, and what happens to packets on the way.
#include <algorithm>
#include <utility>

#include "corpora/formats/records.h"
#include "corpora/seed.h"
#include "corpora/traces/roce_builder.h"

namespace wirelaw::corpora {
namespace {

Seed seed(const char* name, void (*play)(RoceTraceBuilder& builder)) {
  RoceTraceBuilder builder;
  play(builder);
  Seed one{"fuzz_roce", name, {}};
  for (const TraceMessage& packet : builder.take())
    append_record(one.octets, packet.sender == Side::b ? trace_control::kSideB : Octet{0}, packet.octets);
  return one;
}

constexpr Side kA = Side::a, kB = Side::b;

void talk(RoceTraceBuilder& builder) {
  builder.start();
  builder.send(kA, OctetBuffer(20, 'a'));
  builder.send(kB, OctetBuffer(RoceTraceBuilder::kMtu + 3, 'b'));
}

// Two clocks stamped the directions: one side's packets come this many packets earlier.
void stamp_early(RoceTraceBuilder& builder, Side early, std::size_t packets) {
  auto& all = builder.messages();
  std::vector<std::pair<std::size_t, TraceMessage>> placed;
  for (std::size_t i = 0; i < all.size(); ++i)
    placed.emplace_back(all[i].sender == early ? i : i + packets, std::move(all[i]));
  std::ranges::stable_sort(placed, {}, [](const auto& one) { return one.first; });
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::move(placed[i].second);
}

}  // namespace

std::vector<Seed> roce_seeds() {
  return {
      seed("talk",
           [](RoceTraceBuilder& s) {
             talk(s);
             s.close(kA);
             s.close(kB);
           }),
      seed("late", [](RoceTraceBuilder& s) { s.send(kA, OctetBuffer(8)), s.send(kB, OctetBuffer(8), 0x01020304); }),
      seed("wrap",
           [](RoceTraceBuilder& s) {
             s.start();
             for (int i = 0; i < 12; ++i) s.send(kA, OctetBuffer(4));
           }),
      seed("rdma",
           [](RoceTraceBuilder& s) {
             talk(s);
             s.write(kB, OctetBuffer(2 * RoceTraceBuilder::kMtu + 1));
             s.read(kB, 2 * RoceTraceBuilder::kMtu);
             s.read(kB, 0);
             s.send(kB, OctetBuffer(4), RoceTraceBuilder::kKey);
           }),
      seed("read-of-unknown-mtu", [](RoceTraceBuilder& s) { s.read(kB, 3000), s.send(kB, OctetBuffer(4)); }),
      seed("lost",
           [](RoceTraceBuilder& s) {
             talk(s);
             const std::size_t from = s.messages().size();
             for (int i = 0; i < 4; ++i) s.send(kA, OctetBuffer(4, static_cast<Octet>('0' + i)));
             auto& all = s.messages();
             all.erase(all.begin() + static_cast<std::ptrdiff_t>(from) + 2);
           }),
      seed("nak-and-again",
           [](RoceTraceBuilder& s) {
             talk(s);
             s.acknowledges(false);
             const std::uint32_t psn = s.psn(kA);
             const std::size_t from = s.messages().size();
             for (int i = 0; i < 3; ++i) s.send(kA, OctetBuffer(4, static_cast<Octet>('0' + i)));
             auto& all = s.messages();
             const std::vector<TraceMessage> sent(all.begin() + static_cast<std::ptrdiff_t>(from), all.end());
             all.erase(all.begin() + static_cast<std::ptrdiff_t>(from));
             s.acknowledge(kB, psn, roce::kSequenceErrorNak);
             all.insert(all.end(), sent.begin(), sent.end());
             s.acknowledge(kB, s.psn(kA) - 1);
           }),
      seed("refused", [](RoceTraceBuilder& s) { talk(s), s.acknowledge(kB, 0xfffffe, roce::kRemoteAccessNak); }),
      seed("congested", [](RoceTraceBuilder& s) { s.notify_congestion(kA), talk(s), s.notify_congestion(kB); }),
      seed("initiator-early", [](RoceTraceBuilder& s) { talk(s), stamp_early(s, kA, 2); }),
      seed("responder-early", [](RoceTraceBuilder& s) { talk(s), stamp_early(s, kB, 3); }),
      seed("responder-alone-first", [](RoceTraceBuilder& s) { talk(s), stamp_early(s, kB, s.messages().size()); }),
      seed("cut-message",
           [](RoceTraceBuilder& s) {
             talk(s);
             s.send(kA, OctetBuffer(100), {}, [](roce::Packet& one) { one.bth.opcode = roce::opcode::kSendFirst; });
             s.send(kA, OctetBuffer(100));
             s.send(kA, OctetBuffer(100), {}, [](roce::Packet& one) { one.bth.opcode = roce::opcode::kSendMiddle; });
           }),
  };
}

}  // namespace wirelaw::corpora

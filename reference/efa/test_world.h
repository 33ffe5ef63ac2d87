// SPDX-License-Identifier: Apache-2.0
// For tests of the endpoint: two endpoints joined in memory by RDMA and a network that reorders and duplicates as
// configured. Records every packet between them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "reference/efa/make_endpoint.h"
#include "reference/network/network_faults.h"
#include "reference/octets/hex.h"

namespace wirelaw::efa {

// A packet that went out, with its own octets.
struct Seen {
  PeerId from = 0;
  OctetBuffer octets;
  Packet packet;
  Seen(PeerId sender, OctetBuffer owned) : from(sender), octets(std::move(owned)) {
    if (const auto decoded = decode(octets)) packet = *decoded;
  }
  Seen(const Seen& other) : Seen(other.from, other.octets) {}
  Seen& operator=(const Seen&) = delete;
  std::string name() const { return packet.layout() == nullptr ? "?" : std::string(packet.layout()->name); }
};

inline Options with_extras(std::initializer_list<Extra> extras) {
  Options options;
  options.extra_info = {extra_bits(extras)};
  return options;
}
inline Options with_rdma() {
  return with_extras({Extra::rdma_read, Extra::delivery_complete, Extra::connid_header, Extra::runting_read,
                      Extra::rdma_write, Extra::read_nack});
}

// In later documents, 4.9.
inline Options with_unsolicited_receives() {
  Options options = with_rdma();
  options.extra_info.front() |= extra_bits({Extra::unsolicited_write_recv});
  return options;
}

inline OctetBuffer pattern(std::size_t size, unsigned seed = 0) {
  OctetBuffer octets(size);
  for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<Octet>(seed + i * 7 + i / 251);
  return octets;
}

// Octets as a short line that is another one for other octets.
inline std::string digest(Octets octets) {
  const std::string_view text(reinterpret_cast<const char*>(octets.data()), octets.size());
  return std::to_string(octets.size()) + ":" + std::to_string(std::hash<std::string_view>{}(text));
}

inline constexpr PeerId kA = 1, kB = 2;

class World {
  std::unique_ptr<Endpoint> owned_a_, owned_b_;

 public:
  explicit World(const Options& a_options = {}, const Options& b_options = {}, NetworkFaults faults_ = {},
                 std::uint64_t seed = 1, const Deviations& on_a = {}, const Deviations& on_b = {})
      : owned_a_(make_endpoint(numbered(a_options, 1), seed, on_a)),
        owned_b_(make_endpoint(numbered(b_options, 2), seed + 1000, on_b)),
        faults(faults_),
        a(*owned_a_),
        b(*owned_b_),
        honest_(on_a.empty() && on_b.empty()),
        random_(seed) {}

  // Delivers packets until none is in transit.
  void run() {
    for (collect(); !flying_.empty() || rdma(); collect()) {
      if (flying_.empty()) continue;
      const std::size_t index = faults.reordering > 0 ? random_() % flying_.size() : 0;
      const Flight flight = flying_[index];
      flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(index));
      if (delivers) delivers(flight.to == kA ? kB : kA, flight.octets);
      to(flight.to).receive(flight.to == kA ? kB : kA, flight.octets, now);
    }
    Completion completion;
    while (a.next_completion(completion)) note(kA, done_a, completion);
    while (b.next_completion(completion)) note(kB, done_b, completion);
  }
  // Lets time pass until nothing is due any more.
  void wait() {
    run();
    for (int step = 0; step < 1000 && (a.deadline() || b.deadline()); ++step) {
      now = std::max(now, std::min(a.deadline().value_or(Instant::max()), b.deadline().value_or(Instant::max())));
      a.advance(now);
      b.advance(now);
      run();
    }
  }

  Endpoint& to(PeerId id) { return id == kA ? a : b; }
  // The names of the packets that one side sent.
  std::vector<std::string> sent(PeerId from) const {
    std::vector<std::string> names;
    for (const Seen& one : seen)
      if (one.from == from) names.push_back(one.name());
    return names;
  }
  std::size_t count(PacketType type) const {
    return static_cast<std::size_t>(
        std::count_if(seen.begin(), seen.end(), [&](const Seen& one) { return one.packet.is(type); }));
  }
  const Packet& first(PacketType type) const {
    for (const Seen& one : seen)
      if (one.packet.is(type)) return one.packet;
    ADD_FAILURE() << "no such packet: " << describe(type).name;
    return seen.front().packet;
  }
  std::uint64_t drops() const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < kDrops; ++i) all += a.dropped(Drop(i)) + b.dropped(Drop(i));
    return all;
  }

  Instant now{};
  NetworkFaults faults;  // if `reordering` is not zero, the next packet is any of those in transit
  Endpoint &a, &b;
  std::vector<Completion> done_a, done_b;
  std::vector<Seen> seen;
  std::function<bool(PeerId, const OctetBuffer&)> passes;    // which packets are not lost
  std::function<bool(const Packet&)> may_double;             // which packets the network may duplicate; all of them
  std::function<void(PeerId, const OctetBuffer&)> delivers;  // called with each packet as it arrives, and its sender
  bool rdma_fails = false;
  std::vector<std::string> log;  // packets, RDMA and completions, in their order

 private:
  void note(PeerId side, std::vector<Completion>& done, const Completion& completion) {
    log.push_back(std::to_string(side) + " completion " + std::to_string(static_cast<int>(completion.kind)) + " " +
                  std::to_string(completion.id) + " " + std::to_string(static_cast<int>(completion.status)) + " " +
                  digest(completion.data));
    done.push_back(completion);
  }
  struct Flight {
    PeerId to;
    OctetBuffer octets;
  };

  static Options numbered(Options options, std::uint8_t number) {
    options.address.gid[0] = 0xfe;
    options.address.gid[15] = number;
    options.address.qpn = number;
    return options;
  }

  void collect() {
    Outgoing out;
    for (const PeerId from : {kA, kB})
      while (to(from).next_datagram(out)) {
        EXPECT_TRUE(out.octets.size() <= 8928u || !honest_);
        seen.emplace_back(from, out.octets);
        log.push_back(std::to_string(from) + " sends " + digest(out.octets));
        const bool doubles = draws(faults.duplication) && (!may_double || may_double(seen.back().packet));
        const unsigned copies = doubles ? 2 : 1;
        for (unsigned copy = 0; copy < copies; ++copy)
          if (!draws(faults.loss) && (!passes || passes(from, out.octets))) flying_.push_back({out.to, out.octets});
      }
  }

  bool draws(double probability) { return random_() % 100 < static_cast<std::uint64_t>(probability * 100 + 0.5); }

  bool rdma() {
    RdmaWork work;
    for (const PeerId from : {kA, kB})
      if (to(from).next_rdma(work)) {
        Endpoint& other = to(work.peer);
        log.push_back(std::to_string(from) + " rdma " + std::to_string(work.remote.len));
        if (rdma_fails) {
          to(from).rdma_done(work.id, false, {}, now);
        } else if (work.kind == RdmaWork::Kind::read) {
          const auto octets = other.rdma_read(work.remote);
          to(from).rdma_done(work.id, octets.has_value(), octets.value_or(Octets{}), now);
        } else {
          to(from).rdma_done(work.id, other.rdma_written(from, work.remote, work.octets, work.cq_data), {}, now);
        }
        return true;
      }
    return false;
  }

  bool honest_;
  std::mt19937_64 random_;
  std::vector<Flight> flying_;
};

// The first message makes both sides known to each other.
inline void shake_hands(World& world) {
  world.b.post_receive({.octets = 0}, world.now);
  world.a.send(kB, {.data = {}}, world.now);
  world.run();
  ASSERT_TRUE(world.a.knows_capabilities_of(kB) && world.b.knows_capabilities_of(kA));
  world.seen.clear();
  world.done_a.clear();
  world.done_b.clear();
}

inline OctetBuffer u64(std::initializer_list<std::uint64_t> values) {
  OctetBuffer octets;
  for (const std::uint64_t value : values) Writer(octets).little_endian(value);
  return octets;
}

}  // namespace wirelaw::efa

// SPDX-License-Identifier: Apache-2.0
// Captures in memory, for tests that change what is in them.
#pragma once

#include <filesystem>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/check/check.h"

namespace wirelaw {

// A datagram or a segment, with its own octets.
struct Packet {
  std::variant<pcap::Datagram, pcap::Segment> header;
  OctetBuffer octets;

  std::int64_t& time_ns() {
    return std::visit([](auto& one) -> std::int64_t& { return one.time_ns; }, header);
  }
  std::int64_t time_ns() const {
    return std::visit([](const auto& one) { return one.time_ns; }, header);
  }
  bool& order_unknown() {
    return std::visit([](auto& one) -> bool& { return one.order_unknown; }, header);
  }
  pcap::Endpoint source() const {
    return std::visit([](const auto& one) { return one.source; }, header);
  }
};

std::vector<Packet> read_packets(const std::filesystem::path& path);
std::vector<const Packet*> pointers(const std::vector<Packet>& packets);

// True if all packets are sent to RoCE's port.
bool are_roce(const std::vector<const Packet*>& packets);

inline constexpr std::size_t kUncut = static_cast<std::size_t>(-1);

// Judges the packets as one file. `cut` octets of each payload were captured.
void check(Checker& checker, const Protocol& protocol, const std::vector<const Packet*>& packets,
           Completeness completeness, std::size_t cut = kUncut);
Results results_of(const Protocol& protocol, const std::vector<const Packet*>& packets, Completeness completeness,
                   std::size_t cut = kUncut);

// Returns the rules with a violation.
std::set<std::string_view> broken_in(const Results& results);
std::set<std::string_view> broken_in(const Protocol& protocol, const std::vector<const Packet*>& packets,
                                     Completeness completeness, std::size_t cut = kUncut);

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
#include "harness/check/packets_test.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/roce/packet.h"

namespace wirelaw {
namespace {

template <class Header>
Packet own(Header header) {
  header.carriers = nullptr;  // the carriers belong to the reader, as the headers do
  if constexpr (requires { header.headers; }) header.headers = {};
  return {header, {header.payload.begin(), header.payload.end()}};
}

}  // namespace

std::vector<Packet> read_packets(const std::filesystem::path& path) {
  std::vector<Packet> packets;
  auto reader = pcap::PacketReader::open(path.string(), {.in_time_order = true});
  EXPECT_TRUE(reader) << path;
  pcap::Datagram datagram;
  pcap::Segment segment;
  for (pcap::Transport found; (found = reader->next(datagram, segment)) != pcap::Transport::none;) {
    if (found == pcap::Transport::tcp)
      packets.push_back(own(segment));
    else
      packets.push_back(own(datagram));
  }
  return packets;
}

std::vector<const Packet*> pointers(const std::vector<Packet>& packets) {
  std::vector<const Packet*> all;
  for (const Packet& one : packets) all.push_back(&one);
  return all;
}

// The protocol of a connection between queue pairs is not that of its datagrams.
bool are_roce(const std::vector<const Packet*>& packets) {
  return !packets.empty() && std::ranges::all_of(packets, [](const Packet* packet) {
    const auto* const datagram = std::get_if<pcap::Datagram>(&packet->header);
    return datagram != nullptr && datagram->destination.port == roce::kPort;
  });
}

void check(Checker& checker, const Protocol& protocol, const std::vector<const Packet*>& packets,
           Completeness completeness, std::size_t cut) {
  checker.begin_file({.protocol = are_roce(packets) ? nullptr : &protocol}, completeness);
  std::uint64_t frame = 0;
  for (const Packet* packet : packets) {
    std::visit(
        [&](auto header) {
          header.frame = ++frame;
          header.payload = Octets(packet->octets).first(std::min(cut, packet->octets.size()));
          checker.take(header);
        },
        packet->header);
  }
  checker.finish_early();
  checker.end_file(completeness);
}

Results results_of(const Protocol& protocol, const std::vector<const Packet*>& packets, Completeness completeness,
                   std::size_t cut) {
  Checker checker({.protocol = &protocol});
  check(checker, protocol, packets, completeness, cut);
  return checker.take_results();
}

std::set<std::string_view> broken_in(const Results& results) {
  std::set<std::string_view> broken;
  for (const RuleResult& one : results.rules)
    if (one.failed > 0) broken.insert(one.rule->id);
  return broken;
}

std::set<std::string_view> broken_in(const Protocol& protocol, const std::vector<const Packet*>& packets,
                                     Completeness completeness, std::size_t cut) {
  return broken_in(results_of(protocol, packets, completeness, cut));
}

}  // namespace wirelaw

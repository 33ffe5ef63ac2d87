// SPDX-License-Identifier: Apache-2.0
// The UDP datagrams of a capture.
//
//   auto reader = UdpReader::open("trace.pcapng");
//   for (Datagram datagram; reader->next(datagram);) …
//   for (const Problem& problem : reader->problems()) …
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "pcap/ip_reader.h"
#include "pcap/udp.h"

namespace wirelaw::pcap {

class UdpReader {
 public:
  // `path` is a pcap or pcapng file, gzip'd or not, or "-" for standard input.
  static tl::expected<UdpReader, Problem> open(const std::string& path, const ReadOptions& options = {});

  // The next datagram; false at the end of the file, or where it is broken. No allocation per datagram.
  bool next(Datagram& datagram);

  const Frame& frame() const { return ip_.frame(); }  // that the last datagram came from, or was completed by
  const Reader& reader() const { return ip_.reader(); }
  const Counts& counts() const { return ip_.counts(); }
  std::span<const Problem> problems() const { return ip_.log().problems(); }  // the first options.max_problems
  std::uint64_t problem_count() const { return ip_.log().count(); }           // all of them

 private:
  explicit UdpReader(IpReader ip) : ip_(std::move(ip)) {}

  IpReader ip_;
  IpPacket packet_;
};

}  // namespace wirelaw::pcap

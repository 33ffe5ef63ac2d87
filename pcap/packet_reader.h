// SPDX-License-Identifier: Apache-2.0
// Reads the UDP datagrams, TCP segments and exported PDUs of a capture, in its order.
//
//   auto reader = PacketReader::open("trace.pcapng");
//   Datagram datagram;
//   Segment segment;
//   for (Transport found; (found = reader->next(datagram, segment)) != Transport::none;) …
//   for (const Problem& problem : reader->problems()) …
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "pcap/ip_reader.h"
#include "pcap/tcp.h"
#include "pcap/udp.h"

namespace wirelaw::pcap {

// pdu: an exported PDU, read as a datagram. roce: a RoCE packet between queue pairs (pcap/queue_pairs.h), read as UDP.
enum class Transport : std::uint8_t { none, udp, tcp, pdu, roce };

class PacketReader {
 public:
  // `path` is a pcap or pcapng file, gzip'd or not, or "-" for standard input.
  static tl::expected<PacketReader, Problem> open(const std::string& path, const ReadOptions& options = {});

  // Fills in the argument for the kind that it returns. none: end of the file, or the file is broken. Does not allocate
  // for each packet.
  Transport next(Datagram& datagram, Segment& segment);

  // Adds a problem: the caller found `flaw` in what the frame carries above TCP or UDP.
  void report(std::uint64_t frame, const Flaw& flaw) { ip_.log().add(frame, flaw); }

  void keep_interfaces_apart() { ip_.keep_interfaces_apart(); }  // as IpReader's

  const Frame& frame() const { return ip_.frame(); }  // the frame of the last packet, or the one that completed it
  const Reader& reader() const { return ip_.reader(); }
  Reader& reader() { return ip_.reader(); }
  const Counts& counts() const { return ip_.counts(); }
  std::span<const Problem> problems() const { return ip_.log().problems(); }  // the first options.max_problems
  std::uint64_t problem_count() const { return ip_.log().count(); }           // all of them

 private:
  explicit PacketReader(IpReader ip) : ip_(std::move(ip)) {}
  Flaw read_pdu(Datagram& datagram);
  bool usable(const Flaw& found);

  IpReader ip_;
  IpPacket packet_;
};

}  // namespace wirelaw::pcap

// SPDX-License-Identifier: Apache-2.0
// The IP packets of a capture, whole: reader, link, tags and tunnels, IP and reassembly in one. For packets in packets
// the innermost is read. A decoder above IP (UDP here) decodes
// an IpPacket and reports what it finds wrong back to the IpReader, so that one file has one list of problems.
#pragma once

#include <tl/expected.hpp>

#include "pcap/ip.h"
#include "pcap/link.h"
#include "pcap/problem_log.h"
#include "pcap/reader.h"
#include "pcap/unread.h"
#include "pcap/unwrapper.h"

namespace wirelaw::pcap {

struct ReadOptions {
  ReassemblyLimits reassembly;
  std::size_t max_problems = kMaxProblems;  // kept in full; the rest is counted
  bool in_time_order = false;               // else in the order of the file
};

// Every frame is counted once in datagrams (without reassembled), tcp_segments (likewise), pdus, other, malformed,
// fragments, or, if not even the headers were captured, headers_cut.
struct Counts {
  std::uint64_t frames = 0;
  std::uint64_t octets = 0;        // captured
  std::uint64_t datagrams = 0;     // UDP; those reassembled are in it
  std::uint64_t tcp_segments = 0;  // those reassembled are in it
  std::uint64_t pdus = 0;          // exported ones, without IP
  std::uint64_t other = 0;         // ARP, ICMP, …: what `unread` lists
  std::uint64_t malformed = 0;
  std::uint64_t headers_cut = 0;   // by the snap length: nothing to deliver
  std::uint64_t payloads_cut = 0;  // delivered all the same
  std::uint64_t fragments = 0;     // well-formed
  std::uint64_t reassembled = 0;   // packets from fragments
  std::uint64_t abandoned = 0;     // packets whose fragments never became whole
  Unread unread;                   // what the frames of `other` hold
};

class IpReader {
 public:
  // Refuses a capture whose link type cannot be read.
  static tl::expected<IpReader, Problem> open(const std::string& path, const ReadOptions& options = {});

  // The next packet of any protocol above IP, or what a frame holds in its place; false at the end. Malformed input
  // on the way becomes a problem.
  bool next(IpPacket& packet);

  // A decoder above IP found `flaw` in `packet`: it becomes a problem and is counted.
  void report(const IpPacket& packet, const Flaw& flaw);
  // No decoder reads what `packet` carries.
  void pass_over(const IpPacket& packet);

  const Frame& frame() const { return frame_; }  // that the last packet came from, or was completed by
  const Reader& reader() const { return reader_; }
  Reader& reader() { return reader_; }
  const Counts& counts() const { return counts_; }
  Counts& counts() { return counts_; }
  const ProblemLog& log() const { return log_; }
  ProblemLog& log() { return log_; }

 private:
  IpReader(Reader reader, const LinkType* link, const ReadOptions& options);
  bool next_frame(IpPacket& packet);
  bool read_frame(IpPacket& packet);
  bool read_innermost(IpPacket& packet);
  void pass_over(const Layer& layer, const char* carrier);
  void finish();

  Reader reader_;
  const LinkType* link_;  // the frame's link type; nullptr: nothing can be read from it
  int link_number_;
  Frame frame_;
  Unwrapper unwrapper_;
  ProblemLog log_;
  Counts counts_;
  bool finished_ = false;
};

}  // namespace wirelaw::pcap

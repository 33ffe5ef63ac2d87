// SPDX-License-Identifier: Apache-2.0
// The complete IP packets of a capture: combines reader, link, tags and tunnels, IP and reassembly. In packets within
// packets, the innermost is read. A decoder above IP (here UDP) decodes an IpPacket and reports problems to the
// IpReader, so that one file has one list of problems.
#pragma once

#include <tl/expected.hpp>

#include "pcap/ip.h"
#include "pcap/link.h"
#include "pcap/mpacket.h"
#include "pcap/problem_log.h"
#include "pcap/reader.h"
#include "pcap/unread.h"
#include "pcap/unwrapper.h"

namespace wirelaw::pcap {

struct ReadOptions {
  ReassemblyLimits reassembly;
  std::size_t max_problems = kMaxProblems;  // kept in full; further ones are counted
  bool in_time_order = false;               // false: in the file's order
};

// Every frame is counted once in datagrams (without reassembled), tcp_segments (likewise), pdus, other, malformed,
// fragments, or, if not even the headers were captured, headers_cut.
struct Counts {
  std::uint64_t frames = 0;
  std::uint64_t octets = 0;        // captured
  std::uint64_t datagrams = 0;     // UDP, including reassembled ones
  std::uint64_t tcp_segments = 0;  // including reassembled ones
  std::uint64_t pdus = 0;          // exported PDUs, without IP
  std::uint64_t other = 0;         // ARP, ICMP, …, as listed in `unread`
  std::uint64_t malformed = 0;
  std::uint64_t headers_cut = 0;   // headers cut by the snap length, so that nothing is delivered
  std::uint64_t payloads_cut = 0;  // cut by the snap length, but delivered
  std::uint64_t fragments = 0;     // well-formed fragments
  std::uint64_t reassembled = 0;   // packets reassembled from fragments
  std::uint64_t abandoned = 0;     // packets with missing fragments
  Unread unread;                   // content of the frames in `other`
};

class IpReader {
 public:
  // Refuses a capture whose link type cannot be read.
  static tl::expected<IpReader, Problem> open(const std::string& path, const ReadOptions& options = {});

  // Reads the next packet, of any protocol above IP, or another kind of packet (PacketKind). False at the end.
  // Malformed input on the way becomes a problem.
  bool next(IpPacket& packet);

  // A decoder above IP found `flaw` in `packet`. It becomes a problem and is counted.
  void report(const IpPacket& packet, const Flaw& flaw);
  // No decoder reads the content of `packet`.
  void pass_over(const IpPacket& packet);

  // Reassembles the fragments of each interface on their own, from the next frame on. For a capture whose interfaces
  // are different networks, in which the same packet occurs more than once.
  void keep_interfaces_apart() { unwrapper_.keep_interfaces_apart(); }

  const Frame& frame() const { return frame_; }  // the frame of the last packet, or the one that completed it
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
  bool read_mpacket(IpPacket& packet);
  bool read_unwrapped(const Unwrapped& found, IpPacket& packet);
  void pass_over(const Layer& layer, const char* carrier);
  void finish();

  Reader reader_;
  const LinkType* link_;  // link type of the frame; nullptr: it cannot be read
  int link_number_;
  Frame frame_;
  Unwrapper unwrapper_;
  MpacketReassembly mpackets_;
  ProblemLog log_;
  Counts counts_;
  bool finished_ = false;
};

}  // namespace wirelaw::pcap

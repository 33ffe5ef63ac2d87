// SPDX-License-Identifier: Apache-2.0
// Reassembles IP packets from fragments (RFC 791, RFC 8200 section 4.5) in bounded memory.
//
// A fragment that is an exact copy of a held one is ignored. Any other overlap drops the packet and its later fragments
// (RFC 5722), so that no octets escape judgement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "pcap/ip.h"
#include "pcap/problem_log.h"

namespace wirelaw::pcap {

struct ReassemblyLimits {
  std::size_t max_packets = 1024;  // incomplete packets at the same time; the oldest is given up first
  std::size_t max_octets = std::size_t{16}
                           << 20;  // octets held at the same time, with bookkeeping; up to twice as many are allocated
  std::int64_t timeout_ns = 30'000'000'000;  // from a packet's first fragment, in the capture's time
};

class Reassembly {
 public:
  explicit Reassembly(ReassemblyLimits limits = {}) : limits_(limits) {}

  // From now on fragments from different interfaces belong to different packets.
  void keep_interfaces_apart() { interfaces_are_apart_ = true; }

  // Takes a fragment. `complete` becomes true if `packet` is now the complete packet; its payload is valid until the
  // next call. The result is this fragment's flaw. Packets given up for age or space go to `log` with their own frame.
  Flaw add(IpPacket& packet, ProblemLog& log, bool& complete);

  // Call it at the end of the capture: incomplete packets go to `log`.
  void finish(ProblemLog& log);

  std::uint64_t abandoned() const { return abandoned_; }  // packets given up for age, space or the capture's end
  std::size_t packets() const { return partials_.size(); }
  std::size_t octets() const { return octets_; }

 private:
  struct Key {
    Address source, destination;
    std::uint32_t id = 0;
    std::uint16_t protocol = 0;   // with the version; IPv6 does not use the protocol to distinguish packets
    std::uint32_t interface = 0;  // 0 unless interfaces are kept apart
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Piece {
    std::uint32_t begin, end;  // range in the packet's payload
    std::size_t at;            // position of the octets in Partial::octets
  };
  struct Partial {
    Key key;
    std::uint64_t first_frame = 0;
    std::int64_t first_time_ns = 0;
    std::uint32_t received = 0;       // octets received, without copies
    std::uint32_t total = 0;          // packet length; 0 until the last fragment has arrived
    std::uint16_t header_octets = 0;  // from the fragment with offset 0, as is the protocol
    std::uint8_t protocol = 0;
    bool dropped = false;       // after an overlap; later fragments are ignored
    std::vector<Piece> pieces;  // in order, disjoint
    OctetBuffer octets;         // in order of arrival
  };
  using Partials = std::list<Partial>;  // oldest first

  Key key_of(const IpPacket& packet) const;
  static std::size_t cost(const Partial& partial);
  Partials::iterator find_or_begin(const IpPacket& packet);
  Flaw insert(Partial& partial, const IpPacket& packet);
  static Flaw find_place(const Partial& partial, const IpPacket& packet, std::size_t& place, bool& copy);
  void assemble(const Partial& partial, IpPacket& packet);
  void expire(std::int64_t now_ns, ProblemLog& log);
  void evict(ProblemLog& log);
  void drop(Partial& partial);
  void erase(Partials::iterator partial);
  void give_up(Fault fault, std::size_t need, ProblemLog& log);

  ReassemblyLimits limits_;
  bool interfaces_are_apart_ = false;
  Partials partials_;
  std::unordered_map<Key, Partials::iterator, KeyHash> index_;
  OctetBuffer whole_;
  std::size_t octets_ = 0;
  std::uint64_t abandoned_ = 0;
};

}  // namespace wirelaw::pcap

// SPDX-License-Identifier: Apache-2.0
// Preemptable Ethernet frames in captures of mPackets (LINKTYPE_ETHERNET_MPACKET, IEEE 802.3br, clause 99). A frame may
// be sent in fragments, between which express frames pass. Each fragment ends with a check of its own (mCRC), and the
// last one with the frame check sequence of the whole frame, which must hold here. Memory is bounded: one frame on each
// of a few interfaces.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

inline constexpr int kLinkTypeMpacket = 274;
inline constexpr std::size_t kFrameCheckOctets = 4;

// The delimiter after the preamble, which says what follows.
struct MpacketStart {
  enum class Kind : std::uint8_t { express, start, continuation, management, unknown };

  Kind kind = Kind::unknown;
  std::uint8_t frame = 0;     // number of the frame modulo 4, for a start and a continuation
  std::uint8_t fragment = 0;  // number of the fragment modulo 4, for a continuation
  std::size_t offset = 0;     // where its octets begin
  bool is_cut = false;        // the octets end within the preamble
};
MpacketStart read_mpacket_start(Octets mpacket);

// True if these octets end with the frame check sequence of the others.
bool is_whole_frame(Octets frame);

class MpacketReassembly {
 public:
  static constexpr std::size_t kMostOctets = 1U << 16;  // in one frame
  static constexpr std::size_t kMostInterfaces = 8;

  enum class Outcome : std::uint8_t {
    frame,      // a whole frame, express or preemptable, or nothing that carries one
    fragment,   // belongs to a frame that is not complete yet
    completed,  // octets() is the frame that it completes
    lost        // a part of a frame whose other parts are missing or damaged
  };
  Outcome take(Octets mpacket, std::uint32_t interface);
  // The last completed frame, with its frame check sequence. Valid until the next call.
  Octets octets() const { return completed_; }
  // Call it at the end of the capture.
  void finish();
  std::uint64_t abandoned() const { return abandoned_; }  // frames that were never completed

 private:
  struct Open {
    std::uint32_t interface = 0;
    std::uint8_t frame = 0, next_fragment = 0;
    OctetBuffer octets;
  };
  Open* find(std::uint32_t interface);
  void give_up(std::uint32_t interface);
  Outcome begin(const MpacketStart& start, Octets content, std::uint32_t interface);
  Outcome go_on(const MpacketStart& start, Octets content, std::uint32_t interface);

  std::deque<Open> open_;  // the oldest first
  OctetBuffer completed_;
  std::uint64_t abandoned_ = 0;
};

}  // namespace wirelaw::pcap

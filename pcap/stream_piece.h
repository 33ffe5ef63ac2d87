// SPDX-License-Identifier: Apache-2.0
// What reassembly tells of one direction of a TCP connection, and whom it tells.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

struct StreamPiece {
  enum class Event : std::uint8_t {
    opened,  // the first that is known of this direction
    octets,  // the next ones: in order, each octet once
    gap,     // octets that the capture does not hold; the stream goes on behind them
    closed,  // its FIN, once all before it has been told: no octets follow
    reset,   // its RST: nothing follows in either direction
  };

  Event event = Event::octets;
  bool from_a = false;       // which side sent it
  bool from_start = false;   // offset 0 is the first octet after the SYN; else merely the first that was seen
  std::uint16_t mss = 0;     // of `opened`: that the SYN announced; 0 where it did not, or was not seen
  Octets octets = {};        // of `octets`; valid during the call
  std::uint64_t offset = 0;  // in this direction's stream: of the first octet, or where the event is
  std::uint64_t length = 0;  // octets.size(); of a gap: how many are missing
  std::uint64_t frame = 0;   // that carried the first of these octets; of a gap: that showed that they are missing
  std::int64_t time_ns = 0;  // of that frame
};

// Refers to any callable that takes a piece; it must live as long as the call that it is given to.
class PieceSink {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, PieceSink>)
      PieceSink(Callable&& callable)  // NOLINT(google-explicit-constructor): stands for the callable
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, const StreamPiece& piece) {
          (*static_cast<std::remove_reference_t<Callable>*>(object))(piece);
        }) {}

  void operator()(const StreamPiece& piece) const { call_(callable_, piece); }

 private:
  void* callable_;
  void (*call_)(void*, const StreamPiece&);
};

}  // namespace wirelaw::pcap

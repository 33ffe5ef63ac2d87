// SPDX-License-Identifier: Apache-2.0
// The oracle of the conversation targets over datagrams. It captures anywhere between two endpoints: packets may be
// lost, doubled or overtaken on either side of it. Whatever an honest endpoint sends there breaks no rule.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "conformance/judge.h"
#include "conformance/observer.h"
#include "conformance/protocol.h"
#include "corpora/formats/fate.h"
#include "fuzz/damaged_capture.h"
#include "reference/endpoint.h"

namespace wirelaw::fuzz {

// The two ends of a conversation; the packets of each go to the other.
enum class End : std::uint8_t { initiator, responder };

// The ends whose packets are judged.
struct Honest {
  bool initiator = true;
  bool responder = true;
};

// The observer and its judge. Ends the process at the first finding about an honest end.
class Tap {
 public:
  struct Limits {
    std::size_t octets = std::size_t{64} << 10;  // limits of the observer
    std::size_t slack = 0;                       // memory that it may hold above the limit between two checks
  };
  // `argued`: true for a finding that a dishonest peer, or the network, can cause for an honest endpoint.
  Tap(const Protocol& protocol, Honest honest, Limits limits, std::function<bool(const Finding&)> argued = {});
  void see(End sender, Octets octets, Instant now);
  void finish();
  // Also passes everything that it sees to `capture`.
  void show_to(DamagedCapture* capture) { capture_ = capture; }

 private:
  bool is_judged(End end) const { return end == End::initiator ? honest_.initiator : honest_.responder; }
  void check() const;

  const Protocol& protocol_;
  Honest honest_;
  Limits limits_;
  std::function<bool(const Finding&)> argued_;
  std::unique_ptr<Observer> observer_;
  Judge judge_;
  DamagedCapture* capture_ = nullptr;
  std::uint64_t messages_ = 0;
  End first_ = End::initiator;  // sender of the first message seen
};

// The path of one end's packets. A packet's fate applies before the tap if an honest endpoint sends it, and after the
// tap if the scripted peer does. Held packets arrive when they are released.
class Way {
 public:
  Way(Tap& tap, End sender, bool fate_before_tap) : tap_(tap), sender_(sender), fate_before_tap_(fate_before_tap) {}

  void send(OctetBuffer octets, corpora::Fate fate, Instant now);
  void release(std::size_t which, Instant now);
  // Releases the datagrams that were held before `since`.
  void release_before(Instant since, Instant now);
  // Returns the next packet that has arrived.
  bool next(OctetBuffer& octets);
  // True if everything that was sent has arrived.
  bool has_lost_nothing() const { return !lost_ && held_.empty(); }

 private:
  void pass(OctetBuffer octets, Instant now);

  Tap& tap_;
  End sender_;
  bool fate_before_tap_;
  struct Held {
    OctetBuffer octets;
    Instant since;
  };
  std::deque<Held> held_;
  bool lost_ = false;
  std::deque<OctetBuffer> arrived_;
};

// The fates of an endpoint's packets during one step, taken in turn.
class Fates {
 public:
  explicit Fates(Octet fates) : fates_(fates) {}
  static corpora::Fate of_peer(Octet fates) { return static_cast<corpora::Fate>(fates & 3u); }
  corpora::Fate next() {
    turn_ = turn_ % 3 + 1;
    return static_cast<corpora::Fate>(fates_ >> (2 * turn_) & 3);
  }

 private:
  Octet fates_;
  unsigned turn_ = 0;
};

}  // namespace wirelaw::fuzz

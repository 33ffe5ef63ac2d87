// SPDX-License-Identifier: Apache-2.0
// Applies the triggers of a script to the messages that pass a relay: `on b CTS nth 3: lose`. Sans I/O.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/script/conversation.h"
#include "conformance/script/language.h"
#include "conformance/script/result.h"
#include "conformance/script/syntax.h"

namespace wirelaw::script {

// Returns an error if this trigger can never fire because there is no such message, layer or value. Fields are checked
// only against a message, because its octets determine which fields it has.
Result<void> check_trigger(const Trigger& trigger, const Language& language);
// Returns an error if this trigger does more to a message than RelayKind::forwards_frames can do to a stream.
Result<void> check_trigger_in_frames(const Trigger& trigger);

enum class RelayKind : std::uint8_t {
  ends_connections,
  // Frames pass the relay, and TCP stays between the peers. No message gets another length, and messages in a stream
  // are neither lost, repeated nor delayed.
  forwards_frames,
};

// The effect of a trigger on a message, or the reason why it had none.
struct Played {
  std::uint32_t line = 0;  // line of the trigger
  bool is_done = true;
  std::string text = {};  // "the relay plays line 3 of the faults: lose"
};

// The octets that the relay forwards in place of what the sender sent.
struct Passing {
  std::vector<OctetBuffer> copies = {};   // each is a datagram, or octets of the stream; none: it is lost
  std::size_t length = 0;                 // number of the sender's octets that they replace
  std::int64_t delay_ns = 0;              // delay before the first copy
  Trigger::End end = Trigger::End::none;  // how the connection ends after the last copy
  std::vector<Played> played = {};        // empty: it passes as it was sent
};

// One connection, or one flow of datagrams, and how often each trigger has seen its message there.
class TriggerRun {
 public:
  // The triggers have passed check_trigger() and must outlive the run.
  TriggerRun(std::span<const Trigger> triggers, const Language& language, RelayKind relay = RelayKind::ends_connections)
      : triggers_(triggers), relay_(relay), speaker_(language, sample_addresses()), seen_(triggers.size()) {}

  // Takes a datagram that `sender` has sent.
  Passing datagram(Side sender, Octets octets);
  // Takes the next octets of the sender's stream. An incomplete unit of the protocol's framing is held back.
  std::vector<Passing> stream(Side sender, Octets octets);
  // Returns the octets held back from a stream that has ended.
  OctetBuffer rest(Side sender);

 private:
  bool matches(const Trigger& trigger, Side sender, Octets message) const;
  OctetBuffer message_in(Side sender, Octets message, Octets wire) const;
  std::string why_not(const Trigger& trigger, bool is_in_stream) const;
  void play(const Trigger& trigger, Side sender, Octets message, Passing& passing);
  Passing pass(Side sender, Octets message, Octets wire, bool is_in_stream);

  std::span<const Trigger> triggers_;
  const RelayKind relay_;
  mutable Speaker speaker_;
  std::vector<std::uint64_t> seen_;  // matches so far, by trigger
  OctetBuffer open_[2];              // by side: octets of an incomplete unit
};

}  // namespace wirelaw::script

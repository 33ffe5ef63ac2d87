// SPDX-License-Identifier: Apache-2.0
// What a relay does to the messages that pass it, by the triggers of a script: `on b CTS nth 3: lose`. Sans I/O.
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

// Why this trigger can never happen: there is no such message, layer or value. Fields are looked for when a message is
// there, since its octets say which it has.
Result<void> check_trigger(const Trigger& trigger, const Language& language);

// What a trigger has done to a message, or why it could not.
struct Played {
  std::uint32_t line = 0;  // of the trigger
  bool is_done = true;
  std::string text = {};  // "the relay plays line 3 of the faults: lose"
};

// What goes on to the receiver in place of what its sender has sent.
struct Passing {
  std::vector<OctetBuffer> copies = {};   // each is a datagram, or octets of the stream; none: it is lost
  std::int64_t delay_ns = 0;              // before the first of them
  Trigger::End end = Trigger::End::none;  // of the connection, after the last of them
  std::vector<Played> played = {};        // empty: it passes as it was sent
};

// One connection, or one flow of datagrams, and how often each trigger has seen its message there.
class TriggerRun {
 public:
  // The triggers were checked, and outlive the run.
  TriggerRun(std::span<const Trigger> triggers, const Language& language)
      : triggers_(triggers), speaker_(language, sample_addresses()), seen_(triggers.size()) {}

  // A datagram that `sender` has sent.
  Passing datagram(Side sender, Octets octets);
  // Octets that its stream goes on with. A unit of the protocol's framing is kept back until it is whole.
  std::vector<Passing> stream(Side sender, Octets octets);
  // What was kept back of a stream that has ended.
  OctetBuffer rest(Side sender);

 private:
  bool matches(const Trigger& trigger, Side sender, Octets message) const;
  OctetBuffer message_in(Side sender, Octets message, Octets wire) const;
  void play(const Trigger& trigger, Side sender, Octets message, Passing& passing);
  Passing pass(Side sender, Octets message, Octets wire);

  std::span<const Trigger> triggers_;
  mutable Speaker speaker_;
  std::vector<std::uint64_t> seen_;  // by trigger
  OctetBuffer open_[2];              // by side: what is not whole
};

}  // namespace wirelaw::script

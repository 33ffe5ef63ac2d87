// SPDX-License-Identifier: Apache-2.0
// Edits at work: what goes on the wire in place of what a case sends. Campaigns edit cases, and what they have found
// may be kept as a case of its own.
//
//   Case ─ EditedRun ─ EditedTransport ─┬─ CaseTransport ─ FlowTap ─ …
//                                      └─ Script
//
// It works above the tap, so that the observer, the recording and the IUT all see the message as it was changed: what
// the IUT answers is judged by what it was sent.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case.h"
#include "conformance/edit.h"
#include "conformance/protocol.h"

namespace wirelaw::edits {

// Something that passed, in words.
struct Step {
  bool from_iut = false;
  std::string kind;       // kind_of() its line
  std::string summary;    // its line, of a protocol's decoder
  OctetBuffer head = {};  // its first octets
};

class Script {
 public:
  // All outlive it.
  Script(std::span<const Edit> edits, const Dialect& dialect, const Protocol& carried)
      : edits_(edits), dialect_(dialect), carried_(carried) {}

  struct Turn {
    std::chrono::milliseconds wait{0};       // before that
    std::vector<OctetBuffer> messages = {};  // that are sent
    Ending ending = Ending::none;            // and how our direction ends behind them
  };
  // In place of the next message of the case.
  Turn next(Octets message);
  // What was held back and nothing came behind.
  std::optional<OctetBuffer> take_held() { return std::exchange(held_, std::nullopt); }
  // Something was sent otherwise than the case wanted it: from here on what it expects says nothing.
  bool has_changed() const { return changed_; }
  // Nothing more is sent: what the case would wait for is not worth the time.
  bool is_over() const { return over_; }

  void sent(Octets octets) { note(false, octets); }
  void received(Octets octets) {
    heard_since_change_ |= changed_;
    note(true, octets);
  }
  void ended(Ending ending);

  // At the end of a changed conversation it is found out whether the IUT is stuck: it has been silent since the first
  // change, and neither answers nor ends the stream, whatever follows.
  void look_whether_stuck() { looks_whether_stuck_ = true; }
  // Octets of kFiller that are to follow for that; 0: the IUT is not stuck, or nobody can tell.
  std::size_t filler_octets() const {
    return looks_whether_stuck_ && changed_ && !heard_since_change_ ? dialect_.filler_octets : 0;
  }
  void found_stuck() { is_stuck_ = true; }

  // --- what came of it
  bool is_stuck() const { return is_stuck_; }
  // What the case has sent, before it was changed. A long conversation is not kept as a whole.
  std::vector<OctetBuffer> take_stimuli() { return std::move(stimuli_); }
  std::vector<Step> take_steps() { return std::move(steps_); }
  std::uint64_t messages_sent() const { return messages_sent_; }
  std::uint64_t octets_sent() const { return octets_sent_; }
  std::uint64_t messages_received() const { return messages_received_; }

 private:
  void keep(Octets message);
  void note(bool from_iut, Octets octets);
  void place(const Edit& edit, OctetBuffer& message, Turn& turn);

  std::span<const Edit> edits_;
  const Dialect& dialect_;
  const Protocol& carried_;
  std::uint32_t next_ = 0;
  bool changed_ = false, over_ = false;
  bool looks_whether_stuck_ = false, heard_since_change_ = false, is_stuck_ = false;
  std::optional<OctetBuffer> held_;
  std::vector<OctetBuffer> stimuli_;
  std::size_t kept_octets_ = 0;
  std::vector<Step> steps_;
  std::uint64_t messages_sent_ = 0, octets_sent_ = 0, messages_received_ = 0;
  Ending ended_ = Ending::none;
};

// The same case, which speaks through the script. Both outlive what is given back.
Case edited(const Case& original, Script& script);

// What a campaign has found, as a case: `wirelaw fuzz --export` writes such rows.
struct FoundCase {
  std::string_view protocol;  // Protocol::name
  std::string_view id;        // "found/ramcloud-ack-5-1f3a"
  std::string_view purpose;
  std::string_view like;  // the id of the case whose conversation it is, with the edits
  std::string_view rule;  // that was found broken, of the protocol or of what it stands on
  std::vector<Edit> edits;
};
// `others` are the protocol's cases, and outlive it. One that names what is not there: std::logic_error.
Case case_of(FoundCase found, std::span<const Case> others);

}  // namespace wirelaw::edits

// SPDX-License-Identifier: Apache-2.0
// Applies edits: replaces what a case sends before it reaches the wire. Campaigns edit cases, and what they find may be
// kept as a case of its own.
//
//   Case ─ EditedRun ─ EditedTransport ─┬─ CaseTransport ─ FlowTap ─ …
//                                      └─ EditedConversation
//
// The edits are applied above the tap, so that the observer, the recording and the IUT all see the changed message. The
// IUT's answers are judged against the octets that it received.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case.h"
#include "conformance/echo_check.h"
#include "conformance/edit.h"
#include "conformance/protocol.h"
#include "conformance/script/language.h"

namespace wirelaw::edits {

// A message that passed, as text.
struct Step {
  bool from_iut = false;
  std::string kind;       // kind_of() the summary
  std::string summary;    // the summary line from the protocol's decoder
  OctetBuffer head = {};  // the first octets of the message
};

class EditedConversation {
 public:
  // The arguments outlive the conversation. Messages are composed in the language, nullptr: none.
  EditedConversation(std::span<const Edit> edits, const Dialect& dialect, const Protocol& carried,
                     const script::Language* language = nullptr)
      : edits_(edits), dialect_(dialect), carried_(carried), language_(language) {}

  // The language, if messages are to be composed; else nullptr.
  const script::Language* composes_in() const;

  // A line from which messages are composed.
  struct Composed {
    std::string line;
    std::uint32_t times = 1;
  };

  struct Turn {
    std::chrono::milliseconds wait{0};       // before the messages are sent
    std::vector<OctetBuffer> messages = {};  // messages to send
    std::vector<Composed> composed = {};     // lines after them
    Ending ending = Ending::none;            // how our direction ends after them
  };
  // Returns what is sent in place of the next message of the case.
  Turn next(Octets message);
  // Takes the message that was held back, if no later message has released it.
  std::optional<OctetBuffer> take_held() { return std::exchange(held_, std::nullopt); }
  // True once a message was not sent as the case wanted. From then on the expectations of the case have no meaning.
  bool has_changed() const { return changed_; }
  // True if nothing more is sent, so that waiting for an answer is a waste of time.
  bool is_over() const { return over_; }

  void sent(Octets octets) {
    if (echo_) echo_->sent(octets);
    note(false, octets);
  }
  void received(Octets octets) {
    heard_since_change_ |= changed_;
    if (echo_) echo_->received(octets);
    note(true, octets);
  }
  void ended(Ending ending);

  // Asks for a check at the end of a changed conversation whether the IUT is stuck: silent since the first change, and
  // neither answering nor ending the stream afterwards.
  void look_whether_stuck() { looks_whether_stuck_ = true; }
  // The number of kFiller octets to send for that check. 0: the IUT is not stuck, or it cannot be decided.
  std::size_t filler_octets() const {
    return looks_whether_stuck_ && changed_ && !heard_since_change_ ? dialect_.filler_octets : 0;
  }
  void found_stuck() { is_stuck_ = true; }

  // The IUT echoes: its answers are checked, if the dialect says how.
  void check_echoes() {
    if (dialect_.echo != nullptr) echo_ = dialect_.echo();
  }

  // --- results
  std::optional<WrongEcho> wrong_echo() const { return echo_ ? echo_->wrong() : std::nullopt; }
  bool is_stuck() const { return is_stuck_; }
  // The messages of the case before they were changed. Only the beginning of a long conversation is kept.
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
  const script::Language* language_;
  std::uint32_t next_ = 0;
  bool changed_ = false, over_ = false;
  bool looks_whether_stuck_ = false, heard_since_change_ = false, is_stuck_ = false;
  std::unique_ptr<EchoCheck> echo_;
  std::optional<OctetBuffer> held_;
  std::vector<OctetBuffer> stimuli_;
  std::size_t kept_octets_ = 0;
  std::vector<Step> steps_;
  std::uint64_t messages_sent_ = 0, octets_sent_ = 0, messages_received_ = 0;
  Ending ended_ = Ending::none;
};

// The same case, speaking through the conversation. The case and the conversation outlive the result.
Case edited(const Case& original, EditedConversation& conversation);

// A finding of a campaign as a case. `wirelaw fuzz --export` writes such rows.
struct FoundCase {
  std::string_view protocol;  // Protocol::name
  std::string_view id;        // "found/ramcloud-ack-5-1f3a"
  std::string_view purpose;
  std::string_view like;  // id of the case whose conversation is edited
  std::string_view rule;  // id of the broken rule, from the protocol or from one below it
  std::vector<Edit> edits;
};
// `others` are the protocol's cases, and outlive the result. Throws std::logic_error if a name does not exist.
Case case_of(FoundCase found, std::span<const Case> others);

}  // namespace wirelaw::edits

// SPDX-License-Identifier: Apache-2.0
// The trial of one input: a case with its edits talks to the IUT, an honest exchange with the same peer follows, and
// every oracle is asked.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/catalogue.h"
#include "conformance/edited_case.h"
#include "harness/campaign/captured_case.h"
#include "harness/campaign/coverage_map.h"
#include "harness/campaign/started_process.h"
#include "harness/campaign/vocabulary.h"
#include "harness/campaign/watchdog.h"
#include "harness/case_runner.h"
#include "harness/environment.h"
#include "harness/transports/started_iut.h"

namespace wirelaw::campaign {

using edits::Dialect, edits::Edit, edits::Op, edits::EditedConversation, edits::Step;

struct Input {
  std::string test_case;  // its id
  std::vector<Edit> edits = {};

  friend bool operator==(const Input&, const Input&) = default;
};

// Returns the seed of the peer in memory. Each input has other tokens, so that an inserted message cannot contain a
// valid token by chance.
std::uint64_t seed_of(const Input& input);

// The time that an IUT may take. Inputs are tried at a quick pace, and findings are confirmed at a slower one.
struct Pace {
  std::chrono::nanoseconds answer_time, silence_time, deadline;
};

// Limits of the started process; 0: none.
struct UseLimits {
  std::uint64_t resident_octets = 0;
  std::uint64_t descriptors = 0;
};

// The IUT, and the ways to it.
struct Arena {
  const Protocol& protocol;
  Role role = Role::responder;
  Service application = Service::echo;
  IutParameters parameters = {};
  std::vector<std::string> features = {};
  std::string revision = {};
  // Returns the IUT for the next input: always the same one or, in memory, a new one that knows no earlier input and
  // makes its choices by the seed. It is valid until the next call.
  std::function<tl::expected<Iut*, TransportError>(std::uint64_t seed)> meet;
  StartedProcess* process = nullptr;  // the process of a started IUT; nullptr: not started
  Starts* starts = nullptr;           // and how often
  CoverageMap* coverage = nullptr;
  UseLimits use = {};
  const std::atomic<int>* interrupted = nullptr;
  Watchdog* watchdog = nullptr;  // set again for each conversation
};

enum class Oracle : std::uint8_t { rule, sanitizer, died, unserved, stuck, memory, descriptors, growth };
std::string_view word_of(Oracle oracle);
std::optional<Oracle> oracle_of(std::string_view word);

// A forbidden action of the IUT.
struct Breach {
  Oracle oracle = Oracle::rule;
  // Equal for the same fault: "rule RAMCLOUD-ack-5", "died: killed by signal 11 (Segmentation fault)".
  std::string signature;
  const Rule* rule = nullptr;
  std::string expected, actual, explanation = {};
  std::string kind = {};  // kind of the IUT's message that shows it; empty if there is none
  std::string text = {};  // report of a sanitizer
};

// Returns the IUT's message that shows the finding; nullptr if none does, because something is absent or came in
// another way.
const Step* step_of(const Finding& finding, std::span<const Step> steps);

struct Trial {
  std::vector<Breach> breaches;         // each signature once, in the order in which they were seen
  std::vector<std::uint64_t> features;  // features reached (feature.h), ascending
  std::vector<const Rule*> exercised;   // rules that had their chance to fail
  std::vector<OctetBuffer> stimuli;     // messages that the case wanted to send
  std::vector<Step> steps;
  std::uint64_t messages_sent = 0, octets_sent = 0, messages_received = 0;
  std::uint64_t resident_octets = 0, descriptors = 0;  // in the started process
  std::string output = {};                             // from the started process
  std::optional<TransportError> lost = {};             // the IUT could not be reached before it had sent anything
  bool is_skipped = false;                             // the case cannot be run here
  bool is_interrupted = false;

  const Breach* find(std::string_view signature) const;
};

class Tester {
 public:
  // The arena outlives it.
  explicit Tester(const Arena& arena);

  const Arena& arena() const { return arena_; }
  const Protocol& carried() const { return carried_; }  // the protocol that the transport carries
  const Dialect& dialect() const { return dialect_; }
  std::vector<const Rule*> rules() const;  // the rules by which the IUT is judged
  // Returns the cases of a campaign: those for the role of the IUT whose needs its application serves.
  const std::vector<const Case*>& cases() const { return cases_; }
  const Case* find(std::string_view id) const;  // nullptr if there is none
  bool is_stream() const { return is_stream_; }
  bool is_interrupted() const { return arena_.interrupted != nullptr && arena_.interrupted->load() != 0; }
  // True if repetitions must stop: a signal, or the end of the campaign's time.
  bool is_over() const { return is_interrupted() || (hooks_.is_time_up && hooks_.is_time_up()); }

  struct Hooks {
    std::function<bool()> is_time_up = {};
    std::function<void()> after_trial = {};
  };
  void set_hooks(Hooks hooks) { hooks_ = std::move(hooks); }

  // Adds a conversation as a case, unless its id is taken.
  void add(const CapturedConversation& conversation);
  const CapturedConversation* find_conversation(std::string_view id) const;  // nullptr if there is none
  // The messages that carried() has.
  const std::vector<OctetBuffer>& vocabulary() const { return vocabulary_; }
  // The messages that lines of scripts can name, and the language; nullptr if there is none.
  const std::vector<Word>& words() const { return words_; }
  const script::Language* language() const { return language_; }

  // An input whose case is not there is skipped.
  Trial run(const Input& input, const Pace& pace, Recording* recording = nullptr);
  // Makes only an honest exchange. Empty if the peer serves it, else the reason why not.
  std::string greet(const Pace& pace);

 private:
  struct Run;

  tl::expected<Iut*, TransportError> meet(const Input& input) const;
  Trial run_once(const Input& input, const Pace& pace, Recording* recording);

  const Arena& arena_;
  const Catalogue catalogue_;
  const Protocol& carried_;
  const Dialect& dialect_;
  std::vector<const Case*> cases_;
  std::vector<const Case*> controls_;
  const std::vector<OctetBuffer> vocabulary_;
  const script::Language* const language_;
  const std::vector<Word> words_;
  std::deque<CapturedConversation> conversations_;
  std::deque<Case> captured_;
  bool is_stream_ = false;
  Hooks hooks_;
};

}  // namespace wirelaw::campaign

// SPDX-License-Identifier: Apache-2.0
// The judge counts how often each rule was exercised, and keeps findings with their octets. If a rule holds, `require`
// costs one comparison and one increment. It formats its arguments only if the rule does not hold.
//
// One policy decides the category of a breach. A breach that its octets prove fails the rule. A breach that rests on
// absence or order fails the rule only if the source is complete. Otherwise it is held back: it is a warning, and the
// rule is inconclusive. Whether a capture file is complete is often known only at its end; breaches held back until
// then are settled there.
#pragma once

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/catalogue.h"
#include "conformance/finding_room.h"
#include "conformance/rule.h"
#include "conformance/trace.h"
#include "conformance/verdict.h"

namespace wirelaw {

constexpr OctetRange octets(std::size_t offset, std::size_t length) {
  return {offset, length};
}

// A number to print in hexadecimal, with all digits of its type.
template <std::unsigned_integral Int>
struct Hex {
  Int value;
};
template <std::unsigned_integral Int>
constexpr Hex<Int> hex(Int value) {
  return {value};
}

// Formats a value for a finding: a number, hex(number), text, or a callable that returns text. Use a callable for text
// that is costly to make: it is called only for a finding.
template <class T>
std::string say(const T& value) {
  if constexpr (std::is_invocable_v<T>) {
    return std::string(value());
  } else if constexpr (std::same_as<T, bool>) {
    return value ? "1" : "0";
  } else if constexpr (std::integral<T>) {
    return fmt::format("{}", value);
  } else {
    return std::string(value);
  }
}
template <std::unsigned_integral Int>
std::string say(const Hex<Int>& value) {
  return fmt::format("0x{:0{}x}", value.value, sizeof(Int) * 2);
}

template <class T>
struct Expected {
  T value;
};
template <class T>
constexpr Expected<T> expected(T value) {
  return {std::move(value)};
}
template <class T>
struct Actual {
  T value;
};
template <class T>
constexpr Actual<T> actual(T value) {
  return {std::move(value)};
}

// A breach that was held back. An observer may later see what settles it (Judge::settle).
struct HeldBack {
  const Rule* rule = nullptr;
  std::uint64_t flow = 0;     // number of the flow
  std::uint64_t message = 0;  // Message::index
  bool pending = false;       // the end of the source may settle it as well
  std::uint64_t batch = 0;    // the batch of findings that it is part of, as counted by take_findings()
  std::size_t finding = 0;    // its index in that batch; kNotKept if there was no room
  static constexpr std::size_t kNotKept = static_cast<std::size_t>(-1);
};

// Which sides of a flow are judged: an active run judges its peer, not the stimuli that it sends itself.
struct Judged {
  bool a = true;
  bool b = true;
};

// A flow, as its findings name it.
struct FlowNames {
  std::uint64_t number = 0;  // distinguishes it from every other flow of this judge
  std::string id;
  std::array<std::string, 2> sides;  // the name of side a, and of side b
  Judged judged;
  bool order_unknown = false;  // it is unknown whether the current message or its neighbour in the source came first
  // Both sides sent at the same time stamp. What was seen since depends on which message came first.
  bool order_was_unknown = false;
  std::string missing = {};  // what is missing of the flow, for example "octets of its streams"; empty: nothing
  // The time until which each side could send nothing because its peer had no room (TCP window). The end of time if the
  // peer has no room yet.
  std::array<std::int64_t, 2> held_until_ns = {};
};

// The reason why a rule was first inconclusive.
struct RuleReason {
  const Rule* rule = nullptr;
  std::string reason;
  std::uint64_t step = 0;
};

// Sets the verdict from the rule's counts. The reason is that of the first inconclusive check, unless the verdict has a
// reason of its own.
void conclude(RuleResult& result);

class Judge {
 public:
  explicit Judge(const Catalogue& catalogue, JudgeLimits limits = {});

  // Rules that match none of these patterns are neither recorded nor reported. No patterns: every rule is selected.
  void select(std::span<const std::string> patterns);
  // Restricts the selection to these rules, until the next select().
  void narrow_to(RuleList own);

  // --- the source: one capture or one live run. Without these calls it is complete.
  // Begin as unknown if the source may still turn out to be complete.
  void begin_source(Completeness completeness) { source_ = completeness; }
  // Breaches that were held back now fail their rules if the source was complete after all.
  void end_source(Completeness completeness);
  // True if a breach was held back in the current message or one before it.
  bool has_held_back() const { return !held_lately_.empty(); }
  // Takes the breaches that were held back since the last call.
  std::vector<HeldBack> take_held_back();
  // Later messages have left no other explanation: the breach fails its rule, even if the source is not complete. Call
  // it before the source in which the breach was found ends.
  void settle(const HeldBack& held, std::string_view why);
  // Sets the time of the latest frame of the source, in any flow. The end of a flow is judged by this time.
  void set_now(std::int64_t time_ns) { now_ns_ = time_ns; }
  std::int64_t now_ns() const { return now_ns_; }
  std::int64_t held_until_ns(Side side) const { return flow_->held_until_ns[static_cast<std::size_t>(side)]; }

  // --- the current position, set by the caller of the observers
  // Begins one step of judging, in one flow. Step numbers rise in the order of the source.
  void begin_step(std::uint64_t step) { step_ = step; }
  // Costs a few stores, so interleaved flows may alternate with every message. The names must live until the next call.
  void enter_flow(const FlowNames& flow) {
    flow_ = &flow;
    sides_ = flow.judged;
    at({.index = kNoMessage});
  }
  // Same, for a flow that is entered once. Copies the names.
  void enter_flow(std::string_view id, std::string_view name_a, std::string_view name_b, Judged judged = {});
  // Called when the flow is no longer used.
  void leave_flow() { flow_ = own_flow_.get(); }
  std::uint64_t next_flow_number();  // unique in this judge, unless the caller numbers flows itself
  // Sets the current message. The octets must live until the next call.
  void at(const Message& message) {
    message_ = message;
    judged_ = message.sender == Side::a ? sides_.a : sides_.b;
  }
  // Like at(), for a message that an observer has found in a stream. Tells the listener before the message is judged.
  void found(const Message& message) {
    at(message);
    if (listener_) [[unlikely]]
      listener_(message);
  }
  void listen(std::function<void(const Message&)> listener) { listener_ = std::move(listener); }
  const Message& message() const { return message_; }
  bool judges(Side side) const { return side == Side::a ? sides_.a : sides_.b; }

  // --- live runs: the occasion that findings state
  void begin_case(Occasion occasion) { occasion_ = std::move(occasion); }
  // True: findings from now on are conclusions of a case. False: the traffic shows them by itself.
  void speak_for_case(bool for_case) { for_case_ = for_case; }

  // --- checks of the sender of the current message; each returns `holds`
  template <class E, class A, class W = std::string_view>
  [[gnu::always_inline]] bool require(const Rule& rule, bool holds, OctetRange where, const Expected<E>& e,
                                      const Actual<A>& a, const W& why = {}) {
    return check(rule, holds, Severity::violation, OfTheRule{}, where, e, a, why);
  }
  // Same, for a check whose evidence differs from that of the rule's other checks.
  template <class E, class A, class W>
  [[gnu::always_inline]] bool require(const Rule& rule, bool holds, OctetRange where, const Expected<E>& e,
                                      const Actual<A>& a, const W& why, Evidence evidence) {
    return check(rule, holds, Severity::violation, evidence, where, e, a, why);
  }
  // Like require(), if another plausible reading exists: a breach is a warning and fails nothing.
  template <class E, class A, class W = std::string_view>
  [[gnu::always_inline]] bool advise(const Rule& rule, bool holds, OctetRange where, const Expected<E>& e,
                                     const Actual<A>& a, const W& why = {}) {
    return check(rule, holds, Severity::warning, OfTheRule{}, where, e, a, why);
  }
  // The rule was exercised, but what was seen proves nothing.
  void inconclusive(const Rule& rule, std::string_view reason);

  // --- results
  std::vector<RuleResult> rule_results() const;
  std::vector<RuleReason> reasons() const;  // for the rules that have a reason
  const std::vector<Finding>& findings() const { return findings_; }
  const std::vector<FindingOrigin>& origins() const { return origins_; }  // findings_[i] originates from origins_[i]
  // Hands over the findings and makes room for as many again.
  std::vector<Finding> take_findings() {
    held_back_.clear();
    origins_.clear();
    room_.empty();
    ++batch_;
    return std::exchange(findings_, {});
  }
  std::uint64_t findings_dropped() const { return dropped_; }
  std::uint64_t failed(const Rule& rule) const { return tally_[rule.slot].failed; }
  std::uint64_t exercised(const Rule& rule) const { return exercised_[rule.slot]; }
  std::uint64_t violations() const { return violations_; }
  const Catalogue& catalogue() const { return *catalogue_; }

 private:
  struct Tally {
    std::uint64_t failed = 0;
    std::uint64_t warned = 0;
    std::uint64_t inconclusive = 0;
    std::uint64_t pending = 0;    // held back until the end of the source
    std::uint64_t held_back = 0;  // held back for good
    bool selected = true;
    std::string reason;             // reason of the first inconclusive check
    std::uint64_t reason_step = 0;  // the step of that check
  };

  // For a check with the rule's own evidence, which is only looked up for a breach.
  struct OfTheRule {};
  static Evidence evidence_of(const Rule& rule, OfTheRule) { return rule.evidence; }
  static Evidence evidence_of(const Rule&, Evidence of_check) { return of_check; }
  template <class T>
  using Passed = std::conditional_t<std::is_array_v<T>, const char*, T>;

  // The fast path is inlined, and does not even format the arguments. They are passed on by value, so that none must
  // live in memory for a call that is not made.
  template <class B, class E, class A, class W>
  [[gnu::always_inline]] bool check(const Rule& rule, bool holds, Severity severity, B evidence, OctetRange where,
                                    const Expected<E>& e, const Actual<A>& a, const W& why) {
    if (!judged_) return holds;
    ++exercised_[rule.slot];
    if (!holds) [[unlikely]]
      keep_breach<B, E, A, Passed<W>>(rule, severity, evidence, where, e.value, a.value, why);
    return holds;
  }
  template <class B, class E, class A, class W>
  [[gnu::cold, gnu::noinline]] void keep_breach(const Rule& rule, Severity severity, B evidence, OctetRange where, E e,
                                                A a, W why) {
    record(rule, severity, evidence_of(rule, evidence), where, say(e), say(a), say(why));
  }
  [[gnu::cold, gnu::noinline]] void record(const Rule& rule, Severity severity, Evidence evidence, OctetRange where,
                                           std::string expected, std::string actual, std::string explanation);
  // The category of a violation with this evidence in the current source.
  FindingKind worth_of(Evidence evidence) const;
  void note_held_back(const Rule& rule, FindingKind worth, std::size_t finding);

  const Catalogue* catalogue_;
  std::vector<std::uint64_t> exercised_;  // by Rule::slot: number of checks
  std::vector<Tally> tally_;              // by Rule::slot: results of the checks
  FindingRoom room_;
  std::vector<Finding> findings_;
  std::vector<FindingOrigin> origins_;  // findings_[i] originates from origins_[i]
  std::vector<std::size_t> held_back_;  // indices of the findings that the end of the source settles
  std::uint64_t dropped_ = 0;
  std::uint64_t violations_ = 0;

  Completeness source_ = Completeness::complete;
  std::int64_t now_ns_ = 0;
  Message message_;
  std::function<void(const Message&)> listener_;
  bool judged_ = true;
  bool for_case_ = false;
  Judged sides_;
  Occasion occasion_;
  // For enter_flow() by text. Keeps its address when the judge moves.
  std::unique_ptr<FlowNames> own_flow_ = std::make_unique<FlowNames>();
  const FlowNames* flow_ = own_flow_.get();
  std::uint64_t step_ = 0;
  std::vector<HeldBack> held_lately_;  // for take_held_back(); few at a time
  std::uint64_t batch_ = 0;            // number of take_findings() calls
};

}  // namespace wirelaw

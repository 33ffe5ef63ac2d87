// SPDX-License-Identifier: Apache-2.0
// The judge counts how often each rule was exercised, and keeps the findings with their octets. Where a rule holds,
// `require` costs a compare and an increment; its arguments are turned into text only where it does not.
//
// One policy decides what a breach is worth. One that its octets prove fails the rule. One that rests on absence or on
// order fails it only where the source is complete: elsewhere it is held back, a warning, and its rule inconclusive.
// Whether a capture file was complete is often known at its end only; then what was held back is settled.
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

// Which octets of the message a check looked at.
struct OctetRange {
  std::size_t offset = 0;
  std::size_t length = 0;
};
constexpr OctetRange octets(std::size_t offset, std::size_t length) {
  return {offset, length};
}

// A number to be written in hexadecimal, with as many digits as its type has.
template <std::unsigned_integral Int>
struct Hex {
  Int value;
};
template <std::unsigned_integral Int>
constexpr Hex<Int> hex(Int value) {
  return {value};
}

// What a check says of a value: a number, hex(number), text, or a callable that gives text (for what is costly to
// say: it is called only for a finding).
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

// A breach that was held back, for an observer that may still see what settles it (Judge::settle).
struct HeldBack {
  const Rule* rule = nullptr;
  std::uint64_t flow = 0;     // its number
  std::uint64_t message = 0;  // Message::index
  bool pending = false;       // the source's end may settle it as well
  std::uint64_t batch = 0;    // of the findings that it is among, as they were handed over
  std::size_t finding = 0;    // its place there; kNotKept where there was no room
  static constexpr std::size_t kNotKept = static_cast<std::size_t>(-1);
};

// Which sides of a flow are judged: an active run judges its peer, not the stimuli that it sends itself.
struct Judged {
  bool a = true;
  bool b = true;
};

// A flow as its findings name it.
struct FlowNames {
  std::uint64_t number = 0;  // distinguishes it from every other flow of this judge
  std::string id;
  std::array<std::string, 2> sides;  // the name of side a, and of side b
  Judged judged;
  bool order_unknown = false;  // of the message that is being judged, and its neighbour in the source
  // Both sides have sent something at one time: what was seen since rests on which of it came first.
  bool order_was_unknown = false;
  std::string missing = {};  // what is seen to be missing of it, as "octets of its streams"; empty: nothing
  // Until when each side could send nothing, since its peer had no room (the window of TCP): the end of time where it
  // has none yet.
  std::array<std::int64_t, 2> held_until_ns = {};
};

// Why a rule was inconclusive for the first time.
struct RuleReason {
  const Rule* rule = nullptr;
  std::string reason;
  std::uint64_t step = 0;
};

// The verdict that a rule's counts come to. Its reason, which is that of the first inconclusive one, gives way to the
// verdict's own where that has one.
void conclude(RuleResult& result);

class Judge {
 public:
  explicit Judge(const Catalogue& catalogue, JudgeLimits limits = {});

  // Rules that match none of these patterns are neither recorded nor reported. No pattern at all selects every rule.
  void select(std::span<const std::string> patterns);
  // Of what is selected only these, until it is selected anew.
  void narrow_to(RuleList own);

  // --- the source: what was captured, or carried, at once. Without these calls it is complete.
  // Where it may still turn out to be complete, it begins as unknown.
  void begin_source(Completeness completeness) { source_ = completeness; }
  // What was held back fails its rules now where the source was complete after all.
  void end_source(Completeness completeness);
  // Something was, of the current message or one before.
  bool has_held_back() const { return !held_lately_.empty(); }
  // What was held back of the current message, each once.
  std::vector<HeldBack> take_held_back();
  // What followed has left no other explanation: it fails its rule, whatever the source is worth. Of the source that it
  // was found in, before that ends.
  void settle(const HeldBack& held, std::string_view why);
  // Until when the source saw what was sent: the time of its latest frame, of whatever flow. The end of a flow is
  // judged by it.
  void set_now(std::int64_t time_ns) { now_ns_ = time_ns; }
  std::int64_t now_ns() const { return now_ns_; }
  std::int64_t held_until_ns(Side side) const { return flow_->held_until_ns[static_cast<std::size_t>(side)]; }

  // --- where we are: set by whoever feeds the observers
  // What follows is one step of judging, of one flow: steps are numbered upwards, in the order of the source.
  void begin_step(std::uint64_t step) { step_ = step; }
  // Costs a few stores, so that interleaved flows may alternate with every message. The names must live until the
  // next call.
  void enter_flow(const FlowNames& flow) {
    flow_ = &flow;
    sides_ = flow.judged;
    at({.index = kNoMessage});
  }
  // The same for a flow that is entered once; the names are copied.
  void enter_flow(std::string_view id, std::string_view name_a, std::string_view name_b, Judged judged = {});
  // Nothing of the flow is asked for any more.
  void leave_flow() { flow_ = own_flow_.get(); }
  std::uint64_t next_flow_number();  // that no other flow of this judge has, unless its caller chose the same
  // What follows is about this message. The octets must live until the next call.
  void at(const Message& message) {
    message_ = message;
    judged_ = message.sender == Side::a ? sides_.a : sides_.b;
  }
  // A message that an observer has found in a stream: as at(), and whoever listens gets it before it is judged.
  void found(const Message& message) {
    at(message);
    if (listener_) [[unlikely]]
      listener_(message);
  }
  void listen(std::function<void(const Message&)> listener) { listener_ = std::move(listener); }
  const Message& message() const { return message_; }
  bool judges(Side side) const { return side == Side::a ? sides_.a : sides_.b; }

  // --- of a live run: what findings say of when they were made
  void begin_case(Occasion occasion) { occasion_ = std::move(occasion); }
  // What is found from now on is what a case concludes, or what its traffic shows by itself.
  void speak_for_case(bool for_case) { for_case_ = for_case; }

  // --- checks: about the sender of the current message. Each gives `holds` back.
  template <class E, class A, class W = std::string_view>
  [[gnu::always_inline]] bool require(const Rule& rule, bool holds, OctetRange where, const Expected<E>& e,
                                      const Actual<A>& a, const W& why = {}) {
    return check(rule, holds, Severity::violation, OfTheRule{}, where, e, a, why);
  }
  // The same of a check that rests on something else than the rule's other checks do.
  template <class E, class A, class W>
  [[gnu::always_inline]] bool require(const Rule& rule, bool holds, OctetRange where, const Expected<E>& e,
                                      const Actual<A>& a, const W& why, Evidence evidence) {
    return check(rule, holds, Severity::violation, evidence, where, e, a, why);
  }
  // The same where another plausible reading exists: a breach is a warning and fails nothing.
  template <class E, class A, class W = std::string_view>
  [[gnu::always_inline]] bool advise(const Rule& rule, bool holds, OctetRange where, const Expected<E>& e,
                                     const Actual<A>& a, const W& why = {}) {
    return check(rule, holds, Severity::warning, OfTheRule{}, where, e, a, why);
  }
  // The rule had its chance, and what was seen proves nothing either way.
  void inconclusive(const Rule& rule, std::string_view reason);

  // --- what came of it
  std::vector<RuleResult> rule_results() const;
  std::vector<RuleReason> reasons() const;  // of the rules that have one
  const std::vector<Finding>& findings() const { return findings_; }
  const std::vector<FindingOrigin>& origins() const { return origins_; }  // of each finding
  // Hands the findings over and makes room for as many again.
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
    std::uint64_t pending = 0;    // held back until the source's end
    std::uint64_t held_back = 0;  // for good
    bool selected = true;
    std::string reason;             // of the first that was inconclusive
    std::uint64_t reason_step = 0;  // in which it was
  };

  // Of a check that rests on what its rule rests on, which is asked for a breach alone.
  struct OfTheRule {};
  static Evidence evidence_of(const Rule& rule, OfTheRule) { return rule.evidence; }
  static Evidence evidence_of(const Rule&, Evidence of_check) { return of_check; }
  template <class T>
  using Passed = std::conditional_t<std::is_array_v<T>, const char*, T>;

  // What a rule that holds costs is where it is asked for, and its arguments are not even made there: they are passed
  // by value, so that none has to lie in memory for a call that is not made.
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
  // What a violation that rests on this is worth here and now.
  FindingKind worth_of(Evidence evidence) const;
  void note_held_back(const Rule& rule, FindingKind worth, std::size_t finding);

  const Catalogue* catalogue_;
  std::vector<std::uint64_t> exercised_;  // by Rule::slot: what each check counts
  std::vector<Tally> tally_;              // likewise: what came of them
  FindingRoom room_;
  std::vector<Finding> findings_;
  std::vector<FindingOrigin> origins_;  // of each
  std::vector<std::size_t> held_back_;  // of them, those that the source's end settles
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
  std::unique_ptr<FlowNames> own_flow_ = std::make_unique<FlowNames>();  // of enter_flow() by text; stays when we move
  const FlowNames* flow_ = own_flow_.get();
  std::uint64_t step_ = 0;
  std::vector<HeldBack> held_lately_;  // for take_held_back(): a few
  std::uint64_t batch_ = 0;            // how often findings have been handed over
};

}  // namespace wirelaw

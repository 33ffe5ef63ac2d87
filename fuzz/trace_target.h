// SPDX-License-Identifier: Apache-2.0
// The trace target of a protocol, fuzz_PROTOCOL_trace: gives any conversation to the protocol's observer alone.
// Oracles: the observer never crashes and keeps to its memory limit; judging again gives the same findings; judging the
// other side as well changes nothing for a side; a finding's octets are within its message.
//
// A protocol's target defines only an Input: a conversation, read from any octets, with
//   const Catalogue& catalogue() const;
//   std::unique_ptr<Observer> observer() const;
//   std::size_t most_memory() const;                                  limit of observer()->memory()
//   std::optional<std::size_t> octets_of(std::uint64_t message) const  length of the message; nothing if
//                                                                     the observer itself finds messages in a stream
//   template <class Observing> void give_to(Observing& observing) const   calls observing(Message or StreamPiece)
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/delivery.h"
#include "conformance/judge.h"
#include "conformance/observer.h"
#include "conformance/protocol.h"
#include "corpora/formats/records.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {

// The findings, sorted, and the numbers of exercised, failed, warned and inconclusive checks for each rule of the
// catalogue.
struct TraceOutcome {
  using Entry = std::tuple<std::uint64_t, RuleSlot, std::size_t, std::size_t, Severity, std::string>;
  std::vector<Entry> findings;
  std::vector<std::array<std::uint64_t, 4>> tallies;
  std::string partial;
  bool operator==(const TraceOutcome&) const = default;

  void add(const TraceOutcome& other) {
    findings.insert(findings.end(), other.findings.begin(), other.findings.end());
    std::ranges::sort(findings);
    for (std::size_t rule = 0; rule < tallies.size(); ++rule)
      for (std::size_t i = 0; i < tallies[rule].size(); ++i) tallies[rule][i] += other.tallies[rule][i];
  }
};

// Checks that a delivery to the protocol above is within its message, and that its places are too, in order.
class DeliveryOracle final : public DeliverySink {
 public:
  void deliver(const Delivery& delivery, Judge&) override {
    const Message& message = delivery.message;
    if (delivery.event == Delivery::Event::message)
      require(message.index == messages_++, "messages are delivered in the order of their numbers");
    else
      require(message.octets.empty(), "only a message has octets");
    require(message.octets.size() <= message.wire_length || message.octets.empty(),
            "no more than was sent is delivered");
    std::size_t next = 0;
    for (const Place& place : message.places) {
      require(place.offset >= next && place.length > 0, "places are in order and hold something");
      next = place.offset + place.length;
      require(next <= message.octets.size(), "places lie within their message");
    }
  }

 private:
  std::uint64_t messages_ = 0;
};

// Judges an input once.
template <class Input>
class TraceJudging {
 public:
  TraceJudging(const Input& input, Judged sides)
      : input_(input), observer_(input.observer()), judge_(input.catalogue(), kKeepEverything) {
    judge_.enter_flow("fuzz", "a", "b", sides);
    observer_->deliver_to(&above_);
  }

  template <class Seen>  // Message or StreamPiece
  void operator()(const Seen& seen) {
    observer_->observe(seen, judge_);
    if (++given_ % kBetweenChecks == 0 || std::is_same_v<Seen, StreamPiece>)
      require(observer_->memory() <= input_.most_memory(), "the observer keeps to its memory");
  }

  TraceOutcome finish() {
    observer_->finish(judge_);
    TraceOutcome outcome{.findings = {}, .tallies = {}, .partial = observer_->partial()};
    for (const Finding& finding : judge_.findings()) {
      // Findings count messages from 1; 0 is none.
      const auto octets = finding.message == 0 ? std::nullopt : input_.octets_of(finding.message - 1);
      if (octets && !finding.octets.empty())
        require(finding.offset <= *octets && finding.length <= *octets - finding.offset,
                "a finding's octets lie within its message");
      outcome.findings.emplace_back(
          finding.message, finding.rule->slot, finding.offset, finding.length, finding.severity,
          finding.sender + '|' + finding.expected + '|' + finding.actual + '|' + finding.explanation);
    }
    std::ranges::sort(outcome.findings);
    for (const RuleResult& result : judge_.rule_results())
      outcome.tallies.push_back({result.exercised, result.failed, result.warned, result.inconclusive});
    return outcome;
  }

 private:
  static constexpr JudgeLimits kKeepEverything{.findings_per_rule_and_flow = 1u << 20, .findings = 1u << 20};
  static constexpr std::uint64_t kBetweenChecks = 16;  // messages; adding the memory up takes longer than observing

  const Input& input_;
  DeliveryOracle above_;
  std::unique_ptr<Observer> observer_;
  Judge judge_;
  std::uint64_t given_ = 0;
};

template <class Input>
TraceOutcome judge_trace(const Input& input, Judged sides) {
  TraceJudging<Input> judging(input, sides);
  input.give_to(judging);
  return judging.finish();
}

// Checks the oracles that every protocol's target has.
template <class Input>
void expect_what_holds_of_every_trace(const Input& input) {
  const TraceOutcome both = judge_trace(input, {.a = true, .b = true});
  require(both == judge_trace(input, {.a = true, .b = true}), "judging again gives the same");
  TraceOutcome each = judge_trace(input, {.a = true, .b = false});
  each.add(judge_trace(input, {.a = false, .b = true}));
  require(both == each, "each side is judged the same whether the other is judged or not");
}

// The input for a protocol over datagrams: records (corpora/formats/records.h).
class DatagramTrace {
 public:
  struct Shape {
    const Protocol& protocol;
    std::size_t observer_octets = std::size_t{32} << 10;
    std::size_t slack = std::size_t{256} * (std::size_t{16} << 10);  // growth between two memory checks
    std::int64_t step_ns = 1000;                                     // between messages
    std::int64_t pause_ns = 0;  // replaces step_ns if the record has kIpOptions; 0: it does not
    std::size_t most_messages = 512;
  };

  DatagramTrace(const Shape& shape, Octets octets) : shape_(shape), records_(corpora::read_records(octets)) {
    if (records_.size() > shape_.most_messages) records_.resize(shape_.most_messages);
  }

  const Catalogue& catalogue() const { return shape_.protocol.catalogue(); }
  std::unique_ptr<Observer> observer() const { return shape_.protocol.observer({.octets = shape_.observer_octets}); }
  std::size_t most_memory() const { return shape_.observer_octets + shape_.slack; }
  std::optional<std::size_t> octets_of(std::uint64_t message) const {
    require(message < records_.size(), "a finding is about a message of the flow");
    return records_[message].octets.size();
  }
  template <class Observing>
  void give_to(Observing& observing) const {
    namespace control = corpora::trace_control;
    std::int64_t time = 0;
    for (std::uint64_t index = 0; index < records_.size(); ++index) {
      const corpora::Record& record = records_[index];
      const auto has = [&](Octet bit) { return (record.control & bit) != 0; };
      time += has(control::kIpOptions) && shape_.pause_ns != 0 ? shape_.pause_ns : shape_.step_ns;
      Message message = message_of(record.octets, has(control::kSideB) ? Side::b : Side::a, index, time);
      if (has(control::kCut)) message.wire_length += corpora::kCutOctets;
      message.ip_version = 4;
      message.ip_header_octets = has(control::kIpOptions) ? 24 : 20;
      observing(message);
    }
  }

 private:
  const Shape& shape_;
  std::vector<corpora::Record> records_;
};

}  // namespace wirelaw::fuzz

// SPDX-License-Identifier: Apache-2.0
// The capture of two honest endpoints with long delays between them (fuzz/delayed_network.h): no rule at MUST level may
// fail. It is judged as a complete source, unless it begins late. Also the common beginning of the inputs of such fuzz
// targets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/judge.h"
#include "conformance/protocol.h"
#include "conformance/verdict.h"
#include "fuzz/delayed_network.h"
#include "harness/flow/judged_flow.h"
#include "pcap/tcp_connection.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

struct DelayedOutcome {
  std::vector<Finding> findings;  // all severities
  std::uint64_t messages = 0;     // messages that arrived at the upper layers
  std::uint64_t packets = 0;      // messages that passed the tap, in the capture or before it
  std::vector<RuleResult> rules;

  std::vector<std::string> failed_musts() const;
};

class DelayedCapture {
 public:
  // Judges `protocol`, which runs over `base` or is `base`. The capture lacks the first `skipped` packets.
  DelayedCapture(const Protocol& base, const Protocol& protocol, std::uint64_t skipped,
                 const ObserverLimits& limits = {});

  void see(const pcap::Segment& segment, bool from_a);
  void see(Side from, Octets packet, std::int64_t now_ns);
  DelayedOutcome finish(std::int64_t now_ns);

 private:
  bool is_skipped() { return seen_++ < skipped_; }
  Completeness completeness() const { return skipped_ == 0 ? Completeness::complete : Completeness::unknown; }

  std::uint64_t skipped_;
  std::uint64_t seen_ = 0;
  Judge judge_;
  JudgedFlow flow_;
  pcap::TcpConnection tcp_;
};

// The common beginning of these inputs.
struct DelayedInput {
  Path path;
  bool flag = false;
  std::uint64_t skipped = 0;
  Octets rest;
};
inline constexpr std::size_t kDelayedInput = 5;
std::optional<DelayedInput> read_delayed(Octets input);

// Fails the fuzz target if a rule at MUST level failed.
void require_no_failed_must(const DelayedOutcome& outcome);

}  // namespace wirelaw::fuzz

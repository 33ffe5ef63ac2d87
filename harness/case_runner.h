// SPDX-License-Identifier: Apache-2.0
// Runs one case: keeps its deadline, judges what the IUT sends, and reports the result.
//
// The way from a case to a socket, and back:
//
//   Case ─ CaseProbe ─ CaseTransport ┬ FlowTap ─ Conversation ─ socket, queue pair, or network in memory
//                                   │    └ Observer, Judge, Recording
//                                   └ Offers: RDMA, consumer, application, …
//
// A case is written on its protocol's probe (conformance/case_probe.h). CaseTransport (case_runner.cc) ends its calls
// when its time is up. FlowTap shows what passes to the observer and the recording. The Conversation is that of the
// scheme (harness/transports/). In addition to its wire it hands out offers (conformance/offers.h), which a case uses
// under the same clock (conformance/case_calls.h).
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case.h"
#include "conformance/judge.h"
#include "conformance/protocol.h"
#include "harness/environment.h"
#include "harness/flow_tap.h"

namespace wirelaw {

struct CaseLimits {
  std::chrono::nanoseconds deadline = std::chrono::seconds{60};
  std::chrono::nanoseconds answer_time = std::chrono::seconds{2};
  std::chrono::nanoseconds silence_time = std::chrono::milliseconds{500};
  // Becomes the number of the signal that asks the run to end; after that, no call of the case takes much longer.
  const std::atomic<int>* interrupted = nullptr;

  // Waits until no other process uses what the same peer has only once: its memory, a count of requests.
  std::function<void()> wait_for_turn = {};

  int signal() const { return interrupted == nullptr ? 0 : interrupted->load(); }
};

// "interrupted by SIGINT"
std::string interrupted_by(int signal);

// An event of the consumers of a case, as text, in order: what one has done or received. Each note has the number of
// findings that the judge had before it.
struct ConsumerNote {
  std::size_t findings = 0;
  std::string what;
};
using ConsumerAccount = std::vector<ConsumerNote>;

// A requirement of a case that held, and how often. It counts only if the verdict of the case counts.
struct HeldRequirement {
  const Rule* rule = nullptr;
  std::uint64_t times = 0;
};

struct CaseOutcome {
  CaseResult result;
  std::vector<FlowResult> flows;
  std::uint64_t messages = 0;
  std::uint64_t octets = 0;
  std::uint64_t from_iut = 0;            // number of messages
  std::optional<TransportError> broken;  // the peer cannot be reached, or died
  bool died = false;                     // its process has ended; the case's reason says how
  bool interrupted = false;              // the case was not completed
  // The result rests on silence, on an end or on nothing at all. It counts only if the peer serves a control, because
  // only such a peer may be silent on purpose.
  bool rests_on_silence = false;
  std::vector<HeldRequirement> held = {};
  std::uint64_t octets_from_iut = 0;  // octets that the case has received
  Ending iut_ended = Ending::none;    // how the IUT ended its latest conversation
  ConsumerAccount account = {};
  std::string dump;  // if the case was ended from outside: what the peer was doing, as text
};

// `context.epoch_ns` is set from the environment. Requirements that held are not counted yet: see count_held().
CaseOutcome run_case(const Case& tested, Service application, const IutParameters& parameters, const CaseLimits& limits,
                     Environment& environment, TapContext& context);

// Runs a case as a control, whose verdict shows if the IUT serves it. Its requirements are neither counted nor
// findings. The observer judges the traffic as usual. `after` is for the recording: "control after case CASE".
CaseOutcome run_control(const Case& control, std::string_view after, Service application,
                        const IutParameters& parameters, const CaseLimits& limits, Environment& environment,
                        TapContext& context);

// Counts the requirements that held in a case whose verdict counts.
void count_held(std::span<const HeldRequirement> held, Judge& judge);

}  // namespace wirelaw

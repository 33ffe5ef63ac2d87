// SPDX-License-Identifier: Apache-2.0
// The results of one process in a run that several processes share, with all that is needed to join it with the others'
// shares: the position of everything in the order in which a single process would have judged it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/finding_room.h"
#include "conformance/verdict.h"

namespace wirelaw {

// A place in the order of judging. All shares of an input count the same steps. In a test, the step is the index of the
// case among the selected ones.
struct RunPlace {
  std::uint64_t input = 0;
  std::uint64_t step = 0;
  friend auto operator<=>(const RunPlace&, const RunPlace&) = default;
};

// A finding, with its place.
struct SharedFinding {
  RunPlace place;
  std::uint64_t flow = 0;  // number of the flow in its input, as this share counts
  FindingKind kind = FindingKind::failure;
};

// Why a rule was inconclusive for the first time in this share.
struct SharedReason {
  const Rule* rule = nullptr;
  std::string reason;
  RunPlace place;
};

struct SharedProblem {
  InputProblem problem;
  bool stops = false;  // not everything requested was judged
};

// Facts about an input that all its shares see.
struct SharedInput {
  std::uint64_t place = 0;  // among the inputs of the run
  Input input;
  std::uint64_t packets = 0;
  // Packets that the snap length has cut, of flows that are or may be judged: each share has its own flows.
  std::uint64_t cut = 0;
  std::vector<SharedProblem> problems;
  std::uint64_t problems_dropped = 0;
  std::vector<RecordedRun> runs;
  std::uint64_t fingerprint = 0;  // fingerprint of its packets
  bool is_live = false;           // a peer, to which each share has spoken: what passed adds up
  // Upper bounds of what one process would have to hold for it: sums of what the shares have held.
  std::uint64_t shares = 1;
  std::uint64_t octets = 0;
  std::uint64_t associations = 0;
};

// Kinds of flows that were judged, for the rules that are not applicable.
struct FlowKinds {
  bool one_sided = false;    // true: some side of some flow was not judged
  bool relayed_tcp = false;  // TCP that a relay has ended
  bool direct_tcp = false;   // TCP between the peers

  void add(const FlowKinds& other) {
    one_sided |= other.one_sided;
    relayed_tcp |= other.relayed_tcp;
    direct_tcp |= other.direct_tcp;
  }
};

struct Share {
  std::vector<RuleResult> rules;  // all that were judged, in the order of the catalogue; counts alone
  std::vector<SharedReason> reasons;
  std::vector<Finding> findings;
  std::vector<SharedFinding> found;  // for each finding
  std::uint64_t findings_dropped = 0;
  std::vector<FlowResult> flows;
  std::vector<RunPlace> flow_ends;  // for each flow
  std::uint64_t flows_dropped = 0;
  std::array<std::uint64_t, 3> flows_dropped_as{};
  std::vector<CaseResult> cases;
  std::vector<std::uint64_t> case_places;  // for each case
  std::vector<SharedInput> inputs;         // in their order
  std::uint64_t judged = 0;                // messages
  bool iut_seen = false;
  FlowKinds kinds = {};
};

}  // namespace wirelaw

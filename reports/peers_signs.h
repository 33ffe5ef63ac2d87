// SPDX-License-Identifier: Apache-2.0
// Decides which findings and cases show the causes on a page about peers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "reports/peers.h"

namespace wirelaw {

struct PeerSeverity {
  std::string_view name;
  std::string_view meaning;
};
// The most severe first.
inline constexpr std::array<PeerSeverity, 4> kSeverities{{
    {"critical",
     "any sender can crash the peer, stop it from serving, or read or corrupt memory that the sender has no right to"},
    {"major",
     "a peer that follows the specification loses data, gets wrong data, or loses a connection (a connection that "
     "stalls counts as lost)"},
    {"minor", "what is sent or rejected differs from the specification, but data and connections are safe"},
    {"withdrawn",
     "failed in the kept run, but is not counted against the peer: the rule has been relaxed since, or the "
     "set-up or the judge was at fault"},
}};

inline std::size_t rank_of(std::string_view severity) {
  return static_cast<std::size_t>(std::ranges::find(kSeverities, severity, &PeerSeverity::name) - kSeverities.begin());
}

bool is_violation(const ResultFile::Finding& finding);
bool has_died(const ResultFile::Case& one);  // true if the peer died in this case
// The cases that have failed or died and have no violation among the findings.
std::set<std::string_view> cases_without_finding(const ResultFile& result);

bool shows(const PeerSign& sign, const ResultFile::Finding& finding);
bool shows(const PeerSign& sign, const ResultFile::Case& one);  // only for cases_without_finding()

template <class Entry, class Thing>
bool is_shown_by(const Entry& entry, const Thing& thing) {
  return std::ranges::any_of(entry.shown_by, [&](const PeerSign& sign) { return shows(sign, thing); });
}

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// Which findings, and which cases, the causes on a page of peers are shown by.
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
// The worst first.
inline constexpr std::array<PeerSeverity, 4> kSeverities{{
    {"critical", "whoever can send to the peer ends it, or reads or spoils memory that is not his"},
    {"major", "peers that keep to the specification lose data or connections, or get wrong ones"},
    {"minor", "what is sent, or refused, differs from the specification; data and connections are safe"},
    {"withdrawn",
     "failed in the run that is kept, and is held against nobody: the rule has been relaxed since, or the "
     "set-up or the judge was at fault"},
}};

inline std::size_t rank_of(std::string_view severity) {
  return static_cast<std::size_t>(std::ranges::find(kSeverities, severity, &PeerSeverity::name) - kSeverities.begin());
}

bool is_violation(const ResultFile::Finding& finding);
bool has_died(const ResultFile::Case& one);  // the peer, in this case
// The cases that have failed or died and have no violation among the findings.
std::set<std::string_view> cases_without_finding(const ResultFile& result);

bool shows(const PeerSign& sign, const ResultFile::Finding& finding);
bool shows(const PeerSign& sign, const ResultFile::Case& one);  // of cases_without_finding() alone

template <class Entry, class Thing>
bool is_shown_by(const Entry& entry, const Thing& thing) {
  return std::ranges::any_of(entry.shown_by, [&](const PeerSign& sign) { return shows(sign, thing); });
}

}  // namespace wirelaw

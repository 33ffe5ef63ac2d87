// SPDX-License-Identifier: Apache-2.0
// Tracks the obligations of a side within a time limit: to answer, or to end the connection. Times are those of the
// source.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conformance/trace.h"

namespace wirelaw {

// `Kind` is a protocol's enum of obligations.
template <class Kind>
struct Obligation {
  Kind kind;
  Side debtor = Side::a;
  std::int64_t due_ns = 0;
  Message because = {};  // the message that caused it, without its octets
};

// The outcome of an obligation.
template <class Kind>
struct ObligationFact {
  Obligation<Kind> owed;
  bool is_in_time = false;
};

template <class Kind>
class Obligations {
 public:
  using Facts = std::vector<ObligationFact<Kind>>;

  // Keeps one obligation for each kind and debtor: the oldest.
  void owe(Kind kind, Side debtor, std::int64_t due_ns, const Message& because) {
    if (find(kind, debtor) != all_.end()) return;
    all_.push_back({kind, debtor, due_ns, because});
    all_.back().because.octets = {};
    all_.back().because.places = {};
  }
  // The debtor did it at this time.
  void settle(Kind kind, Side debtor, std::int64_t now_ns, Facts& facts) {
    const auto found = find(kind, debtor);
    if (found == all_.end()) return;
    facts.push_back({*found, now_ns <= found->due_ns});
    all_.erase(found);
  }
  // The debtor did it at an unknown time, but something else shows that it was in time.
  void fulfil(Kind kind, Side debtor, Facts& facts) {
    if (const auto found = find(kind, debtor); found != all_.end()) settle(kind, debtor, found->due_ns, facts);
  }
  void drop_all() { all_.clear(); }
  // States each obligation that was due before `now_ns` and was not fulfilled.
  void look(std::int64_t now_ns, Facts& facts) {
    for (const Obligation<Kind>& one : all_)
      if (now_ns > one.due_ns) facts.push_back({one, false});
    std::erase_if(all_, [&](const Obligation<Kind>& one) { return now_ns > one.due_ns; });
  }
  // Like look(), for the end of the source. Drops the rest.
  void finish(std::int64_t now_ns, Facts& facts) {
    look(now_ns, facts);
    all_.clear();
  }

 private:
  auto find(Kind kind, Side debtor) {
    return std::ranges::find_if(all_,
                                [&](const Obligation<Kind>& one) { return one.kind == kind && one.debtor == debtor; });
  }

  std::vector<Obligation<Kind>> all_;  // few: one of a kind and a side
};

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// Rules that are broken by something absent, or by the order of two instructions. Another connection of the two nodes
// may explain either, so what was seen of all connections decides between a breach and a warning (UMSP/B31).
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {

// A breach of the rule is certain, or it is only a warning.
template <class... Evidence>
bool require_if(Judge& judge, bool is_certain, const Rule& rule, bool holds, const Evidence&... evidence) {
  return is_certain ? judge.require(rule, holds, evidence...) : judge.advise(rule, holds, evidence...);
}
// The rule is broken if something of the instruction's session is absent on all connections. That is certain if the
// capture has the session from its beginning and all of these connections completely. The caller has searched the other
// connections.
template <class... Evidence>
bool require_anywhere(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const Evidence&... evidence) {
  return require_if(judge, seen.session != nullptr && is_all_seen(seen.connection, *seen.session), rule, holds,
                    evidence...);
}
// The rule is broken if the known state of a job or task is still valid. Another connection may have changed it.
template <class... Evidence>
bool require_if_all_seen(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const Evidence&... evidence) {
  return require_if(judge, is_all_seen(seen.connection), rule, holds, evidence...);
}
// Two instructions of job management break the rule together. That is certain if both used the only connection.
template <class... Evidence>
bool require_if_alone(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const Evidence&... evidence) {
  return require_if(judge, is_only_one(seen.connection), rule, holds, evidence...);
}
// The rule is broken if the sender has not sent something before the instruction. That is certain if no other
// connection can have carried it.
template <class... Evidence>
bool require_here(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const Evidence&... evidence) {
  return require_if(judge, seen.session != nullptr && is_all_here(seen.connection, *seen.session), rule, holds,
                    evidence...);
}
// No other connection explains it. In a live run, the explanation may not have been read yet.
template <class... Evidence>
bool require_of_all(Judge& judge, const Jobs& jobs, const Rule& rule, bool holds, const Evidence&... evidence) {
  return require_if(judge, !jobs.is_live(), rule, holds, evidence...);
}

}  // namespace wirelaw::umsp

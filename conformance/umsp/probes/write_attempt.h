// SPDX-License-Identifier: Apache-2.0
// For cases which show that an instruction is executed, or is not: a WRITE of new octets, and the contents of the
// memory afterwards. The case decides how the WRITE is sent.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include "conformance/umsp/probes/executor_probe.h"
#include "conformance/umsp/probes/header_variants.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {

// The number of octets in the shortest WRITE to the IUT.
inline std::size_t short_write(const ExecutorProbe& peer) {
  return peer.address_octets() == 2 ? 2 : 4;
}

struct WriteAttempt {
  Draft draft;  // has ASK 1
  OctetBuffer octets;

  explicit WriteAttempt(ServedSession& peer) : octets(peer.fresh(short_write(peer))) {
    draft = peer.asking(peer.session(), peer.write_draft(peer.address(), octets));
  }
};

// Requires a positive answer to the attempt, and its octets in memory.
inline bool expect_executed(ServedSession& peer, std::initializer_list<const Rule*> rules, const WriteAttempt& attempt,
                            std::string_view explanation) {
  const auto response = peer.answer_to(peer.session(), *attempt.draft.req_id);
  if (!require_each(peer, rules, ExecutorProbe::says_done(response), "a response that reports its execution",
                    to_text(response), explanation))
    return false;
  const auto there = peer.read(peer.session(), peer.address(), static_cast<std::uint32_t>(attempt.octets.size()));
  return require_each(peer, rules, there == attempt.octets, "the written octets", there ? "other octets" : "no DATA",
                      explanation);
}

// The octets of a draft with parts that no Draft has: `change(instruction)` may set any field and add extension
// headers, whose data must outlive the call.
template <class Change>
OctetBuffer changed(const Draft& draft, const Change& change) {
  const OctetBuffer octets = write(draft);
  auto instruction = decode(octets);
  if (!instruction) return octets;
  change(*instruction);
  return encode(*instruction);
}

// True if the IUT's profile offers the function. The case is skipped otherwise.
inline bool offers(ExecutorProbe& peer, const OpenSession& session, ProfileFlag flag, std::string_view what) {
  if (peer.ok() && !has(session.profile, flag)) peer.skip(what);
  return peer.ok();
}

inline constexpr std::string_view kNeedsSequences = "needs an IUT that offers sequences (S1)";
inline constexpr std::string_view kNeedsHeaders = "needs an IUT that offers extension headers (S9)";
inline constexpr std::string_view kNeedsExtended = "needs an IUT that offers headers of the extended form (S8)";

// An instruction of a sequence. The one at place 0 begins it; end_of_sequence() ends it.
inline Draft in_sequence(Draft draft, std::uint16_t number, std::uint16_t place) {
  draft.chain = ChainPlace{number, place};
  if (place == 0) draft.extensions.push_back({HeadCode::begin_sq});
  return draft;
}
inline Draft end_of_sequence(const OpenSession& session, std::uint16_t number, std::uint16_t place) {
  Draft draft = in_sequence(ExecutorProbe::in(session, draft_of(Opcode::nop)), number, place);
  draft.extensions.push_back({HeadCode::end_chain});
  return draft;
}

}  // namespace wirelaw::umsp

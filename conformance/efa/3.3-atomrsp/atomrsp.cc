// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: ATOMRSP, which returns the values from before a fetching atomic.
#include "conformance/efa/3.3-atomrsp/atomrsp.h"

#include "conformance/efa/3.3-atomrsp/rules.h"
#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {

namespace {

// True if it answers no waiting fetching atomic, but may answer a WRITE_RTA that was sent after the request that it
// otherwise matches.
bool answers_write(const SeenPacket& seen, const TraceState& state, const Exchange* atomic) {
  const Party& requester = state.party(other(seen.sender()));
  return requester.unanswered_atomics == 0 && requester.silent_atomic &&
         (atomic == nullptr || requester.silent_atomic->index > atomic->latest.index);
}

void judge_stray(Judge& judge, const SeenPacket& seen, const TraceState& state, Exchange* atomic) {
  if (!state.complete()) return;
  const auto got = actual([&] { return fmt::format("{}", seen.packet.recv_id); });
  if (!seen.doubled && answers_write(seen, state, atomic))
    require(judge, rule<"EFA-3.3-122">, false, seen, Field::recv_id, expected("no answer to a WRITE_RTA"), got,
            "no fetching atomic waits for an answer, or the one that does was not captured");
  else if (atomic == nullptr)
    require(judge, rule<"EFA-3.3-121">, false, seen, Field::recv_id, expected("recv_id of a FETCH_RTA or COMPARE_RTA"),
            got, "no such request has this recv_id, or the one that has was not captured");
  else if (const auto another = another_answer(*atomic, state))
    check_single_answer(judge, seen, rule<"EFA-3.3-124">, *another);
}

}  // namespace

void judge_atomrsp(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  const bool whole =
      require(judge, rule<"EFA-3.3-120">, packet.seg_length == octets, seen, Field::seg_length, expected(octets),
              actual(packet.seg_length), "the packet carries another number of octets");
  Exchange* const found = state.exchanges().atomic_answered(seen, packet.recv_id);
  if (found == nullptr) return judge_stray(judge, seen, state, nullptr);
  Exchange& atomic = *found;
  if (!atomic.is_unsettled()) atomic.finish();
  if (atomic.answers++ > 0) {
    if (!atomic.is_unsettled()) judge_stray(judge, seen, state, &atomic);
    return;
  }
  atomic.latest = seen.mark();
  if (auto& open = state.party(atomic.requester).unanswered_atomics; open > 0) --open;
  for (const Rule* kept : {&rule<"EFA-3.3-121">, &rule<"EFA-3.3-122">, &rule<"EFA-3.3-124">, &rule<"EFA-3.3-125">})
    require(judge, *kept, true, seen, Field::recv_id, expected(""), actual(""));
  if (whole && !atomic.is_unsettled())
    judge.require(rule<"EFA-3.3-123">, octets == atomic.rma_octets, seen.payload(),
                  expected([&] { return fmt::format("{} octets of data", atomic.rma_octets); }), actual(octets),
                  "the buffers of the request hold another number of octets");
}

void finish_atomic(Judge& judge, const Exchange& atomic, const TraceState& state) {
  const Side responder = other(atomic.requester);
  const bool due = state.owes_service(atomic);
  judge.at(unanswered(atomic.begun, responder));
  judge_due(judge, due, rule<"EFA-3.3-125">, false, {}, expected("an ATOMRSP"), actual("none"),
            due ? "it has answered later atomics on the same memory: this one was not refused"
                : "long ago, and no answer to this request; it may have been refused");
}

}  // namespace wirelaw::efa

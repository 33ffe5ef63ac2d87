// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7: a receiver that cannot read the data sends READ_NACK. The sender then sends the message, or the part
// that its RUNTREAD packets have not carried, by long-CTS. The LONGCTS_RTM that follows is no new message (EFA/A-15,
// EFA/A-16).
#include "conformance/efa/4.7-read-nack/read_nack.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/4.7-read-nack/rules.h"
#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/reads.h"

namespace wirelaw::efa {

void check_only_end(Judge& judge, const SeenPacket& seen, bool is_only_end) {
  const bool eor = seen.type() == PacketType::eor;
  require(judge, rule<"EFA-4.7-5">, is_only_end, seen, Field::type, expected(eor ? "no EOR" : "no READ_NACK"),
          actual(seen.layout.name),
          eor ? "the message was refused by READ_NACK before" : "an EOR has reported that the data was read");
}

void check_read_nack(Judge& judge, const SeenPacket& seen, const ReadEndFact& fact) {
  if (fact.read) check_read(judge, seen, rule<"EFA-4.7-2">, *fact.read);
  if (fact.is_only_end) check_only_end(judge, seen, *fact.is_only_end);
  if (fact.answer) check_single_answer(judge, seen, rule<"EFA-4.7-3">, *fact.answer);
  if (fact.runts)
    require(judge, rule<"EFA-4.7-4">, fact.runts->sent >= fact.runts->due, seen, Field::type,
            expected([&] { return fmt::format("{} octets in RUNTREAD packets", fact.runts->due); }),
            actual([&] { return fmt::format("{}", fact.runts->sent); }),
            "before all of them had been sent, or the others were not captured");
}

namespace {

// Checks what the LONGCTS_RTM has in common with the refused message, up to the first difference.
bool check_likeness(Judge& judge, const SeenPacket& seen, const ResumptionFact::Refused& before) {
  using enum ResumptionFact::Difference;
  const Packet& packet = seen.packet;
  return advise(judge, rule<"EFA-4.7-6">, before.difference != msg_id, seen, Field::msg_id, expected(before.msg_id),
                actual(packet.msg_id), "a message is missing at a deployed receiver's matching for ever") &&
         require(judge, rule<"EFA-4.7-7">, before.difference != msg_length, seen, Field::msg_length,
                 expected(before.length), actual(packet.msg_length),
                 "another length than the message that was refused") &&
         require(judge, rule<"EFA-4.7-9">, before.difference != kind, seen,
                 seen.layout.tagged ? Field::tag : Field::type,
                 expected([&] { return fmt::format("{} tag 0x{:x}", before.is_tagged ? "the" : "no", before.tag); }),
                 actual([&] { return fmt::format("{}, tag 0x{:x}", seen.layout.name, packet.tag); }),
                 "another kind of message, or tag, than that of the message that was refused") &&
         judge.require(rule<"EFA-4.7-8">, before.difference != data, seen.payload(), expected("no data"),
                       actual(seen.payload_octets()), "all that RUNTREAD packets have not brought goes by CTSDATA");
}

}  // namespace

void check_resumption(Judge& judge, const SeenPacket& seen, const ResumptionFact& fact) {
  const bool marked_by_bit = seen.packet.has(flag::kReadNack);
  if (fact.is_known_to_follow_no)
    advise(judge, rule<"EFA-4.7-11">, !marked_by_bit, seen, Field::flags, expected("bit 13 clear"),
           actual(hex(seen.packet.flags)), "no message with this msg_id was refused");
  if (!fact.refused || !check_likeness(judge, seen, *fact.refused)) return;
  advise(judge, rule<"EFA-4.7-12">, true, seen, Field::msg_id, expected(""), actual(""));
  advise(judge, rule<"EFA-4.7-10">, marked_by_bit, seen, Field::flags, expected("bit 13 set"),
         actual(hex(seen.packet.flags)), "deployed receivers take the packet for one that came before");
}

namespace {

// The reads would have confirmed the delivery. If an application demands that, and a side cannot do without them, its
// endpoint gives the message up and reports an error (2.1, 4.2; EFA/A-85).
bool may_be_given_up(const TraceState& state) {
  return !state.party(Side::a).announced(Extra::delivery_complete) ||
         !state.party(Side::b).announced(Extra::delivery_complete);
}

}  // namespace

void finish_refused(Judge& judge, const Exchange& message, const TraceState& state) {
  const bool stale = state.is_stale(message.latest);
  if (message.is_resumed() && (message.is_granted() || (stale && !message.course.is_unmarked()))) {
    judge.at(marked(message.latest, other(message.requester)));
    judge_due(judge, state.owes_answer(other(message.requester), message.latest), rule<"EFA-4.7-14">,
              message.is_granted() || message.has_all_data(), {}, expected("a CTS"), actual("none"),
              "long after the LONGCTS_RTM");
  }
  if (message.is_resumed() || !stale) return;
  judge.at(unanswered(message.refused, message.requester));
  const bool due = state.owes_answer(message.requester, message.refused) && !may_be_given_up(state);
  judge_due(judge, due, rule<"EFA-4.7-12">, false, {}, expected("a LONGCTS_RTM with the same msg_id"), actual("none"),
            "long after the READ_NACK");
}

void check_resumed_write(Judge& judge) {
  judge.advise(rule<"EFA-4.7-30">, true, {}, expected(""), actual(""));
}

void finish_refused_writes(Judge& judge, const TraceState& state) {
  if (!state.complete()) return;
  for (const Side side : {Side::a, Side::b})
    for (const Party::RefusedWrite& write : state.party(side).refused_writes) {
      if (!state.is_stale(write.refused)) continue;
      judge.at(unanswered(write.refused, side));
      judge.advise(rule<"EFA-4.7-30">, false, {}, expected("a LONGCTS_RTW to the same buffers"), actual("none"),
                   "much has been sent since the READ_NACK");
    }
}

}  // namespace wirelaw::efa

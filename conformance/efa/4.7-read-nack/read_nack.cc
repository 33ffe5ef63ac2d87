// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7: a receiver that cannot read the data sends READ_NACK. The sender then sends the message, or the part
// that its RUNTREAD packets have not carried, by long-CTS. The LONGCTS_RTM that follows is no new message (EFA/A-15,
// EFA/A-16).
#include "conformance/efa/4.7-read-nack/read_nack.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/4.7-read-nack/refused_write.h"
#include "conformance/efa/4.7-read-nack/rules.h"
#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/reads.h"

namespace wirelaw::efa {

namespace {

bool is_longcts_message(const SeenPacket& seen) {
  return seen.layout.purpose == Purpose::message && seen.layout.transfer == Transfer::long_cts;
}

}  // namespace

bool judge_eor_or_nack(Judge& judge, const SeenPacket& seen, Exchange& read, const TraceState& state) {
  const bool eor = seen.packet.is(PacketType::eor);
  const bool both = eor ? read.is_refused() : read.eors > 0;
  if (!both || state.complete())
    require(judge, rule<"EFA-4.7-5">, !both, seen, Field::type, expected(eor ? "no EOR" : "no READ_NACK"),
            actual(seen.layout.name),
            eor ? "the message was refused by READ_NACK before" : "an EOR has reported that the data was read");
  if (!both) return true;
  // Whichever comes first ends the wait of the sender; the READ_NACK may, and be followed.
  read.standing.happen(Standing::Event::reopened);
  read.contradict();
  if (!eor) read.course.happen(Course::Event::read_nack);
  return false;
}

void judge_read_nack(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Exchange* const found = state.exchanges().sender_answered(seen, packet.send_id);
  const bool known = found != nullptr && (found->request->behind == Array::read_iov || found->is_resumed());
  if (!known) {
    if (state.complete()) state.party(other(seen.sender())).refused_out_of_state = true;
    const bool unsure = found != nullptr ? found->is_unsettled() : may_end_another(seen, state);
    if (state.complete() && !unsure)
      require(judge, rule<"EFA-4.7-2">, false, seen, Field::send_id,
              expected("send_id of a request whose data is read"), actual(packet.send_id), [&] {
                return found == nullptr
                           ? std::string("no request has this send_id, or the one that has was not captured")
                           : fmt::format("it is that of a {}", found->request->name);
              });
    return;
  }
  require(judge, rule<"EFA-4.7-2">, true, seen, Field::send_id, expected(""), actual(""));
  Exchange& read = *found;
  if (read.is_unsettled()) {
    read.course.happen(Course::Event::read_nack);  // its sender may continue it
    return;
  }
  if (!judge_eor_or_nack(judge, seen, read, state)) return;
  const bool again = read.is_refused();
  read.course.happen(Course::Event::read_nack);
  if (again) {
    judge_another_answer(judge, seen, rule<"EFA-4.7-3">, read, state);
    return;
  }
  require(judge, rule<"EFA-4.7-3">, true, seen, Field::send_id, expected(""), actual(""));
  read.latest = seen.mark();
  read.refused = read.latest;
  // A write comes back as a new request (EFA/A-17).
  read.standing.happen(Standing::Event::reopened);
  if (read.request->purpose == Purpose::write) {
    read.finish();
    note_refused_write(seen, read, state);
  }
  if (read.request->transfer != Transfer::runting_read) return;
  if (state.complete() &&
      !require(judge, rule<"EFA-4.7-4">, read.data.octets() >= runt_octets(read), seen, Field::type,
               expected([&] { return fmt::format("{} octets in RUNTREAD packets", runt_octets(read)); }),
               actual([&] { return fmt::format("{}", read.data.octets()); }),
               "before all of them had been sent, or the others were not captured"))
    read.contradict();
}

bool follows_read_nack(const SeenPacket& seen, TraceState& state) {
  if (!is_longcts_message(seen)) return false;
  const Exchange* const found = state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id);
  if (found != nullptr && found->is_refused()) return true;
  return !state.complete() && seen.packet.has(flag::kReadNack);  // the READ_NACK may not have been seen
}

bool judge_refused_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Exchanges& exchanges = state.exchanges();
  Exchange* found = exchanges.by_msg_id(seen.sender(), packet.msg_id);
  const bool same_msg_id = found != nullptr && found->is_refused();
  if (!same_msg_id) found = exchanges.by_send_id(seen.sender(), packet.send_id);
  if (found == nullptr || !found->is_refused() || found->is_done() || (found->is_resumed() && !same_msg_id)) {
    // Its reaction to a READ_NACK for another request is the peer's fault.
    if (packet.has(flag::kReadNack) && state.party(seen.sender()).refused_out_of_state) {
      state.begin(seen).contradict();
      return true;
    }
    if (state.complete() && !state.party(seen.sender()).repeats_id)
      advise(judge, rule<"EFA-4.7-11">, !packet.has(flag::kReadNack), seen, Field::flags, expected("bit 13 clear"),
             actual(hex(packet.flags)), "no message with this msg_id was refused");
    if (state.complete() || seen.payload_octets() > 0) return false;
    // The refused message and its RUNTREAD packets may have been sent before the trace began.
    state.begin(seen).contradict();
    return true;
  }
  Exchange& message = *found;
  // Another LONGCTS_RTM continues it: the receiver may have received this one first, with its send_id.
  if (message.is_resumed() && !seen.doubled) message.contradict();
  if (message.is_unsettled() || message.is_resumed()) return true;
  const Layout& before = *message.request;
  message.course.happen(packet.has(flag::kReadNack) ? Course::Event::longcts : Course::Event::longcts_unmarked);
  message.request = &seen.layout;
  message.latest = seen.mark();
  message.granted = message.in_request = message.data.octets();  // EFA/A-16
  exchanges.set_send_id(message, packet.send_id);
  const bool fits =
      (advise(judge, rule<"EFA-4.7-6">, same_msg_id, seen, Field::msg_id, expected(message.msg_id.value_or(0)),
              actual(packet.msg_id), "a message is missing at a deployed receiver's matching for ever") &&
       require(judge, rule<"EFA-4.7-7">, packet.msg_length == message.length, seen, Field::msg_length,
               expected(message.length), actual(packet.msg_length),
               "another length than the message that was refused") &&
       require(judge, rule<"EFA-4.7-9">, seen.layout.tagged == before.tagged && packet.tag == message.tag, seen,
               seen.layout.tagged ? Field::tag : Field::type,
               expected([&] { return fmt::format("{} tag 0x{:x}", before.tagged ? "the" : "no", message.tag); }),
               actual([&] { return fmt::format("{}, tag 0x{:x}", seen.layout.name, packet.tag); }),
               "another kind of message, or tag, than that of the message that was refused") &&
       judge.require(rule<"EFA-4.7-8">, seen.payload_octets() == 0, seen.payload(), expected("no data"),
                     actual(seen.payload_octets()), "all that RUNTREAD packets have not brought goes by CTSDATA"));
  if (!fits) message.contradict();
  if (message.is_unsettled()) return true;
  advise(judge, rule<"EFA-4.7-12">, true, seen, Field::msg_id, expected(""), actual(""));
  advise(judge, rule<"EFA-4.7-10">, packet.has(flag::kReadNack), seen, Field::flags, expected("bit 13 set"),
         actual(hex(packet.flags)), "deployed receivers take the packet for one that came before");
  return true;
}

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
  judge_due(judge, state.owes_answer(message.requester, message.refused), rule<"EFA-4.7-12">, false, {},
            expected("a LONGCTS_RTM with the same msg_id"), actual("none"), "long after the READ_NACK");
}

}  // namespace wirelaw::efa

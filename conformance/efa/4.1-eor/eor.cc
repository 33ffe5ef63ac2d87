// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1: EOR, by which the receiver reports that it has read all the data.
#include "conformance/efa/4.1-eor/eor.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/4.1-eor/rules.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/reads.h"

namespace wirelaw::efa {

namespace {

bool is_read(const Exchange& one) {
  return one.request->transfer == Transfer::long_read || one.request->transfer == Transfer::runting_read;
}

}  // namespace

void judge_eor(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  judge.advise(rule<"EFA-4.1-20">, !packet.short_header || seen.message.is_cut(), octets(0, seen.message.octets.size()),
               expected("16 octets"), actual(seen.message.wire_length), "as libfabric sent it before 1.14");
  Exchange* const found = state.exchanges().sender_answered(seen, packet.send_id);
  // After a READ_NACK the message continues by long-CTS.
  const bool known = found != nullptr && (is_read(*found) || found->is_resumed());
  if (!known) {
    const bool unsure = found != nullptr ? found->is_unsettled() : may_end_another(seen, state);
    if (state.complete() && !unsure)
      require(judge, rule<"EFA-4.1-21">, false, seen, Field::send_id,
              expected("send_id of a request whose data is read"), actual(packet.send_id), [&] {
                return found == nullptr
                           ? std::string("no request has this send_id, or the one that has was not captured")
                           : fmt::format("it is that of a {}", found->request->name);
              });
    return;
  }
  require(judge, rule<"EFA-4.1-21">, true, seen, Field::send_id, expected(""), actual(""));
  Exchange& read = *found;
  if (read.is_unsettled() || !judge_eor_or_nack(judge, seen, read, state)) return;
  if (read.eors++ > 0) {
    judge_another_answer(judge, seen, rule<"EFA-4.1-22">, read, state);
    return;
  }
  read.latest = seen.mark();
  for (const Rule* kept : {&rule<"EFA-4.1-22">, &rule<"EFA-4.1-23">})
    require(judge, *kept, true, seen, Field::send_id, expected(""), actual(""));
  if (read.request->transfer == Transfer::long_read || read.data.octets() >= runt_octets(read)) read.finish();
}

void finish_read_data(Judge& judge, const Exchange& read, const TraceState& state) {
  if (read.length == 0 || (read.request->transfer == Transfer::runting_read && read.data.octets() >= read.length))
    return;  // nothing was left to be read (EFA/A-49)
  const Side receiver = other(read.requester);
  const bool due = state.owes_service(read);
  judge.at(unanswered(read.begun, receiver));
  // Its own read of the memory may have failed, which no packet shows.
  judge.advise(rule<"EFA-4.1-23">, false, {}, expected("an EOR"), actual("none"),
               due ? "it has taken later writes to the same memory: this one was not refused; or its read has failed"
                   : "long ago, and no EOR for this request; a receive may be wanting, or it was refused");
}

}  // namespace wirelaw::efa

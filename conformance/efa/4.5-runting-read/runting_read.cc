// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.5: runting read messages. Several RUNTREAD packets carry the beginning of the data; the rest is read.
// runt_length has two readings (EFA/A-04): octets in all RUNTREAD packets of the message, or in this one.
#include "conformance/efa/4.5-runting-read/runting_read.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/4.5-runting-read/rules.h"
#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/reads.h"
#include "conformance/efa/tracker/follow.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {

namespace {

Exchange* runting_message(const SeenPacket& seen, TraceState& state) {
  Exchange* const found = state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id);
  const bool same = found != nullptr && (found->request->transfer == Transfer::runting_read ||
                                         (found->is_refused() && found->runt_length > 0));
  return same ? found : nullptr;
}

// Judges the fields that must be the same in all packets of a message.
bool judge_kept(Judge& judge, const SeenPacket& seen, const Exchange& message) {
  const Packet& packet = seen.packet;
  return require(judge, rule<"EFA-4.5-4">, packet.msg_length == message.length, seen, Field::msg_length,
                 expected(message.length), actual(packet.msg_length), "another length than in the packets before") &&
         require(judge, rule<"EFA-4.5-5">, packet.send_id == message.send_id, seen, Field::send_id,
                 expected(message.send_id.value_or(0)), actual(packet.send_id),
                 "another operation than in the packets before") &&
         require(judge, rule<"EFA-4.5-7">, &seen.layout == message.request && packet.tag == message.tag, seen,
                 seen.layout.tagged ? Field::tag : Field::type,
                 expected([&] { return fmt::format("{} with tag 0x{:x}", message.request->name, message.tag); }),
                 actual([&] { return fmt::format("{} with tag 0x{:x}", seen.layout.name, packet.tag); }),
                 "another kind of message, or tag, than in the packets before") &&
         require(judge, rule<"EFA-4.5-6">, hash_of(packet.read_iov) == message.iov_hash, seen, Field::read_iov_count,
                 expected("the read_iov of the packets before"), actual("another one"),
                 "the buffers differ from those of the packets before");
}

// The octets of the message that the packet brings.
bool judge_segment(Judge& judge, const SeenPacket& seen) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  if (!judge.require(rule<"EFA-4.5-1">, octets > 0, seen.payload(), expected("at least 1 octet of data"),
                     actual(octets), "a RUNTREAD packet for nothing"))
    return false;
  const bool within = packet.seg_offset <= packet.msg_length && octets <= packet.msg_length - packet.seg_offset;
  return require(judge, rule<"EFA-4.5-8">, within, seen, Field::seg_offset,
                 expected([&] { return fmt::format("{} octets within {}", octets, packet.msg_length); }),
                 actual(packet.seg_offset), "the data ends beyond the message");
}

// A packet that no reading allows, or that its message has excluded.
void report_length(Judge& judge, const SeenPacket& seen, const Exchange& message, bool first) {
  const Packet& packet = seen.packet;
  const auto got = actual(packet.runt_length);
  if (packet.runt_length > packet.msg_length)
    require(judge, rule<"EFA-4.5-11">, false, seen, Field::runt_length,
            expected(fmt::format("at most {}", packet.msg_length)), got, "more than the message has");
  else if ((message.reading & kOfMessage) == 0)
    require(judge, rule<"EFA-4.5-13">, false, seen, Field::runt_length, expected(seen.payload_octets()), got,
            "in the packets before, it was the length of the packet's own data");
  else if (!first && packet.runt_length != message.runt_length)
    require(judge, rule<"EFA-4.5-10">, false, seen, Field::runt_length, expected(message.runt_length), got,
            "another length than in the packets before");
  else
    require(judge, rule<"EFA-4.5-12">, false, seen, Field::runt_length,
            expected(fmt::format("at least {}", packet.seg_offset + seen.payload_octets())), got,
            "the data of this packet ends beyond it",
            packet.runt_length == seen.payload_octets() ? Evidence::absence : Evidence::octets);
}

// Judges runt_length in both readings. Returns false if it contradicts the message.
bool judge_runt_length(Judge& judge, const SeenPacket& seen, Exchange& message, bool first, Party& sender) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  const bool of_message = (first || packet.runt_length == message.runt_length) &&
                          packet.runt_length <= packet.msg_length && packet.seg_offset + octets <= packet.runt_length;
  const std::uint64_t fits = (of_message ? kOfMessage : 0) | (packet.runt_length == octets ? kOfPacket : 0);
  if ((message.reading & fits) == 0) {
    report_length(judge, seen, message, first);
    return false;
  }
  message.reading &= fits;
  for (const Rule* kept : {&rule<"EFA-4.5-11">, &rule<"EFA-4.5-10">, &rule<"EFA-4.5-12">})
    require(judge, *kept, true, seen, Field::runt_length, expected(""), actual(""));
  if (message.reading == (kOfMessage | kOfPacket)) return true;
  const Reading now = message.reading == kOfMessage ? Reading::deployed : Reading::document;
  const bool same = sender.runt_length == Reading::open || sender.runt_length == now;
  if (!require(judge, rule<"EFA-4.5-13">, same, seen, Field::runt_length,
               expected(sender.runt_length == Reading::deployed ? "the length of all RUNTREAD packets together"
                                                                : "the length of this packet's data"),
               actual(packet.runt_length), "another meaning than in the messages before"))
    return false;
  sender.runt_length = now;
  advise(judge, rule<"EFA-4.5-14">, now == Reading::deployed, seen, Field::runt_length,
         expected("the length of all RUNTREAD packets together"), actual(packet.runt_length),
         "the length of this packet's data: the receiver cannot know where the reads begin");
  return true;
}

}  // namespace

void judge_runting_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Exchange* message = runting_message(seen, state);
  const bool first = message == nullptr;
  RequestFact fact;
  if (first) fact.source = total_length(packet.read_iov);
  if (first) {
    message = begin_request(fact, seen, state);
    if (fact.id) check_free_id(judge, seen, rule<"EFA-4.5-16">, Field::send_id, *fact.id);
    if (message == nullptr || message->is_unsettled()) return;
    message->runt_length = packet.runt_length;
    message->iov_hash = hash_of(packet.read_iov);
    message->reading = kOfMessage | kOfPacket;
  } else if (message->is_unsettled() || message->is_resumed() || seen.doubled) {
    return;
  }
  // A faulty packet is reported once, and nothing is concluded from it.
  const bool good = (first ? check_source(judge, seen, fact, rule<"EFA-4.5-2">, rule<"EFA-4.5-3">)
                           : judge_kept(judge, seen, *message)) &&
                    judge_segment(judge, seen) &&
                    judge_runt_length(judge, seen, *message, first, state.party(seen.sender()));
  if (!good) {
    message->contradict();
    return;
  }
  const std::uint64_t octets = seen.payload_octets();
  message->latest = seen.mark();
  message->last_data = message->latest;
  const auto fresh = message->data.add(packet.seg_offset, packet.seg_offset + octets, TraceState::kMostGaps);
  if (!fresh || !require(judge, rule<"EFA-4.5-9">, *fresh == octets, seen, Field::seg_offset,
                         expected("data that has not been sent"), actual(packet.seg_offset), [&] {
                           return fmt::format("{} of {} octets have been sent before", octets - *fresh, octets);
                         })) {
    message->contradict();
    return;
  }
  const bool all_runts = message->data.octets() >= message->runt_octets();
  if (all_runts) advise(judge, rule<"EFA-4.5-15">, true, seen, Field::runt_length, expected(""), actual(""));
  // If nothing is left to read, no EOR is sent (EFA/A-49).
  if (all_runts && (message->eors > 0 || message->data.octets() == message->length)) message->finish();
}

void finish_runting(Judge& judge, const Exchange& message, const TraceState& state) {
  if (message.data.octets() >= message.runt_octets() || !state.is_stale(message.latest)) return;
  judge.at(marked(message.begun, message.requester));
  judge_due(judge, state.is_in_view(message.begun) && state.owes_data(message.requester, message.latest),
            rule<"EFA-4.5-15">, false, {}, expected(fmt::format("{} octets", message.runt_length)),
            actual(message.data.octets()), "long ago, and not all RUNTREAD packets of this message have come");
}

}  // namespace wirelaw::efa

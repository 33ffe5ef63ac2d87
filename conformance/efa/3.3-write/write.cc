// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: emulated writes, with their delivery complete forms (4.2). Their CTS and CTSDATA are judged with
// those of messages (3.2).
#include "conformance/efa/3.3-write/write.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/3.3-write/rules.h"
#include "conformance/efa/4.7-read-nack/refused_write.h"
#include "conformance/efa/due.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/tracker/read_ends.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {

namespace {

// The write that the packet begins; nullptr if the packet is a duplicate.
Exchange* begin_write(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Exchange* const before = state.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  const bool in_use = before != nullptr && before->source_waits();
  if (before != nullptr && before->comes_again(seen)) {
    before->contradict();  // a responder may begin it twice, with two receive operations
    return nullptr;
  }
  if (state.complete())
    require(judge, rule<"EFA-3.3-22">, !in_use, seen, Field::send_id, expected("an ID that no operation under way has"),
            actual(seen.packet.send_id), [&] {
              return fmt::format("the {} of packet {} still waits for its peer, or what ended it was not captured",
                                 before->request->name, before->begun.index + 1);
            });
  Exchange& write = state.begin(seen);
  if (in_use) write.contradict();
  return &write;
}

}  // namespace

void judge_eager_write(Judge& judge, const SeenPacket& seen, TraceState& state) {
  judge_buffers(judge, seen, Array::rma_iov);
  const std::optional<std::uint64_t> room = total_length(seen.packet.rma_iov);
  judge.require(rule<"EFA-3.3-10">, room == seen.payload_octets(), seen.payload(), expected([&] {
                  return room ? fmt::format("{} octets of data", *room) : "lengths in rma_iov that can be added up";
                }),
                actual(seen.payload_octets()), "the data does not fit the buffers");
  if (!seen.layout.delivery_complete) return;
  if (Exchange* const write = begin_write(judge, seen, state)) write->rma_octets = room.value_or(0);
}

void judge_longcts_write(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Exchange* const write = begin_write(judge, seen, state);
  if (write == nullptr) return;
  if (resumes_write(seen, state)) check_resumed_write(judge);
  judge_buffers(judge, seen, Array::rma_iov);
  const std::optional<std::uint64_t> room = total_length(packet.rma_iov);
  write->rma_octets = room.value_or(0);
  const bool fits =
      require(judge, rule<"EFA-3.3-20">, room == packet.msg_length, seen, Field::msg_length,
              expected([&] { return room ? fmt::format("{}", *room) : "lengths in rma_iov that can be added up"; }),
              actual(packet.msg_length), "the data does not fit the buffers");
  advise(judge, rule<"EFA-3.3-23">, packet.credit_request != 0, seen, Field::credit_request, expected("at least 1"),
         actual(packet.credit_request), "a requester that is ready to send nothing");
  if (!fits) {
    write->contradict();
    return;
  }
  const std::uint64_t now = seen.payload_octets();
  const auto less = expected([&] { return fmt::format("less than {} octets of data", packet.msg_length); });
  if (now > packet.msg_length) {
    judge.require(rule<"EFA-3.3-21">, false, seen.payload(), less, actual(now), "more than the write has");
    write->contradict();
    return;
  }
  // A change that an unexpected READ_NACK caused is the peer's fault.
  if (!state.party(seen.sender()).refused_out_of_state)
    judge.advise(rule<"EFA-3.3-21">, now < packet.msg_length, seen.payload(), less, actual(now),
                 "nothing is left for CTSDATA");
  write->data.add(0, now, 1);
  write->granted = write->in_request = now;
  write->last_data = write->begun;
  if (now == packet.msg_length && !seen.layout.delivery_complete && !write->is_unsettled()) write->finish();
}

void finish_write(Judge& judge, const Exchange& write, const TraceState& state) {
  const Side responder = other(write.requester);
  const bool due = state.owes_service(write);
  judge.at(unanswered(write.begun, responder));
  judge_due(judge, due, rule<"EFA-3.3-25">, write.is_granted(), {}, expected("a CTS"), actual("none"),
            due ? "it has answered later writes to the same memory: this one was not refused"
                : "long ago, and nothing allows the rest of this write; it may have been refused");
}

}  // namespace wirelaw::efa

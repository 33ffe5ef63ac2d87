// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: emulated writes, with their delivery complete forms (4.2). Their CTS and CTSDATA are judged with
// those of messages (3.2).
#include "conformance/efa/later.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {

namespace {

constexpr Section kTable3_8{"EFA RDM v4 3.3, table 3.8", kRequester};
constexpr Section kTable3_9{"EFA RDM v4 3.3, table 3.9", kRequester};
constexpr Section kSection{"EFA RDM v4 3.3", kResponder};
constexpr Section kSectionApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kEagerWriteFillsBuffers =
    kTable3_8.must("EFA-3.3-10", "An EAGER_RTW carries as many octets as the buffers in its rma_iov hold together.",
                   "EFA/A-28, EFA/A-29; DC_EAGER_RTW alike");
constinit const Rule kWriteLengthIsThatOfBuffers =
    kTable3_9.must("EFA-3.3-20", "msg_length of a LONGCTS_RTW is the sum of the lengths in its rma_iov.",
                   "EFA/A-29; DC_LONGCTS_RTW alike");
constinit const Rule kWriteLeavesDataForLater =
    kTable3_9.must("EFA-3.3-21", "A LONGCTS_RTW carries the beginning of its data, less than msg_length.",
                   "EFA/A-23b: all of it is warned of, as the write would have fitted one packet");
constinit const Rule kWriteSendIdIsFree =
    kTable3_9.resting_on(Evidence::absence)
        .must("EFA-3.3-22", "send_id of a write names no operation of the requester that still waits for its peer.",
              "EFA/A-73; DC_EAGER_RTW and DC_LONGCTS_RTW alike");
constinit const Rule kWriteAsksForCredit =
    kTable3_9.should("EFA-3.3-23", "credit_request of a LONGCTS_RTW is not zero: the requester is ready to send.",
                     "EFA/A-43b: warned of");
constinit const Rule kWriteIsAllowed =
    kSection.resting_on(Evidence::absence)
        .must("EFA-3.3-25", "A LONGCTS_RTW that leaves data for later is answered by a CTS.", "EFA/A-72, EFA/A-85");
constinit const Rule kNoReceiveForWrite = kSectionApi.must(
    "EFA-3.3-24", "A write takes no receive buffer of the responder's application; it goes where rma_iov says.",
    "The application's buffers show it.");

constexpr Breach kBreaches[] = {
    {Deviation::connid_padded, kEagerWriteFillsBuffers},
    {Deviation::rtw_data_short, kEagerWriteFillsBuffers},
    {Deviation::longcts_length_short, kWriteLengthIsThatOfBuffers},
    {Deviation::longcts_length_long, kWriteLengthIsThatOfBuffers},
    {Deviation::rtw_length_differs, kWriteLengthIsThatOfBuffers},
    {Deviation::credit_request_zero, kWriteAsksForCredit, {.severity = Severity::warning}},
};

SectionRules s3_3_write_rules() {
  static constexpr const Rule* kRules[] = {
      &kEagerWriteFillsBuffers, &kWriteLengthIsThatOfBuffers, &kWriteLeavesDataForLater, &kWriteSendIdIsFree,
      &kWriteAsksForCredit,     &kNoReceiveForWrite,          &kWriteIsAllowed,
  };
  return {kRules, kBreaches};
}

namespace {

// The write that the packet begins; nullptr where it is that of a packet that came twice.
Exchange* begin_write(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Exchange* const before = state.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  const bool in_use = before != nullptr && before->source_waits();
  if (before != nullptr && before->comes_again(seen)) {
    before->unsettled = true;  // a responder may begin it twice, with two receive operations
    return nullptr;
  }
  if (state.complete())
    require(judge, kWriteSendIdIsFree, !in_use, seen, Field::send_id, expected("an ID that no operation under way has"),
            actual(seen.packet.send_id), [&] {
              return fmt::format("the {} of packet {} still waits for its peer, or what ended it was not captured",
                                 before->request->name, before->begun.index + 1);
            });
  Exchange& write = state.begin(seen);
  if (in_use) write.unsettled = true;
  return &write;
}

}  // namespace

void judge_eager_write(Judge& judge, const SeenPacket& seen, TraceState& state) {
  judge_buffers(judge, seen, Array::rma_iov);
  const std::optional<std::uint64_t> room = total_length(seen.packet.rma_iov);
  judge.require(kEagerWriteFillsBuffers, room == seen.payload_octets(), seen.payload(), expected([&] {
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
  note_long_write(judge, seen, state);
  judge_buffers(judge, seen, Array::rma_iov);
  const std::optional<std::uint64_t> room = total_length(packet.rma_iov);
  write->rma_octets = room.value_or(0);
  const bool fits =
      require(judge, kWriteLengthIsThatOfBuffers, room == packet.msg_length, seen, Field::msg_length,
              expected([&] { return room ? fmt::format("{}", *room) : "lengths in rma_iov that can be added up"; }),
              actual(packet.msg_length), "the data does not fit the buffers");
  advise(judge, kWriteAsksForCredit, packet.credit_request != 0, seen, Field::credit_request, expected("at least 1"),
         actual(packet.credit_request), "a requester that is ready to send nothing");
  if (!fits) {
    write->unsettled = true;
    return;
  }
  const std::uint64_t now = seen.payload_octets();
  const auto less = expected([&] { return fmt::format("less than {} octets of data", packet.msg_length); });
  if (now > packet.msg_length) {
    judge.require(kWriteLeavesDataForLater, false, seen.payload(), less, actual(now), "more than the write has");
    write->unsettled = true;
    return;
  }
  // What a stray READ_NACK has made of it is its peer's fault.
  if (!state.party(seen.sender()).refused_out_of_state)
    judge.advise(kWriteLeavesDataForLater, now < packet.msg_length, seen.payload(), less, actual(now),
                 "nothing is left for CTSDATA");
  write->data.add(0, now, 1);
  write->granted = write->in_request = now;
  write->last_data = write->begun;
  write->done = now == packet.msg_length && !seen.layout.delivery_complete && !write->unsettled;
}

void finish_write(Judge& judge, const Exchange& write, const TraceState& state) {
  const Side responder = other(write.requester);
  const bool due = state.owes_service(write);
  judge.at(unanswered(write.begun, responder));
  judge_due(judge, due, kWriteIsAllowed, write.grants > 0, {}, expected("a CTS"), actual("none"),
            due ? "it has answered later writes to the same memory: this one was not refused"
                : "long ago, and nothing allows the rest of this write; it may have been refused");
}

}  // namespace wirelaw::efa

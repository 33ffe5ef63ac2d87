// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1: requests whose data the other side reads by RDMA. The reads themselves are not packets.
#include "conformance/efa/4.1-long-read/long_read.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/4.1-long-read/rules.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/reads.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {

Exchange* begin_read(Judge& judge, const Rule& free, const SeenPacket& seen, TraceState& state) {
  Exchange* const before = state.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  const bool in_use = before != nullptr && before->source_waits();
  if (before != nullptr && before->comes_again(seen)) return nullptr;
  if (state.complete())
    require(judge, free, !in_use, seen, Field::send_id, expected("an ID that no operation under way has"),
            actual(seen.packet.send_id), [&] {
              return fmt::format("the {} of packet {} still waits for its peer, or what ended it was not captured",
                                 before->request->name, before->begun.index + 1);
            });
  Exchange& read = state.begin(seen);
  if (in_use) read.contradict();
  return &read;
}

bool judge_source(Judge& judge, const SeenPacket& seen, const Rule& some, const Rule& sum) {
  const Packet& packet = seen.packet;
  judge_buffers(judge, seen, Array::read_iov);
  if (!require(judge, some, packet.read_iov_count > 0 || packet.msg_length == 0, seen, Field::read_iov_count,
               expected("at least 1"), actual(packet.read_iov_count), "there is nothing to read the data from"))
    return false;
  const std::optional<std::uint64_t> there = total_length(packet.read_iov);
  return require(judge, sum, there == packet.msg_length, seen, Field::msg_length, expected([&] {
                   return there ? fmt::format("{}", *there) : "lengths in read_iov that can be added up";
                 }),
                 actual(packet.msg_length), "the buffers in read_iov hold another number of octets");
}

namespace {

void judge_no_data(Judge& judge, const SeenPacket& seen, const Rule& rule) {
  judge.require(rule, seen.payload_octets() == 0, seen.payload(), expected("no data after read_iov"),
                actual(seen.payload_octets()), "the data is to be read");
}

}  // namespace

void judge_longread_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  Exchange* const read = begin_read(judge, rule<"EFA-4.1-4">, seen, state);
  if (read == nullptr) return;
  judge_no_data(judge, seen, rule<"EFA-4.1-15">);
  if (!judge_source(judge, seen, rule<"EFA-4.1-1">, rule<"EFA-4.1-2">)) read->contradict();
}

void judge_longread_write(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  Exchange* const read = begin_read(judge, rule<"EFA-4.1-8">, seen, state);
  if (read == nullptr) return;
  judge_no_data(judge, seen, rule<"EFA-4.1-16">);
  judge_buffers(judge, seen, Array::rma_iov);
  const std::optional<std::uint64_t> room = total_length(packet.rma_iov);
  read->rma_octets = room.value_or(0);
  read->iov_hash = hash_of(packet.rma_iov);
  const bool fits =
      require(judge, rule<"EFA-4.1-6">, room == packet.msg_length, seen, Field::msg_length,
              expected([&] { return room ? fmt::format("{}", *room) : "lengths in rma_iov that can be added up"; }),
              actual(packet.msg_length), "the buffers in rma_iov hold another number of octets");
  if (!fits || !judge_source(judge, seen, rule<"EFA-4.1-5">, rule<"EFA-4.1-7">)) read->contradict();
}

void finish_reads(Judge& judge, TraceState& state) {
  if (!state.complete()) return;
  for (const Exchange& one : state.exchanges().all()) {
    if (one.is_unsettled() || one.may_be_none()) continue;
    if (one.is_refused() && one.request->purpose == Purpose::message) finish_refused(judge, one, state);
    if (one.is_done() || one.request->behind != Array::read_iov) continue;
    if (one.request->transfer == Transfer::runting_read) finish_runting(judge, one, state);
    if (one.eors == 0 && !one.is_refused() && (state.responder_had_time(one) || state.owes_service(one)))
      finish_read_data(judge, one, state);
  }
}

}  // namespace wirelaw::efa

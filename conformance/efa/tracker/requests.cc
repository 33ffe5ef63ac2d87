// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "conformance/efa/tracker/follow.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {

bool has_source(const RequestFact& fact, const Packet& packet) {
  return (packet.read_iov_count > 0 || packet.msg_length == 0) && fact.source == packet.msg_length;
}

Exchange* begin_request(RequestFact& fact, const SeenPacket& seen, TraceState& state, Exchange* before, bool in_use,
                        bool may_repeat) {
  fact.is_repetition = may_repeat && before->comes_again(seen);
  if (fact.is_repetition) return nullptr;
  if (state.complete() && !(in_use && state.may_have_met_again(seen)))
    fact.id = in_use ? IdFact{before->operation()} : IdFact{};
  Exchange& exchange = state.begin(seen);
  exchange.rma_octets = fact.target.value_or(0);
  if (in_use) exchange.contradict();
  return &exchange;
}

Exchange* begin_request(RequestFact& fact, const SeenPacket& seen, TraceState& state) {
  Exchange* const before = state.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  return begin_request(fact, seen, state, before, before != nullptr && before->source_waits(), before != nullptr);
}

RequestFact follow_longread(const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  const bool write = seen.layout.purpose == Purpose::write;
  RequestFact fact{.source = total_length(packet.read_iov)};
  if (write) fact.target = total_length(packet.rma_iov);
  Exchange* const read = begin_request(fact, seen, state);
  if (read == nullptr) return fact;
  if (write) read->iov_hash = hash_of(packet.rma_iov);
  if (!has_source(fact, packet) || (write && fact.target != packet.msg_length)) read->contradict();
  return fact;
}

namespace {

Exchange* begin_write(RequestFact& fact, const SeenPacket& seen, TraceState& state) {
  Exchange* const before = state.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  Exchange* const write = begin_request(fact, seen, state);
  if (write == nullptr) before->contradict();  // a responder may begin it twice, with two receive operations
  return write;
}

}  // namespace

RequestFact follow_eager_write(const SeenPacket& seen, TraceState& state) {
  RequestFact fact{.target = total_length(seen.packet.rma_iov)};
  if (seen.layout.delivery_complete) begin_write(fact, seen, state);
  return fact;
}

RequestFact follow_longcts_write(const SeenPacket& seen, TraceState& state) {
  RequestFact fact{.target = total_length(seen.packet.rma_iov),
                   .is_misled = state.party(seen.sender()).refused_out_of_state};
  Exchange* const write = begin_write(fact, seen, state);
  if (write == nullptr) return fact;
  fact.resumes_write = resumes_write(seen, state);
  const std::uint64_t length = seen.packet.msg_length, now = seen.payload_octets();
  if (fact.target != length || now > length) {
    write->contradict();
    return fact;
  }
  write->data.add(0, now, 1);
  write->granted = write->in_request = now;
  write->last_data = write->begun;
  if (now == length && !seen.layout.delivery_complete && !write->is_unsettled()) write->finish();
  return fact;
}

RequestFact follow_read_request(const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  RequestFact fact{.target = total_length(packet.rma_iov)};
  Exchange* const holder = state.exchanges().by_recv_id(seen.sender(), packet.recv_id);
  const bool in_use = holder != nullptr && holder->sink_waits();
  // The exchange with this ID may not be a read at all: it may have reused the ID of an older one.
  const bool is_read = holder != nullptr && holder->request->purpose == Purpose::read;
  Exchange* const read = begin_request(fact, seen, state, holder, in_use, is_read);
  if (read == nullptr) return fact;
  const bool in_parts = seen.layout.transfer == Transfer::long_cts;
  if (fact.target != packet.msg_length || (in_parts && packet.recv_length == 0))
    read->contradict();
  else if (in_parts)
    read->granted = std::min(packet.recv_length, packet.msg_length);
  return fact;
}

}  // namespace wirelaw::efa

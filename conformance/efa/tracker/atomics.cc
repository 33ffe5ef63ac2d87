// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/tracker/follow.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {
namespace {

AtomicCall call_of(PacketType type) {
  if (type == PacketType::fetch_rta) return AtomicCall::fetch;
  return type == PacketType::compare_rta ? AtomicCall::compare : AtomicCall::write;
}

// The number of buffers before the first whose length is not a multiple of the value's size.
std::size_t fitting_buffers(Octets buffers, const DatatypeInfo& datatype) {
  std::size_t fitting = 0;
  while (fitting < rma_iov_count(buffers) && rma_iov_at(buffers, fitting).len % datatype.octets == 0) ++fitting;
  return fitting;
}

bool has_operands(const SeenPacket& seen, const AtomicFact& fact) {
  const std::uint64_t there = seen.payload_octets();
  const auto& wanted = fact.request.target;
  if (!wanted) return false;
  if (there == 0 && AtomicOp{seen.packet.atomic_op} == AtomicOp::atomic_read) return true;
  return fact.call == AtomicCall::compare ? there / 2 == *wanted && there % 2 == 0 : there == *wanted;
}

AtomicFact fact_of(const SeenPacket& seen) {
  using enum AtomicFact::Fault;
  const Packet& packet = seen.packet;
  AtomicFact fact{.call = call_of(seen.type()), .request = {.target = total_length(packet.rma_iov)}};
  const DatatypeInfo* const type = find_datatype(packet.atomic_datatype);
  const AtomicOpInfo* const op = find_atomic_op(packet.atomic_op);
  if (type != nullptr && type->datatype < Datatype::long_real)
    fact.fitting_buffers = fitting_buffers(packet.rma_iov, *type);
  const bool fits = !fact.fitting_buffers || *fact.fitting_buffers == rma_iov_count(packet.rma_iov);
  fact.fault = type == nullptr                                             ? AtomicFact::Fault::datatype
               : op == nullptr                                             ? operation
               : !op->allowed_in(fact.call)                                ? AtomicFact::Fault::call
               : !atomic_defined(packet.atomic_op, packet.atomic_datatype) ? combination
               : !fits                                                     ? buffer
               : !has_operands(seen, fact)                                 ? operands
                                                                           : none;
  return fact;
}

// For an ATOMRSP that answers no waiting request. `atomic`: the answered one with its ID, nullptr if there is none.
AtomrspFact follow_stray_atomrsp(const SeenPacket& seen, const TraceState& state, const Exchange* atomic) {
  using enum AtomrspFact::Of;
  if (!state.complete()) return {};
  const Party& requester = state.party(other(seen.sender()));
  const bool is_silent = requester.unanswered_atomics == 0 && requester.silent_atomic &&
                         (atomic == nullptr || requester.silent_atomic->index > atomic->latest.index);
  if (is_silent && !seen.doubled) return {.of = silent};
  if (atomic == nullptr) return {.of = none};
  if (const auto another = another_answer(*atomic, state)) return {.of = fetching, .answer = *another};
  return {};
}

}  // namespace

AtomicFact follow_atomic(const SeenPacket& seen, TraceState& state) {
  AtomicFact fact = fact_of(seen);
  Party& requester = state.party(seen.sender());
  if (fact.call == AtomicCall::write) requester.silent_atomic = seen.mark();
  const bool fetches = seen.layout.find(Field::recv_id) != nullptr;
  if (!fetches && !seen.layout.delivery_complete) return fact;
  Exchanges& exchanges = state.exchanges();
  Exchange* const before = fetches ? exchanges.by_atomic_id(seen.sender(), seen.packet.recv_id)
                                   : exchanges.by_send_id(seen.sender(), seen.packet.send_id);
  const bool in_use = before != nullptr && (fetches ? before->sink_waits() : before->source_waits());
  Exchange* const atomic = begin_request(fact.request, seen, state, before, in_use, before != nullptr);
  if (atomic == nullptr) return fact;
  if (fetches && !in_use) ++requester.unanswered_atomics;
  if (fact.fault != AtomicFact::Fault::none) atomic->contradict();
  return fact;
}

AtomrspFact follow_atomrsp(const SeenPacket& seen, TraceState& state) {
  Exchange* const atomic = state.exchanges().atomic_answered(seen, seen.packet.recv_id);
  if (atomic == nullptr) return follow_stray_atomrsp(seen, state, nullptr);
  const bool is_unsettled = atomic->is_unsettled();
  if (!is_unsettled) atomic->finish();
  if (atomic->answers++ > 0) return is_unsettled ? AtomrspFact{} : follow_stray_atomrsp(seen, state, atomic);
  atomic->latest = seen.mark();
  if (auto& open = state.party(atomic->requester).unanswered_atomics; open > 0) --open;
  AtomrspFact fact{.of = AtomrspFact::Of::fetching};
  if (!is_unsettled) fact.octets = atomic->rma_octets;
  return fact;
}

}  // namespace wirelaw::efa

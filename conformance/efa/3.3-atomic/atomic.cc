// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: the requests of emulated atomics. Operations and datatypes are numbered as libfabric's fi_atomic has
// them (EFA/A-30).
#include "conformance/efa/3.3-atomic/atomic.h"

#include "conformance/efa/3.3-atomic/rules.h"
#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/packet_checks.h"
#include "conformance/efa/tracker/follow.h"
#include "reference/efa/atomic.h"
#include "reference/efa/memory.h"

namespace wirelaw::efa {

namespace {

constexpr std::uint32_t kDatatypesEnd = 64;  // later releases have collective datatypes from here on
constexpr std::uint32_t kLaterOperation = 19;

// For each packet type, the fi_atomic call that it carries and the rules that depend on the call.
struct CallRow {
  PacketType type;
  AtomicCall call;
  const Rule& operation;
  const Rule& operands;
  std::string_view operations;
};
constexpr CallRow kCalls[] = {
    {PacketType::write_rta, AtomicCall::write, rule<"EFA-3.3-102">, rule<"EFA-3.3-106">, "one of 0 to 9, or 11"},
    {PacketType::dc_write_rta, AtomicCall::write, rule<"EFA-3.3-102">, rule<"EFA-3.3-106">, "one of 0 to 9, or 11"},
    {PacketType::fetch_rta, AtomicCall::fetch, rule<"EFA-3.3-103">, rule<"EFA-3.3-107">, "one of 0 to 11"},
    {PacketType::compare_rta, AtomicCall::compare, rule<"EFA-3.3-104">, rule<"EFA-3.3-108">, "one of 12 to 18"},
};

const CallRow& call_of(PacketType type) {
  for (const CallRow& row : kCalls)
    if (row.type == type) return row;
  return kCalls[0];
}

std::string name_of(std::uint32_t op) {
  const AtomicOpInfo* const info = find_atomic_op(op);
  return info == nullptr ? fmt::format("{}", op) : fmt::format("{} ({})", op, info->name);
}

// Returns true if both numbers are defined, so that the rest of the packet can be judged.
bool judge_numbers(Judge& judge, const SeenPacket& seen) {
  const Packet& packet = seen.packet;
  const bool datatype = find_datatype(packet.atomic_datatype) != nullptr;
  const bool op = find_atomic_op(packet.atomic_op) != nullptr;
  const auto judge_number = [&](const Rule& rule, bool known, bool later, Field field, std::uint32_t value,
                                std::string_view those) {
    if (later)
      advise(judge, rule, known, seen, field, expected(those), actual(value), "not of the releases it was written for");
    else
      require(judge, rule, known, seen, field, expected(those), actual(value), "no release has it");
  };
  judge_number(rule<"EFA-3.3-100">, datatype, packet.atomic_datatype < kDatatypesEnd, Field::atomic_datatype,
               packet.atomic_datatype, "one of 0 to 13");
  if (datatype)
    judge_number(rule<"EFA-3.3-101">, op, packet.atomic_op == kLaterOperation, Field::atomic_op, packet.atomic_op,
                 "one of 0 to 18");
  return datatype && op;
}

bool judge_operation(Judge& judge, const SeenPacket& seen, const CallRow& row) {
  const Packet& packet = seen.packet;
  return require(judge, row.operation, find_atomic_op(packet.atomic_op)->allowed_in(row.call), seen, Field::atomic_op,
                 expected(row.operations), actual([&] { return name_of(packet.atomic_op); }),
                 "an operation of another call") &&
         require(judge, rule<"EFA-3.3-105">, atomic_defined(packet.atomic_op, packet.atomic_datatype), seen,
                 Field::atomic_op, expected([&] {
                   return fmt::format("an operation on {}", find_datatype(packet.atomic_datatype)->name);
                 }),
                 actual([&] { return name_of(packet.atomic_op); }), "fi_atomic does not define it");
}

bool judge_values(Judge& judge, const SeenPacket& seen) {
  const DatatypeInfo& datatype = *find_datatype(seen.packet.atomic_datatype);
  if (datatype.datatype >= Datatype::long_real) return true;
  const std::size_t count = rma_iov_count(seen.packet.rma_iov);
  std::size_t odd = 0;
  while (odd < count && rma_iov_at(seen.packet.rma_iov, odd).len % datatype.octets == 0) ++odd;
  constexpr std::size_t kLen = 8;
  return judge.require(
      rule<"EFA-3.3-109">, odd == count, octets(seen.layout.header_octets + odd * layout::kRmaIov + kLen, kLen),
      expected([&] { return fmt::format("a multiple of {}, the size of {}", datatype.octets, datatype.name); }),
      actual([&] { return fmt::format("{}", rma_iov_at(seen.packet.rma_iov, odd).len); }),
      [&] { return fmt::format("buffer {} of {}", odd + 1, count); });
}

bool judge_operands(Judge& judge, const SeenPacket& seen, const CallRow& row, std::optional<std::uint64_t> octets) {
  const std::uint64_t there = seen.payload_octets();
  const bool read = AtomicOp{seen.packet.atomic_op} == AtomicOp::atomic_read;
  const bool twice = row.call == AtomicCall::compare;
  const bool holds = octets && ((there == *octets && !twice) || (twice && there / 2 == *octets && there % 2 == 0) ||
                                (read && there == 0));
  return judge.require(row.operands, holds, seen.payload(), expected([&] {
                         return !octets ? std::string("lengths in rma_iov that can be added up")
                                : twice ? fmt::format("two segments of {} octets", *octets)
                                        : fmt::format("{} octets", *octets);
                       }),
                       actual(there), "operands and buffers differ in length");
}

void begin_atomic(Judge& judge, const SeenPacket& seen, TraceState& state, std::optional<std::uint64_t> octets,
                  bool good) {
  const bool fetches = seen.layout.find(Field::recv_id) != nullptr;
  if (!fetches && !seen.layout.delivery_complete) return;
  Exchanges& exchanges = state.exchanges();
  Exchange* const before = fetches ? exchanges.by_atomic_id(seen.sender(), seen.packet.recv_id)
                                   : exchanges.by_send_id(seen.sender(), seen.packet.send_id);
  const bool in_use = before != nullptr && (fetches ? before->sink_waits() : before->source_waits());
  RequestFact fact{.target = octets};
  Exchange* const atomic = begin_request(fact, seen, state, before, in_use, before != nullptr);
  if (fact.id)
    check_free_id(judge, seen, fetches ? rule<"EFA-3.3-110"> : rule<"EFA-3.3-111">,
                  fetches ? Field::recv_id : Field::send_id, *fact.id);
  if (fetches && !in_use && atomic != nullptr) ++state.party(seen.sender()).unanswered_atomics;
  if (atomic != nullptr && !good) atomic->contradict();
}

}  // namespace

void judge_atomic_request(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const CallRow& row = call_of(seen.type());
  judge_buffers(judge, seen, Array::rma_iov);
  const std::optional<std::uint64_t> octets = total_length(seen.packet.rma_iov);
  const bool good = judge_numbers(judge, seen) && judge_operation(judge, seen, row) && judge_values(judge, seen) &&
                    judge_operands(judge, seen, row, octets);
  Party& requester = state.party(seen.sender());
  if (row.call == AtomicCall::write) requester.silent_atomic = seen.mark();
  begin_atomic(judge, seen, state, octets, good);
}

}  // namespace wirelaw::efa

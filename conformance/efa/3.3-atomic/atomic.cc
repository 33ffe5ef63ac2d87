// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: the requests of emulated atomics. Operations and datatypes are numbered as libfabric's fi_atomic has
// them (EFA/A-30).
#include "conformance/efa/3.3-atomic/atomic.h"

#include <algorithm>

#include "conformance/efa/3.3-atomic/rules.h"
#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/packet_checks.h"
#include "reference/efa/atomic.h"

namespace wirelaw::efa {

namespace {

constexpr std::uint32_t kDatatypesEnd = 64;  // later releases have collective datatypes from here on
constexpr std::uint32_t kLaterOperation = 19;

// The rules that depend on the fi_atomic call that a packet carries.
struct CallRow {
  AtomicCall call;
  const Rule& operation;
  const Rule& operands;
  std::string_view operations;
};
constexpr CallRow kCalls[] = {
    {AtomicCall::write, rule<"EFA-3.3-102">, rule<"EFA-3.3-106">, "one of 0 to 9, or 11"},
    {AtomicCall::fetch, rule<"EFA-3.3-103">, rule<"EFA-3.3-107">, "one of 0 to 11"},
    {AtomicCall::compare, rule<"EFA-3.3-104">, rule<"EFA-3.3-108">, "one of 12 to 18"},
};

std::string name_of(std::uint32_t op) {
  const AtomicOpInfo* const info = find_atomic_op(op);
  return info == nullptr ? fmt::format("{}", op) : fmt::format("{} ({})", op, info->name);
}

// Returns true if both numbers are defined, so that the rest of the packet can be judged.
bool check_numbers(Judge& judge, const SeenPacket& seen, AtomicFact::Fault fault) {
  const Packet& packet = seen.packet;
  const auto check_number = [&](const Rule& rule, bool known, bool later, Field field, std::uint32_t value,
                                std::string_view those) {
    if (later)
      return advise(judge, rule, known, seen, field, expected(those), actual(value),
                    "not of the releases it was written for");
    return require(judge, rule, known, seen, field, expected(those), actual(value), "no release has it");
  };
  return check_number(rule<"EFA-3.3-100">, fault != AtomicFact::Fault::datatype, packet.atomic_datatype < kDatatypesEnd,
                      Field::atomic_datatype, packet.atomic_datatype, "one of 0 to 13") &&
         check_number(rule<"EFA-3.3-101">, fault != AtomicFact::Fault::operation, packet.atomic_op == kLaterOperation,
                      Field::atomic_op, packet.atomic_op, "one of 0 to 18");
}

bool check_operation(Judge& judge, const SeenPacket& seen, AtomicFact::Fault fault, const CallRow& row) {
  const Packet& packet = seen.packet;
  return require(judge, row.operation, fault != AtomicFact::Fault::call, seen, Field::atomic_op,
                 expected(row.operations), actual([&] { return name_of(packet.atomic_op); }),
                 "an operation of another call") &&
         require(
             judge, rule<"EFA-3.3-105">, fault != AtomicFact::Fault::combination, seen, Field::atomic_op,
             expected([&] { return fmt::format("an operation on {}", find_datatype(packet.atomic_datatype)->name); }),
             actual([&] { return name_of(packet.atomic_op); }), "fi_atomic does not define it");
}

bool check_buffers(Judge& judge, const SeenPacket& seen, const AtomicFact& fact) {
  constexpr std::size_t kLen = 8;
  if (!fact.fitting_buffers) return true;
  const Octets buffers = seen.packet.rma_iov;
  const std::size_t odd = *fact.fitting_buffers;
  return judge.require(rule<"EFA-3.3-109">, fact.fault != AtomicFact::Fault::buffer,
                       octets(seen.layout.header_octets + odd * layout::kRmaIov + kLen, kLen), expected([&] {
                         const DatatypeInfo& datatype = *find_datatype(seen.packet.atomic_datatype);
                         return fmt::format("a multiple of {}, the size of {}", datatype.octets, datatype.name);
                       }),
                       actual([&] { return fmt::format("{}", rma_iov_at(buffers, odd).len); }),
                       [&] { return fmt::format("buffer {} of {}", odd + 1, rma_iov_count(buffers)); });
}

void check_operands(Judge& judge, const SeenPacket& seen, const AtomicFact& fact, const CallRow& row) {
  judge.require(row.operands, fact.fault != AtomicFact::Fault::operands, seen.payload(), expected([&] {
                  const auto& octets = fact.request.target;
                  return !octets                           ? std::string("lengths in rma_iov that can be added up")
                         : row.call == AtomicCall::compare ? fmt::format("two segments of {} octets", *octets)
                                                           : fmt::format("{} octets", *octets);
                }),
                actual(seen.payload_octets()), "operands and buffers differ in length");
}

}  // namespace

void check_atomic_request(Judge& judge, const SeenPacket& seen, const AtomicFact& fact) {
  const CallRow& row = *std::ranges::find(kCalls, fact.call, &CallRow::call);
  judge_buffers(judge, seen, Array::rma_iov);
  if (check_numbers(judge, seen, fact.fault) && check_operation(judge, seen, fact.fault, row) &&
      check_buffers(judge, seen, fact))
    check_operands(judge, seen, fact, row);
  if (!fact.request.id) return;
  const bool fetches = row.call != AtomicCall::write;
  check_free_id(judge, seen, fetches ? rule<"EFA-3.3-110"> : rule<"EFA-3.3-111">,
                fetches ? Field::recv_id : Field::send_id, *fact.request.id);
}

}  // namespace wirelaw::efa

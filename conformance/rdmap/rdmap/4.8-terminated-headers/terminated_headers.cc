// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.8, figure 10: which headers a Terminate carries for each kind of error, and which messages can
// cause it. Each entry of the figure that a Terminate can break on its own is a rule.
#include "conformance/rdmap/rdmap/4.8-terminated-headers/rules.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"

namespace wirelaw::rdmap {
namespace {

std::string header_bits(const Terminate& terminate) {
  return fmt::format("M {}, D {}, R {}", int{terminate.has_length}, int{terminate.has_ddp_header},
                     int{terminate.has_rdma_header});
}

// The verdict on a Terminate that carries no header at all although one is expected.
enum class Bare : std::uint8_t { wrong, doubtful, fine };

void check_both_set(Judge& judge, const TerminateFact& fact, const Rule& rule, Bare bare) {
  const Terminate& terminate = fact.terminate;
  const bool m = terminate.has_length, d = terminate.has_ddp_header;
  // A segment too short for its header has a length, and no header to send back (RDMAP/A-03).
  const bool too_short = m && !d && terminate.ddp_segment_length < ddp::layout::kUntagged;
  const bool holds = (m && d) || too_short || (!m && !d && bare == Bare::fine);
  const auto want = expected("M and D set");
  const auto got = actual([&] { return header_bits(terminate); });
  if (!m && !d && bare == Bare::doubtful)
    judge.advise(rule, false, field::kHeaderControl, want, got, "nothing says which segment was at fault");
  else
    judge.require(rule, holds, field::kHeaderControl, want, got);
}

void check_catastrophic(Judge& judge, const TerminateFact& fact) {
  const Terminate& terminate = fact.terminate;
  judge.require(rule<"RDMAP-4.8-22">, !terminate.has_length || terminate.has_ddp_header, field::kHeaderControl,
                expected("M clear"), actual([&] { return header_bits(terminate); }));
  judge.require(rule<"RDMAP-4.8-23">, !terminate.has_rdma_header || terminate.has_ddp_header, field::kHeaderControl,
                expected("R clear"), actual([&] { return header_bits(terminate); }));
}

void check_protection(Judge& judge, const TerminateFact& fact) {
  // Every code of this type refers to a received message.
  check_both_set(judge, fact, rule<"RDMAP-4.8-24">, Bare::doubtful);
  if (!fact.blamed) return;
  const BlamedFact& blamed = *fact.blamed;
  const auto want = expected("a Read Request, or a Send that invalidates");
  const auto got = actual(blamed.row ? blamed.row->name : std::string_view("a reserved opcode"));
  const bool is_placed_by_ddp = blamed.is(Opcode::write) || blamed.is(Opcode::read_response);
  if (is_placed_by_ddp && fact.error() == error::kAccessRights)
    judge.advise(rule<"RDMAP-4.8-26">, false, field::kLayerAndType, want, got, "DDP has no code for a missing right");
  else if (!names_absent_field(fact, blamed))
    judge.require(rule<"RDMAP-4.8-26">, blamed.may_cause_protection_error(), field::kLayerAndType, want, got);
  if (blamed.is(Opcode::read_request))
    judge.require(rule<"RDMAP-4.8-25">, fact.terminate.has_rdma_header, field::kHeaderControl, expected("R set"),
                  actual([&] { return header_bits(fact.terminate); }));
}

// RDMAP/A-20: without headers it may concern no message at all. RDMAP/A-21: a version or an opcode is always that of a
// message.
void check_operation(Judge& judge, const TerminateFact& fact) {
  const std::uint8_t code = fact.error().code;
  const bool of_a_message = code == error::kInvalidVersion.code || code == error::kUnexpectedOpcode.code ||
                            code == error::kOperationCannotInvalidate.code;
  check_both_set(judge, fact, rule<"RDMAP-4.8-27">, of_a_message ? Bare::doubtful : Bare::fine);
}

// RDMAP/A-08: a receiver that does not know the version does not know the layout of the header either.
void check_ddp(Judge& judge, const TerminateFact& fact) {
  const ErrorCode error = fact.error();
  const bool may_be_bare = error.etype == 0 || error == error::kDdpTaggedVersion || error == error::kDdpUntaggedVersion;
  check_both_set(judge, fact, rule<"RDMAP-4.8-29">, may_be_bare ? Bare::fine : Bare::wrong);
  const bool r = fact.terminate.has_rdma_header;
  const auto got = actual([&] { return header_bits(fact.terminate); });
  // For any message other than a Read Request, RDMAP-4.8-14 judges it.
  if (r && fact.blamed && !fact.blamed->is(Opcode::read_request)) return;
  judge.advise(rule<"RDMAP-4.8-30">, !r, field::kHeaderControl, expected("R clear"), got,
               "DDP knows no RDMA header; deployed adapters send it back all the same");
}

void check_llp(Judge& judge, const TerminateFact& fact) {
  const Terminate& terminate = fact.terminate;
  const auto got = actual([&] { return header_bits(terminate); });
  judge.advise(rule<"RDMAP-4.8-31">, !terminate.has_length && !terminate.has_ddp_header, field::kHeaderControl,
               expected("M and D clear"), got, "deployed adapters send back what they have");
  if (terminate.has_rdma_header && terminate.has_ddp_header) return;  // already reported
  judge.advise(rule<"RDMAP-4.8-32">, !terminate.has_rdma_header, field::kHeaderControl, expected("R clear"), got);
}

}  // namespace

void check_mapping(Judge& judge, const TerminateFact& fact) {
  const ErrorCode error = fact.error();
  if (fact.is(Layer::ddp)) return check_ddp(judge, fact);
  if (fact.is(Layer::llp)) return check_llp(judge, fact);
  static constexpr void (*kTypes[])(Judge&, const TerminateFact&) = {check_catastrophic, check_protection,
                                                                     check_operation};
  if (error.etype < std::size(kTypes)) kTypes[error.etype](judge, fact);
}

}  // namespace wirelaw::rdmap

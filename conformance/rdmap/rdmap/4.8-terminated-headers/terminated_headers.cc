// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.8, figure 10: which headers a Terminate carries for each kind of error, and which messages can
// cause it. Each entry of the figure that a Terminate can break on its own is a rule.
#include "conformance/rdmap/rdmap/4.8-terminated-headers/rules.h"
#include "conformance/rdmap/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {
namespace {

std::string header_bits(const Terminate& terminate) {
  return fmt::format("M {}, D {}, R {}", int{terminate.has_length}, int{terminate.has_ddp_header},
                     int{terminate.has_rdma_header});
}

// How a Terminate that carries no header at all where one is expected is taken.
enum class Bare : std::uint8_t { wrong, doubtful, fine };

void judge_both_set(Judge& judge, const TerminateSeen& seen, const Rule& rule, Bare bare) {
  const Terminate& terminate = seen.terminate;
  const bool m = terminate.has_length, d = terminate.has_ddp_header;
  // A segment too short for its header has a length, and no header to send back (RDMAP/A-03).
  const bool too_short = m && !d && terminate.ddp_segment_length < ddp::layout::kUntagged;
  const bool holds = (m && d) || too_short || (!m && !d && bare == Bare::fine);
  const auto want = expected("M and D set");
  const auto got = actual([&] { return header_bits(terminate); });
  if (!m && !d && bare == Bare::doubtful)
    judge.advise(rule, false, seen.header_control(), want, got, "nothing says which segment was at fault");
  else
    judge.require(rule, holds, seen.header_control(), want, got);
}

void judge_catastrophic(Judge& judge, const TerminateSeen& seen) {
  const Terminate& terminate = seen.terminate;
  judge.require(rule<"RDMAP-4.8-22">, !terminate.has_length || terminate.has_ddp_header, seen.header_control(),
                expected("M clear"), actual([&] { return header_bits(terminate); }));
  judge.require(rule<"RDMAP-4.8-23">, !terminate.has_rdma_header || terminate.has_ddp_header, seen.header_control(),
                expected("R clear"), actual([&] { return header_bits(terminate); }));
}

void judge_protection(Judge& judge, const TerminateSeen& seen) {
  // Every code of this type speaks of a message that came.
  judge_both_set(judge, seen, rule<"RDMAP-4.8-24">, Bare::doubtful);
  if (!seen.blamed) return;
  const Blamed& blamed = *seen.blamed;
  const auto want = expected("a Read Request, or a Send that invalidates");
  const auto got = actual(blamed.row ? blamed.row->name : std::string_view("a reserved opcode"));
  const bool is_placed_by_ddp = blamed.is(Opcode::write) || blamed.is(Opcode::read_response);
  if (is_placed_by_ddp && seen.error() == error::kAccessRights)
    judge.advise(rule<"RDMAP-4.8-26">, false, seen.layer_and_type(), want, got, "DDP has no code for a missing right");
  else
    judge.require(rule<"RDMAP-4.8-26">, blamed.may_cause_protection_error(), seen.layer_and_type(), want, got);
  if (blamed.is(Opcode::read_request))
    judge.require(rule<"RDMAP-4.8-25">, seen.terminate.has_rdma_header, seen.header_control(), expected("R set"),
                  actual([&] { return header_bits(seen.terminate); }));
}

// RDMAP/A-20: without headers it may concern no message at all. RDMAP/A-21: a version or an opcode is always that of a
// message.
void judge_operation(Judge& judge, const TerminateSeen& seen) {
  const std::uint8_t code = seen.error().code;
  const bool of_a_message = code == error::kInvalidVersion.code || code == error::kUnexpectedOpcode.code ||
                            code == error::kOperationCannotInvalidate.code;
  judge_both_set(judge, seen, rule<"RDMAP-4.8-27">, of_a_message ? Bare::doubtful : Bare::fine);
}

// RDMAP/A-08: a receiver that does not know the version does not know the layout of the header either.
void judge_ddp(Judge& judge, const TerminateSeen& seen) {
  const ErrorCode error = seen.error();
  const bool may_be_bare = error.etype == 0 || error == error::kDdpTaggedVersion || error == error::kDdpUntaggedVersion;
  judge_both_set(judge, seen, rule<"RDMAP-4.8-29">, may_be_bare ? Bare::fine : Bare::wrong);
  const bool r = seen.terminate.has_rdma_header;
  const auto got = actual([&] { return header_bits(seen.terminate); });
  // For any other message than a Read Request, RDMAP-4.8-14 says it.
  if (r && seen.blamed && !seen.blamed->is(Opcode::read_request)) return;
  judge.advise(rule<"RDMAP-4.8-30">, !r, seen.header_control(), expected("R clear"), got,
               "DDP knows no RDMA header; deployed adapters send it back all the same");
}

void judge_llp(Judge& judge, const TerminateSeen& seen) {
  const Terminate& terminate = seen.terminate;
  const auto got = actual([&] { return header_bits(terminate); });
  judge.advise(rule<"RDMAP-4.8-31">, !terminate.has_length && !terminate.has_ddp_header, seen.header_control(),
               expected("M and D clear"), got, "deployed adapters send back what they have");
  if (terminate.has_rdma_header && terminate.has_ddp_header) return;  // said already
  judge.advise(rule<"RDMAP-4.8-32">, !terminate.has_rdma_header, seen.header_control(), expected("R clear"), got);
}

}  // namespace

void judge_mapping(Judge& judge, const TerminateSeen& seen) {
  const ErrorCode error = seen.error();
  if (seen.is(Layer::ddp)) return judge_ddp(judge, seen);
  if (seen.is(Layer::llp)) return judge_llp(judge, seen);
  static constexpr void (*kTypes[])(Judge&, const TerminateSeen&) = {judge_catastrophic, judge_protection,
                                                                     judge_operation};
  if (error.etype < std::size(kTypes)) kTypes[error.etype](judge, seen);
}

}  // namespace wirelaw::rdmap

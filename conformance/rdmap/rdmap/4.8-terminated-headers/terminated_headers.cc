// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.8, figure 10: which headers a Terminate carries for each kind of error, and which messages can
// cause it. Each entry of the figure that a Terminate can break on its own is a rule.
#include "conformance/rdmap/rdmap/terminate_seen.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection{"RFC 5040 4.8"};
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kCatastrophicNoLength = kSection.should(
    "RDMAP-4.8-22", "Figure 10, Local Catastrophic Error: the M bit is clear.", "RDMAP-4.8-13 judges the D bit");
constinit const Rule kCatastrophicNoRdmaHeader =
    kSection.should("RDMAP-4.8-23", "Figure 10, Local Catastrophic Error: the R bit is clear.");
constinit const Rule kProtectionDdpHeader =
    kSection.should("RDMAP-4.8-24", "Figure 10, Remote Protection Error: the M and D bits are set, if possible.",
                    "RDMAP/A-03, RDMAP/A-21");
constinit const Rule kProtectionRdmaHeader = kSection.should(
    "RDMAP-4.8-25", "Figure 10, Remote Protection Error: the R bit is set for a Read Request.", "RDMAP/A-05");
constinit const Rule kProtectionCause = kSection.should(
    "RDMAP-4.8-26",
    "Figure 10, Remote Protection Error: only a Read Request, or a Send that invalidates an STag, can cause it.",
    "RDMAP/A-27, RDMAP/A-36");
constinit const Rule kOperationDdpHeader =
    kSection.should("RDMAP-4.8-27", "Figure 10, Remote Operation Error: the M and D bits are set, if possible.",
                    "RDMAP/A-03, RDMAP/A-20, RDMAP/A-21");
constinit const Rule kOperationNoRdmaHeader =
    kNotJudged.should("RDMAP-4.8-28", "Figure 10, Remote Operation Error: the R bit is clear.",
                      "RDMAP/A-07: section 7.1 demands the header for a Read Request, so both are taken; for any other "
                      "message RDMAP-4.8-14 judges it");
constinit const Rule kDdpDdpHeader =
    kSection.should("RDMAP-4.8-29", "Figure 10, DDP errors: the M and D bits are set.", "RDMAP/A-03, RDMAP/A-08");
constinit const Rule kDdpNoRdmaHeader =
    kSection.should("RDMAP-4.8-30", "Figure 10, DDP errors: the R bit is clear.", "RDMAP/A-08");
constinit const Rule kLlpNoDdpHeader =
    kSection.should("RDMAP-4.8-31", "Figure 10, LLP errors: the M and D bits are clear.", "RDMAP/A-08");
constinit const Rule kLlpNoRdmaHeader =
    kSection.should("RDMAP-4.8-32", "Figure 10, LLP errors: the R bit is clear.", "RDMAP/A-08");

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
  judge.require(kCatastrophicNoLength, !terminate.has_length || terminate.has_ddp_header, seen.header_control(),
                expected("M clear"), actual([&] { return header_bits(terminate); }));
  judge.require(kCatastrophicNoRdmaHeader, !terminate.has_rdma_header || terminate.has_ddp_header,
                seen.header_control(), expected("R clear"), actual([&] { return header_bits(terminate); }));
}

void judge_protection(Judge& judge, const TerminateSeen& seen) {
  // Every code of this type speaks of a message that came.
  judge_both_set(judge, seen, kProtectionDdpHeader, Bare::doubtful);
  if (!seen.blamed) return;
  const Blamed& blamed = *seen.blamed;
  const auto want = expected("a Read Request, or a Send that invalidates");
  const auto got = actual(blamed.row ? blamed.row->name : std::string_view("a reserved opcode"));
  const bool is_placed_by_ddp = blamed.is(Opcode::write) || blamed.is(Opcode::read_response);
  if (is_placed_by_ddp && seen.error() == error::kAccessRights)
    judge.advise(kProtectionCause, false, seen.layer_and_type(), want, got, "DDP has no code for a missing right");
  else
    judge.require(kProtectionCause, blamed.may_cause_protection_error(), seen.layer_and_type(), want, got);
  if (blamed.is(Opcode::read_request))
    judge.require(kProtectionRdmaHeader, seen.terminate.has_rdma_header, seen.header_control(), expected("R set"),
                  actual([&] { return header_bits(seen.terminate); }));
}

// RDMAP/A-20: without headers it may concern no message at all. RDMAP/A-21: a version or an opcode is always that of a
// message.
void judge_operation(Judge& judge, const TerminateSeen& seen) {
  const std::uint8_t code = seen.error().code;
  const bool of_a_message = code == error::kInvalidVersion.code || code == error::kUnexpectedOpcode.code ||
                            code == error::kOperationCannotInvalidate.code;
  judge_both_set(judge, seen, kOperationDdpHeader, of_a_message ? Bare::doubtful : Bare::fine);
}

// RDMAP/A-08: a receiver that does not know the version does not know the layout of the header either.
void judge_ddp(Judge& judge, const TerminateSeen& seen) {
  const ErrorCode error = seen.error();
  const bool may_be_bare = error.etype == 0 || error == error::kDdpTaggedVersion || error == error::kDdpUntaggedVersion;
  judge_both_set(judge, seen, kDdpDdpHeader, may_be_bare ? Bare::fine : Bare::wrong);
  const bool r = seen.terminate.has_rdma_header;
  const auto got = actual([&] { return header_bits(seen.terminate); });
  // For any other message than a Read Request, RDMAP-4.8-14 says it.
  if (r && seen.blamed && !seen.blamed->is(Opcode::read_request)) return;
  judge.advise(kDdpNoRdmaHeader, !r, seen.header_control(), expected("R clear"), got,
               "DDP knows no RDMA header; deployed adapters send it back all the same");
}

void judge_llp(Judge& judge, const TerminateSeen& seen) {
  const Terminate& terminate = seen.terminate;
  const auto got = actual([&] { return header_bits(terminate); });
  judge.advise(kLlpNoDdpHeader, !terminate.has_length && !terminate.has_ddp_header, seen.header_control(),
               expected("M and D clear"), got, "deployed adapters send back what they have");
  if (terminate.has_rdma_header && terminate.has_ddp_header) return;  // said already
  judge.advise(kLlpNoRdmaHeader, !terminate.has_rdma_header, seen.header_control(), expected("R clear"), got);
}

constexpr Breach kBreaches[] = {
    {Deviation::terminate_layer_swapped, kProtectionCause},
};

}  // namespace

SectionRules terminate_mapping_rules() {
  static constexpr const Rule* kRules[] = {
      &kCatastrophicNoLength, &kCatastrophicNoRdmaHeader, &kProtectionDdpHeader,   &kProtectionRdmaHeader,
      &kProtectionCause,      &kOperationDdpHeader,       &kOperationNoRdmaHeader, &kDdpDdpHeader,
      &kDdpNoRdmaHeader,      &kLlpNoDdpHeader,           &kLlpNoRdmaHeader};
  return {kRules, kBreaches};
}

void judge_mapping(Judge& judge, const TerminateSeen& seen) {
  const ErrorCode error = seen.error();
  if (seen.is(Layer::ddp)) return judge_ddp(judge, seen);
  if (seen.is(Layer::llp)) return judge_llp(judge, seen);
  static constexpr void (*kTypes[])(Judge&, const TerminateSeen&) = {judge_catastrophic, judge_protection,
                                                                     judge_operation};
  if (error.etype < std::size(kTypes)) kTypes[error.etype](judge, seen);
}

}  // namespace wirelaw::rdmap
